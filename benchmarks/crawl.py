"""Pages a second and processor time a page of Scrapy crawls over loopback: without and with the plugin, and others.

Each crawl runs in a fresh process, in turn with the others over rounds, of which the best counts. The web server has a
process of its own. Shares compare crawls of one run. Variables that limit threads are taken out of the environment.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.arguments import add_arguments, refusing
from benchmarks.corpus import digest_of
from benchmarks.crawl_pages import by_url, crawl_sites
from benchmarks.crawl_runs import (
    BARE,
    LEARNING,
    PEERS,
    READY,
    CrawlFailedError,
    Measured,
    Target,
    Variant,
    learn_store,
    run_crawl,
)
from benchmarks.page_server import PageServer
from benchmarks.peers import asked_peers
from benchmarks.tables import environment, positive, share, table, write_json
from scrapy_blockfilter import Options

Key = tuple[int, Variant]
Results = Mapping[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.pages < Options().pages:
        parser.error(f"argument --pages: a site is learnt from {Options().pages} pages, {options.pages} are too few")
    versions, missing = asked_peers(options.peers, PEERS)
    if options.corpus is None:
        print("Generated pages: no corpus was named.")
    with refusing(parser):
        sites = crawl_sites(options.corpus, options.sites, options.pages)
    if not sites:
        parser.exit(2, f"{parser.prog}: {options.corpus} has no site with enough pages\n")
    try:
        measured = _measure(sites, options, tuple(versions))
    except CrawlFailedError as error:
        parser.exit(1, f"{parser.prog}: {error}\n")
    results = {
        "environment": environment(),
        "peers": versions,
        "missing": missing,
        "pages_from": str(options.corpus) if options.corpus else "generated",
        "corpus": digest_of(options.corpus) if options.corpus else "",
        "rounds": options.rounds,
        "requests": options.requests,
        "sites": len(sites),
        "pages": sum(map(len, sites.values())),
        "bytes_a_page": _mean_bytes(sites),
        **measured,
    }
    print(report(results))
    write_json(options.json, results)
    return 0


def best(crawls: Sequence[Measured]) -> Measured:
    """Return the best of each figure of equal crawls; of memory the worst, as it has no noise to leave out."""
    return Measured(
        min(crawl.seconds for crawl in crawls),
        min(crawl.cpu_seconds for crawl in crawls),
        max(crawl.peak_bytes for crawl in crawls),
        crawls[0].items,
        min(crawl.cleaned for crawl in crawls),
    )


def figures(crawls: Mapping[Key, Measured]) -> list[dict[str, Any]]:
    """Return the figures of each crawl, and the share of the bare one that it keeps.

    Without latency that is the share of processor time, with latency of pages a second.
    """
    found = []
    for (latency, variant), crawl in crawls.items():
        bare = crawls[latency, BARE]
        found.append(
            {
                "latency_ms": latency,
                "variant": variant.name,
                "pages_a_second": crawl.items / crawl.seconds,
                "cpu_ms_a_page": 1000 * crawl.cpu_seconds / crawl.items,
                "kept": bare.seconds / crawl.seconds if latency else bare.cpu_seconds / crawl.cpu_seconds,
                "peak_bytes": crawl.peak_bytes,
                "cleaned": crawl.cleaned / crawl.items,
            }
        )
    return found


def _measure(sites: Mapping[str, Sequence[str]], options: argparse.Namespace, peers: Sequence[str]) -> dict[str, Any]:
    pages = by_url(sites)
    # The bare crawl runs at both ends: it is short, and all shares relate to it.
    variants = (BARE, READY, LEARNING, *(Variant(peer, peer=peer) for peer in peers), BARE)
    order = [(latency, variant) for latency in options.latencies for variant in variants]
    crawls: dict[Key, list[Measured]] = {key: [] for key in order}
    with PageServer(pages, options.latencies) as server:
        first = Target(list(pages), server.proxies[options.latencies[0]], options.requests)
        with learn_store(first) as learnt:
            for number in range(options.rounds):
                sys.stderr.write(f"round {number + 1} of {options.rounds}\n")
                for key in order:
                    latency, variant = key
                    target = first._replace(proxy=server.proxies[latency])
                    crawls[key].append(run_crawl(variant, target, learnt))
    found = {key: best(measured) for key, measured in crawls.items()}
    return {"crawls": figures(found)}


def _mean_bytes(sites: Mapping[str, Sequence[str]]) -> float:
    return statistics.fmean(len(html.encode("utf-8", "replace")) for pages in sites.values() for html in pages)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.crawl", description=__doc__)
    parser.add_argument("corpus", type=Path, nargs="?", help="a folder of <set>/<site>.jsonl.gz (generated pages)")
    parser.add_argument("--rounds", type=positive, default=3, help="rounds; the best one counts (3)")
    parser.add_argument("--sites", type=positive, default=3, help="sites of each set, or sites to generate (3)")
    parser.add_argument("--pages", type=positive, default=20, help="pages of a site at the most (20)")
    parser.add_argument("--requests", type=positive, default=16, help="concurrent requests (16)")
    parser.add_argument(
        "--latencies",
        type=_latencies,
        default=(0, 50),
        help="comma-separated milliseconds that the server waits before it replies; 0 is a crawl bound by the "
        "processor (0,50)",
    )
    add_arguments(parser, "--peers", figures="crawl.json")
    return parser


def _latencies(value: str) -> tuple[int, ...]:
    latencies = tuple(int(number) for number in value.split(","))
    if min(latencies) < 0:
        raise argparse.ArgumentTypeError(f"{value} has a negative number")
    return tuple(dict.fromkeys(latencies))


def report(results: Results) -> str:
    return f"{about(results)}\n\n{by_variant(results)}"


def about(results: Results) -> str:
    """Return what was crawled."""
    return (
        f"{results['pages']:,} pages of {results['sites']} sites ({results['pages_from']}), "
        f"{results['bytes_a_page'] / 1000:.0f} KB a page, {results['requests']} requests at a time, best of "
        f"{results['rounds']} rounds."
    )


def by_variant(results: Results) -> str:
    """Return a row for each variant: processor time without latency, pages a second with, each with the share kept."""
    crawls = results["crawls"]
    latencies = list(dict.fromkeys(of["latency_ms"] for of in crawls))
    cells: dict[str, dict[int, str]] = {}
    memory: dict[str, int] = {}
    for of in crawls:
        variant = of["variant"]
        figure = f"{of['pages_a_second']:.0f}" if of["latency_ms"] else f"{of['cpu_ms_a_page']:.1f}"
        cells.setdefault(variant, {})[of["latency_ms"]] = f"{figure} ({share(of['kept'])})"
        memory[variant] = max(of["peak_bytes"], memory.get(variant, 0))
    rows = [
        [_named(variant, results), *(own.get(latency, "") for latency in latencies), f"{memory[variant] / 1e6:.0f}"]
        for variant, own in cells.items()
    ]
    return table(["in brackets: share of bare kept", *map(_column, latencies), "peak MB"], rows)


def _named(variant: str, results: Results) -> str:
    return f"{variant} {results['peers'].get(variant, '')}".strip()


def _column(latency: int) -> str:
    return f"{latency} ms of latency: pages / s" if latency else "CPU ms a page"


if __name__ == "__main__":
    sys.exit(main())

"""Time of learning and cleaning, as multiples of lxml's parse + serialise of the same pages in the same run.

Milliseconds depend on the machine and its load; multiples hardly do. Times add up all threads. Where native code is
built, the work on pages is measured a second time without it, in a process of its own.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.arguments import add_arguments, refusing
from benchmarks.corpus import digest_of
from benchmarks.costs import ADD, FORMS, Item, SampledSite, clean_name, fit_cost, measure_pages, sample_sites
from benchmarks.peers import PEERS, asked_peers, load_peers
from benchmarks.tables import environment, names, positive, table, write_json
from scrapy_blockfilter import Options
from scrapy_blockfilter.methods import METHOD_NAMES

T = TypeVar("T")

# Set to 0 it makes the package run in Python alone; read when the package is imported.
SWITCH = "BLOCKFILTER_NATIVE"
FROM_TEXT, FROM_TREE = ([form for form, (has_tree, _) in FORMS.items() if has_tree is has] for has in (False, True))
# Characters of small, middling and large pages.
SIZES = {"up to 40,000": 40_000, "up to 150,000": 150_000, "more": sys.maxsize}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    # The clock does not see the time of other processes.
    versions, missing = asked_peers(options.peers, [name for name, peer in PEERS.items() if not peer.by_node])
    corpus = options.corpus if options.corpus and options.corpus.exists() else None
    if corpus is None:
        print(f"Generated pages: {f'{options.corpus} does not exist' if options.corpus else 'no corpus was named'}.")
    with refusing(parser):
        sites = sample_sites(corpus, options.sites)
    if not sites:
        parser.exit(2, f"{parser.prog}: {options.corpus} has no site with enough pages\n")
    main_method = _main_of(options.methods)
    native = is_native()
    if not native:
        print("Without native code: scrapy_blockfilter._native is not built, or is switched off.")
    results = {
        "environment": environment(),
        "peers": versions,
        "missing": missing,
        "pages_from": str(corpus) if corpus else "generated",
        "corpus": digest_of(corpus) if corpus else "",
        "rounds": options.rounds,
        "sites": len(sites),
        "native": native,
        **page_costs(sites, options.methods, tuple(versions), options.rounds),
        "without_native": without_native(page_costs, sites, (main_method,), (), options.rounds) if native else None,
    }
    print(report(results))
    write_json(options.json, results)
    return 0


def page_costs(
    sites: Sequence[SampledSite], methods: Sequence[str], peers: Sequence[str], rounds: int
) -> dict[str, Any]:
    """Measure the work on pages, and return its costs over all pages, and those of fitting."""
    watch = measure_pages(sites, methods, load_peers(peers), rounds)
    of_cleaned = [name for name in watch.names() if not name.startswith("learn")]
    return {
        "cost": {name: watch.cost(name) for name in watch.names() if not name.startswith("learn: fit")},
        "by_size": {
            size: {name: watch.cost(name, pages) for name in of_cleaned} for size, pages in pages_by_size(sites).items()
        },
        "fit": {method: fit_cost(watch, sites, method) for method in methods},
    }


def is_native() -> bool:
    """Return whether the extension is built, and not switched off by the environment."""
    return os.environ.get(SWITCH) != "0" and find_spec("scrapy_blockfilter._native") is not None


def without_native(work: Callable[..., T], *arguments: object) -> T:
    """Do the work in a process of its own that has the extension switched off."""
    before = os.environ.get(SWITCH)
    os.environ[SWITCH] = "0"
    try:
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            return pool.submit(work, *arguments).result()
    finally:
        if before is None:
            del os.environ[SWITCH]
        else:
            os.environ[SWITCH] = before


def pages_by_size(sites: Sequence[SampledSite]) -> dict[str, set[Item]]:
    """Return the cleaned pages of each size, leaving out sizes without pages."""
    found: dict[str, set[Item]] = {name: set() for name in SIZES}
    for number, site in enumerate(sites):
        for index, page in enumerate(site.cleaned):
            size = next(name for name, most in SIZES.items() if len(page.html) <= most)
            found[size].add((number, "cleaned", index))
    return {name: pages for name, pages in found.items() if pages}


def report(figures: Mapping[str, Any]) -> str:
    """Return the results as text for people."""
    return "\n\n".join((about(figures), costs_table(figures, list(figures["fit"])), by_size_table(figures)))


def about(figures: Mapping[str, Any]) -> str:
    """Say what the figures of speed were measured on."""
    return (
        f"Pages of {figures['sites']} sites ({figures['pages_from']}), best of {figures['rounds']} rounds; "
        f"{'native code' if figures['native'] else 'no native code'}, Python {figures['environment']['python']}, "
        f"lxml {figures['environment']['lxml']}."
    )


def costs_table(figures: Mapping[str, Any], methods: Sequence[str]) -> str:
    """Show the costs of cleaning and learning, as multiples of parse + serialise and in milliseconds."""
    rows = _own_rows(figures, methods, "")
    if figures["without_native"] is not None:
        without = figures["without_native"]
        rows += _own_rows(without, list(without["fit"]), ", Python alone")
    cost = figures["cost"]
    for name in figures["peers"]:
        of = cost[name]
        rows.append([_named(name, figures), f"{of['ratio']:.1f}", f"{of['ms_a_page']:.1f}"])
    return table(["", "× (parse + serialise)", "ms a page"], rows)


def by_size_table(figures: Mapping[str, Any]) -> str:
    """Show the cost of cleaning by the size of pages, beside other extractors, as multiples of parse + serialise."""
    by_size, method = figures["by_size"], _main_of(figures["fit"])
    ours = {
        f"clean a page to HTML / to text{source}": [clean_name(method, form) for form in forms]
        for source, forms in {"": FROM_TEXT, ", with the spider's tree": FROM_TREE}.items()
    }
    named = ours | {_named(peer, figures): [peer] for peer in figures["peers"]}
    rows = [
        [what, *(_pair([costs[name] for name in names], "ratio") for costs in by_size.values())]
        for what, names in named.items()
    ]
    return table(["× (parse + serialise), by characters of the page", *by_size], rows)


def _own_rows(figures: Mapping[str, Any], methods: Sequence[str], how: str) -> list[list[str]]:
    cost, fit = figures["cost"], figures["fit"]
    main_method = _main_of(fit)
    rows = []
    for method in methods:
        # Python copies the spider's tree, which takes as long as parsing.
        has_tree = method == main_method and not how
        given = {"": FROM_TEXT} | ({", with the spider's tree": FROM_TREE} if has_tree else {})
        for source, forms in given.items():
            costs = [cost[clean_name(method, form)] for form in forms]
            what = f"clean a page to HTML / to text{source}, `{method}`{how}"
            rows.append([what, _pair(costs, "ratio"), _pair(costs, "ms_a_page")])
    ratio, ms = (cost[ADD][name] + fit[main_method][name] for name in ("ratio", "ms_a_page"))
    what = f"learn from a page, its share of fitting included, `{main_method}`{how}"
    return [*rows, [what, f"{ratio:.1f}", f"{ms:.1f}"]]


def _main_of(methods: Collection[str]) -> str:
    """Return the default method, or the last if it is not measured."""
    return Options().method if Options().method in methods else list(methods)[-1]


def _pair(costs: Sequence[Mapping[str, float]], name: str) -> str:
    return " / ".join(f"{of[name]:.1f}" for of in costs)


def _named(peer: str, figures: Mapping[str, Any]) -> str:
    return f"{peer} {figures['peers'][peer]}".strip()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument("corpus", type=Path, nargs="?", help="a folder of <set>/<site>.jsonl.gz (generated pages)")
    parser.add_argument("--methods", type=names(METHOD_NAMES), default=METHOD_NAMES, help="methods (all)")
    parser.add_argument("--rounds", type=positive, default=5, help="rounds; the best one counts (5)")
    parser.add_argument("--sites", type=positive, default=4, help="sites of each set to take pages from (4)")
    add_arguments(parser, "--peers", figures="speed.json")
    return parser


if __name__ == "__main__":
    sys.exit(main())

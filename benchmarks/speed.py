"""Time and memory of learning and cleaning, as multiples of lxml's parse + serialise of the same pages in the same run.

A millisecond depends on the machine, and on what else it does; a multiple hardly does.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.corpus import CorpusError
from benchmarks.costs import (
    ADD,
    CHECKED_PARSE,
    FORMS,
    SEGMENT,
    clean_name,
    cost_by_real_size,
    fit_cost,
    fit_name,
    measure_pages,
    sample_sites,
)
from benchmarks.growth import PAGES_OF_SITE, cost_by_sites, cost_by_size
from benchmarks.memory import memory_of_sites
from benchmarks.peers import installed_peers, load_peers
from benchmarks.tables import RESULTS, environment, names, positive, table, write_json
from benchmarks.timing import PARSE, SERIALISE
from scrapy_blockfilter.methods import METHOD_NAMES
from scrapy_blockfilter.options import Options

# At most so many times parse + serialise.
CLEANING_GOAL = 4
LEARNING_GOAL = 8
# Where one bucket of real pages ends and the next begins, in bytes.
BUCKETS = (0, 20_000, 50_000, 100_000, 200_000, 400_000)
# Characters of the pages of many sites.
SITE_PAGE = 20_000


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    versions, missing = installed_peers() if options.peers else ({}, {})
    for name, reason in missing.items():
        print(f"{name} is left out, it is not installed ({reason})")
    corpus = options.corpus if options.corpus and options.corpus.exists() else None
    if corpus is None:
        print(f"Generated pages: {f'{options.corpus} does not exist' if options.corpus else 'no corpus was named'}.")
    try:
        sites = sample_sites(corpus, options.sites)
    except CorpusError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    if not sites:
        parser.exit(2, f"{parser.prog}: {options.corpus} has no site with enough pages\n")
    watch = measure_pages(sites, options.methods, load_peers(tuple(versions)), options.rounds)
    main_method = options.methods[-1] if "consensus" not in options.methods else "consensus"
    results = {
        "environment": environment(),
        "peers": versions,
        "missing": missing,
        "pages_from": str(corpus) if corpus else "generated",
        "rounds": options.rounds,
        "sites": [site.name for site in sites],
        "cost": {name: watch.cost(name) for name in watch.names() if not name.startswith("learn: fit")},
        "fit": {method: fit_cost(watch, sites, method) for method in options.methods},
        "by_real_size": cost_by_real_size(watch, sites, clean_name(main_method, FORMS[0]), BUCKETS),
        "memory": memory_of_sites([[page.html for page in site.learnt] for site in sites], options.methods),
        "by_size": cost_by_size(options.page_sizes, options.methods, options.rounds),
        "by_sites": cost_by_sites(options.site_counts, SITE_PAGE),
        "method": main_method,
    }
    print(report(results))
    write_json(options.json, results)
    return 0


def report(results: dict[str, Any]) -> str:
    """The results as a person reads them, the figures that hold on any machine last."""
    sites = results["memory"]["sites"]
    parts = [
        f"Pages of {sites} sites ({results['pages_from']}), best of {results['rounds']} rounds.",
        _costs(results),
        f"By size of the pages of these sites: {clean_name(results['method'], FORMS[0])}",
        _by_real_size(results["by_real_size"]),
        "By size of generated pages: ms for 100 KB, in brackets the multiple of parse + serialise",
        _by_size(results["by_size"]),
        f"Memory of a learnt site, {results['memory']['pages'] / sites:.1f} pages each",
        _memory(results["memory"]),
        f"By number of generated sites of {PAGES_OF_SITE} pages of {SITE_PAGE / 1000:.0f} KB, {Options().method}",
        _by_sites(results["by_sites"]),
        "\n".join(headlines(results)),
    ]
    return "\n\n".join(parts)


def headlines(results: dict[str, Any]) -> list[str]:
    method = results["method"]
    cost = results["cost"]
    learning = cost[ADD]["ratio"]
    fitting = results["fit"][method]["ratio"]
    lines = [
        f"cleaning / (parse + serialise) = {cost[clean_name(method, form)]['ratio']:.1f} "
        f"({form}, {method}; goal: at most {CLEANING_GOAL})"
        for form in FORMS
    ]
    return [
        *lines,
        f"learning / (parse + serialise) = {learning:.1f} (goal: at most {LEARNING_GOAL}), "
        f"{learning + fitting:.1f} with the page's share of fitting {method}",
    ]


def _costs(results: dict[str, Any]) -> str:
    cost = results["cost"]
    ours = [clean_name(method, form) for method in results["fit"] for form in FORMS]
    rows = [_cost_row(name, cost[name]) for name in (PARSE, SERIALISE, CHECKED_PARSE, SEGMENT, ADD)]
    rows += [
        [fit_name(method), f"{of['ms_a_page']:.2f}", f"{of['ratio']:.1f}", "", ""]
        for method, of in results["fit"].items()
    ]
    rows += [_cost_row(name, cost[name]) for name in ours]
    rows += [_cost_row(f"{name} {number}".strip(), cost[name]) for name, number in results["peers"].items()]
    return table(["", "ms a page", "/ (parse + serialise)", "median page", "95 % of pages under"], rows)


def _cost_row(name: str, cost: dict[str, Any]) -> list[str]:
    ratios = (cost["ratio"], cost["median_ratio"], cost["ratio_of_95_percent"])
    return [name, f"{cost['ms_a_page']:.2f}", *(f"{ratio:.1f}" for ratio in ratios)]


def _by_real_size(buckets: Sequence[dict[str, Any]]) -> str:
    rows = [
        [
            f"from {of['least_bytes'] / 1000:.0f} KB",
            str(of["pages"]),
            f"{of['base_ms_for_100_kb']:.1f}",
            f"{of['ms_for_100_kb']:.1f}",
            f"{of['ratio']:.1f}",
        ]
        for of in buckets
    ]
    return table(["", "pages", "parse + serialise, ms / 100 KB", "cleaning, ms / 100 KB", "multiple"], rows)


def _by_size(sizes: Sequence[dict[str, Any]]) -> str:
    works = [name for name in sizes[0]["ms_for_100_kb"] if name not in (PARSE, SERIALISE)]
    rows = []
    for of in sizes:
        times = of["ms_for_100_kb"]
        base = times[PARSE] + times[SERIALISE]
        cells = [f"{times[name]:.1f} ({times[name] / base:.1f})" for name in works]
        rows.append([f"{of['bytes'] / 1000:,.0f} KB", f"{base:.1f}", *cells])
    return table(["", "parse + serialise", *works], rows)


def _memory(memory: dict[str, Any]) -> str:
    rows = [["sample", f"{memory['sample_bytes_a_site'] / 1000:.0f} KB"]]
    rows += [[f"model, {method}", f"{of / 1000:.0f} KB"] for method, of in memory["model_bytes_a_site"].items()]
    rows.append(["cache of stems, all sites together", f"{memory['cache_of_terms_bytes'] / 1000:.0f} KB"])
    return table(["", "allocated"], rows)


def _by_sites(counts: Sequence[dict[str, Any]]) -> str:
    rows = [
        [
            f"{of['sites']:,} sites, {of['store']}",
            f"{of['ms_a_page']:.2f}",
            f"{of['ratio']:.1f}",
            _megabytes(of["resident_bytes_a_site"]),
            _megabytes(of.get("file_bytes_a_site")),
            f"{of['ms_a_known_site']:.1f}" if "ms_a_known_site" in of else "",
        ]
        for of in counts
    ]
    header = ["", "ms a page", "processor / (parse + serialise)", "MB a site in memory", "MB a site in the file"]
    return table([*header, "ms to know a site again"], rows)


def _megabytes(size: float | None) -> str:
    return "" if size is None else f"{size / 1e6:.2f}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument(
        "corpus", type=Path, nargs="?", help="a folder of <set>/<site>.jsonl.gz; generated pages without one"
    )
    parser.add_argument("--methods", type=names(METHOD_NAMES), default=METHOD_NAMES, help="methods (all)")
    parser.add_argument(
        "--peers", action=argparse.BooleanOptionalAction, default=True, help="also run other extractors (yes)"
    )
    parser.add_argument("--rounds", type=positive, default=5, help="rounds, of which the best counts (5)")
    parser.add_argument("--sites", type=positive, default=4, help="sites of each set that pages are taken from (4)")
    parser.add_argument(
        "--page-sizes",
        type=_numbers,
        default=(10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000),
        help="characters of generated pages, with commas between",
    )
    parser.add_argument(
        "--site-counts", type=_numbers, default=(10, 100, 1_000), help="numbers of generated sites, with commas between"
    )
    parser.add_argument("--json", type=Path, default=RESULTS / "speed.json", metavar="FILE", help="where figures go")
    return parser


def _numbers(value: str) -> tuple[int, ...]:
    return tuple(positive(number) for number in value.split(","))


if __name__ == "__main__":
    sys.exit(main())

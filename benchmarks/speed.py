"""Time and memory of learning and cleaning, as multiples of lxml's parse + serialise of the same pages in the same run.

Milliseconds depend on the machine and its load; multiples hardly do. Times add up all threads. Where native code is
built, the work on pages is measured a second time without it, in a process of its own.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.buckets import cost_by_real_size
from benchmarks.corpus import CorpusError
from benchmarks.costs import SampledSite, fit_cost, measure_pages, sample_sites
from benchmarks.digest import digest_of
from benchmarks.growth import cost_by_rows, cost_by_sites, cost_by_size
from benchmarks.memory import memory_of_sites
from benchmarks.native import is_native, without_native
from benchmarks.peers import asked_peers, load_peers
from benchmarks.speed_report import report
from benchmarks.tables import RESULTS, environment, names, positive, write_json
from scrapy_blockfilter.methods import METHOD_NAMES


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    # The clock does not see the time of other processes.
    versions, missing = asked_peers(options.peers, by_node=False)
    corpus = options.corpus if options.corpus and options.corpus.exists() else None
    if corpus is None:
        print(f"Generated pages: {f'{options.corpus} does not exist' if options.corpus else 'no corpus was named'}.")
    try:
        sites = sample_sites(corpus, options.sites)
    except CorpusError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    if not sites:
        parser.exit(2, f"{parser.prog}: {options.corpus} has no site with enough pages\n")
    main_method = options.methods[-1] if "consensus" not in options.methods else "consensus"
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
        "sites": [site.name for site in sites],
        "native": native,
        **page_costs(sites, options.methods, tuple(versions), main_method, options.rounds),
        "without_native": without_native(page_costs, sites, (main_method,), (), main_method, options.rounds)
        if native
        else None,
        "memory": memory_of_sites([[page.html for page in site.learnt] for site in sites], options.methods),
        "by_size": cost_by_size(options.page_sizes, options.methods, options.rounds),
        "by_rows": cost_by_rows(options.rows, options.methods),
        "by_sites": cost_by_sites(options.site_counts),
        "method": main_method,
    }
    print(report(results))
    write_json(options.json, results)
    return 0


def page_costs(
    sites: Sequence[SampledSite], methods: Sequence[str], peers: Sequence[str], main_method: str, rounds: int
) -> dict[str, Any]:
    """Measure the work on pages, and return its costs: over all pages, of fitting, and by size of page."""
    watch = measure_pages(sites, methods, load_peers(peers), rounds)
    return {
        "cost": {name: watch.cost(name) for name in watch.names() if not name.startswith("learn: fit")},
        "fit": {method: fit_cost(watch, sites, method) for method in methods},
        "by_real_size": cost_by_real_size(watch, sites, main_method),
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument("corpus", type=Path, nargs="?", help="a folder of <set>/<site>.jsonl.gz (generated pages)")
    parser.add_argument("--methods", type=names(METHOD_NAMES), default=METHOD_NAMES, help="methods (all)")
    parser.add_argument(
        "--peers", action=argparse.BooleanOptionalAction, default=True, help="also run other extractors (yes)"
    )
    parser.add_argument("--rounds", type=positive, default=5, help="rounds; the best one counts (5)")
    parser.add_argument("--sites", type=positive, default=4, help="sites of each set to take pages from (4)")
    parser.add_argument(
        "--page-sizes",
        type=_numbers,
        default=(10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000),
        help="comma-separated sizes of generated pages, in characters",
    )
    parser.add_argument(
        "--rows",
        type=_numbers,
        default=(25, 50, 100),
        help="comma-separated numbers of near-equal rows of generated pages",
    )
    parser.add_argument(
        "--site-counts", type=_numbers, default=(10, 100, 400), help="comma-separated numbers of generated sites"
    )
    parser.add_argument(
        "--json", type=Path, default=RESULTS / "speed.json", metavar="FILE", help="file for the figures"
    )
    return parser


def _numbers(value: str) -> tuple[int, ...]:
    return tuple(positive(number) for number in value.split(","))


if __name__ == "__main__":
    sys.exit(main())

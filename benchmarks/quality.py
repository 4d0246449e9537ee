"""Precision, recall and F1 of the methods, and of other extractors in the same run.

Protocol: learn from the first N pages of a site in the order of its file, without their gold, and clean all its pages.
Score bags of tokens against gold; take the mean over the pages of a site, then over the sites of a set. The harm by
:mod:`benchmarks.harm` is printed beside it.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from benchmarks.arguments import add_arguments
from benchmarks.corpus import MIN_PAGES, CorpusError, choose_sites, find_sites
from benchmarks.evaluate import Job, SiteResult, evaluate
from benchmarks.harm import MEASURES, Harm
from benchmarks.peers import asked_peers
from benchmarks.scoring import mean
from benchmarks.tables import environment, names, share, table, write_json
from benchmarks.workers import mapped
from scrapy_blockfilter.methods import METHOD_NAMES

HARM_NOTE = (
    "Harm on all pages: the share of pages with recall under .5 and under .8, and the shares kept of the prices, "
    "attribute values, headings and headlines in the gold."
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    versions, missing = asked_peers(options.peers)
    try:
        sites, left_out = choose_sites(find_sites(options.corpus, options.sets), options.limit)
        jobs = [Job(site, options.methods, tuple(versions), options.pages) for site in sites]
        evaluated = list(mapped(evaluate, jobs, options.processes))
    except CorpusError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    if not evaluated:
        parser.exit(2, f"{parser.prog}: {options.corpus} has no site of at least {MIN_PAGES} pages\n")
    sets = {name: summary(list(group)) for name, group in groupby(evaluated, lambda result: result.set_name)}
    print(report(sets, versions, left_out, options.pages))
    protocol = {"pages_to_learn_from": options.pages, "sites_left_out": left_out}
    results = {"environment": environment(), "peers": versions, "missing": missing, "protocol": protocol, "sets": sets}
    write_json(options.json, results)
    return 0


def summary(results: Sequence[SiteResult]) -> dict[str, Any]:
    """Return the results of a set: means over its sites, and each site's own."""
    extractors: dict[str, dict[str, Any]] = {}
    for name in results[0].results:
        own = [result.results[name] for result in results]
        extractors[name] = {
            **mean(result.score for result in own)._asdict(),
            "failures": sum(result.failures for result in own),
            "unchanged": dict(sum((Counter(result.unchanged) for result in own), Counter())),
            "harm": sum((result.harm for result in own), Harm()).as_json(),
        }
    return {
        "sites": len(results),
        "pages": sum(result.pages for result in results),
        "results": extractors,
        "by_site": [result.as_json() for result in results],
    }


def report(sets: dict[str, Any], versions: dict[str, str], left_out: dict[str, int], pages: int) -> str:
    """Return the results as text for people."""
    lines = [f"Learnt from the first {pages} pages of each site.", "", scores_table(sets, versions)]
    lines += ["", HARM_NOTE, "", harm_table(harm_of(sets), versions)]
    if left_out:
        lines += ["", f"Sites of fewer than {MIN_PAGES} pages, left out: {_counted(left_out.items())}."]
    return "\n".join([*lines, *exceptions(sets)])


def exceptions(sets: dict[str, Any]) -> list[str]:
    """Return lines about pages on which an extractor raised, or which it left unchanged."""
    lines = (_exceptions(name, what, sets) for what in ("failures", "unchanged") for name in _extractors(sets))
    return [line for line in lines if line]


def scores_table(sets: dict[str, Any], versions: dict[str, str]) -> str:
    """Return a table of precision, recall and F1 by set."""
    rows = [["sites, pages", *(f"{of['sites']}, {of['pages']}" for of in sets.values())]]
    rows += [
        [
            f"{name} {versions.get(name, '')}".strip(),
            *(
                " ".join(share(of["results"][name][measure]) for measure in ("precision", "recall", "f1"))
                for of in sets.values()
            ),
        ]
        for name in _extractors(sets)
    ]
    return table(["precision, recall, F1", *sets], rows)


def harm_table(harm: Mapping[str, Harm], versions: Mapping[str, str]) -> str:
    """Return a table of each extractor's harm in shares; the first row has the totals."""
    first = next(iter(harm.values()))
    counts = [first.pages, first.pages, *(kept.of for kept in (first.prices, first.values, first.headings))]
    rows = [["of", *map(str, (*counts, first.headline.of))]]
    rows += [
        [
            f"{name} {versions.get(name, '')}".strip(),
            *("" if value is None else share(value) for value in of.shares.values()),
        ]
        for name, of in harm.items()
    ]
    return table(["harm", *MEASURES], rows)


def harm_of(sets: dict[str, Any]) -> dict[str, Harm]:
    """Sum each extractor's harm over all sets."""
    return {
        name: sum((Harm.from_json(of["results"][name]["harm"]) for of in sets.values()), Harm())
        for name in _extractors(sets)
    }


def _extractors(sets: dict[str, Any]) -> list[str]:
    return list(next(iter(sets.values()))["results"])


def _exceptions(name: str, what: str, sets: dict[str, Any]) -> str:
    if what == "failures":
        raised = [(set_name, of["results"][name]["failures"]) for set_name, of in sets.items()]
        counted = _counted((set_name, count) for set_name, count in raised if count)
        return f"{name} raised, pages: {counted}." if counted else ""
    reasons = sum((Counter(of["results"][name]["unchanged"]) for of in sets.values()), Counter[str]())
    return f"{name} left unchanged, pages: {_counted(reasons.items())}." if reasons else ""


def _counted(counts: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality", description=__doc__)
    parser.add_argument("--methods", type=names(METHOD_NAMES), default=METHOD_NAMES, help="methods (all)")
    usual = ("corpus", "--sets", "--peers", "--pages", "--limit", "--processes")
    add_arguments(parser, *usual, figures="quality.json")
    return parser


if __name__ == "__main__":
    sys.exit(main())

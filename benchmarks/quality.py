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
from benchmarks.intervals import interval
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
    print(report(sets, versions, f"Learnt from the first {options.pages} pages of each site."))
    if left_out:
        print(f"Sites of fewer than {MIN_PAGES} pages, left out: {_counted(left_out.items())}.")
    protocol = {"pages_to_learn_from": options.pages, "sites_left_out": left_out}
    results = {"environment": environment(), "peers": versions, "missing": missing, "protocol": protocol, "sets": sets}
    write_json(options.json, results)
    return 0


def summary(results: Sequence[SiteResult]) -> dict[str, Any]:
    """Return the results of a group of sites: means over them, with the interval of F1, and each site's own."""
    extractors: dict[str, dict[str, Any]] = {}
    for name in results[0].results:
        own = [result.results[name] for result in results]
        extractors[name] = {
            **mean(result.score for result in own)._asdict(),
            "interval": interval([[result.score.f1 for result in own]]),
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


def report(groups: Mapping[str, Any], versions: Mapping[str, str], title: str) -> str:
    """Return the results of some groups as text for people: scores, harm, and what went wrong."""
    lines = [title, "", scores_table(groups, versions), "", HARM_NOTE, "", harm_table(harm_of(groups), versions)]
    wrong = (_exceptions(name, what, groups) for what in ("failures", "unchanged") for name in _extractors(groups))
    return "\n".join([*lines, *filter(None, wrong)])


def scores_table(groups: Mapping[str, Any], versions: Mapping[str, str]) -> str:
    """Return a table of precision, recall and F1 by group, the interval of F1 over sites behind it."""
    rows = [["sites, pages", *(f"{of['sites']}, {of['pages']}" for of in groups.values())]]
    for name in _extractors(groups):
        cells = [_scores(of["results"][name]) for of in groups.values()]
        rows.append([f"{name} {versions.get(name, '')}".strip(), *cells])
    return table(["precision, recall, F1", *groups], rows)


def _scores(of: Mapping[str, Any]) -> str:
    scores = " ".join(share(of[measure]) for measure in ("precision", "recall", "f1"))
    return f"{scores} ({'–'.join(map(share, of['interval']))})"


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


def harm_of(sets: Mapping[str, Any]) -> dict[str, Harm]:
    """Sum each extractor's harm over all groups."""
    return {
        name: sum((Harm.from_json(of["results"][name]["harm"]) for of in sets.values()), Harm())
        for name in _extractors(sets)
    }


def _extractors(sets: Mapping[str, Any]) -> list[str]:
    return list(next(iter(sets.values()))["results"])


def _exceptions(name: str, what: str, sets: Mapping[str, Any]) -> str:
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

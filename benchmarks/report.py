"""The README's figures of the default method: F1 and harm on sites used neither to train it nor to choose its steps.

Protocol: learn from the first N pages of a site in the order of its file, without their gold, and clean all its pages.
Score bags of tokens against gold; take the mean over the pages of a site, then over the sites of a group. The harm by
:mod:`benchmarks.harm` is printed beside it. The sites are those of part ``report`` of all corpora
(:mod:`benchmarks.parts`), which decides nothing: no size, threshold or step is chosen by the figures printed here.
``--part choose`` prints the same for the part that may decide, ``--values`` also the shares of benchmarks.values.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from benchmarks import values
from benchmarks.arguments import add_arguments, refusing
from benchmarks.corpus import MIN_PAGES, choose_sites, corpus_digest, find_sites
from benchmarks.evaluate import SiteResult, evaluate
from benchmarks.harm import MEASURES, Harm
from benchmarks.intervals import interval
from benchmarks.kinds import group_of, in_order
from benchmarks.parts import sites_of
from benchmarks.peers import asked_peers
from benchmarks.scoring import mean
from benchmarks.tables import environment, names, share, table, write_json
from benchmarks.unshipped import STRIPS, about_weights, rows_of
from benchmarks.workers import mapped

HARM_NOTE = (
    "Harm on all pages: the share of pages with recall under .5 and under .8, and the shares kept of the prices, "
    "attribute values, headings and headlines in the gold."
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    versions, missing = asked_peers(options.peers)
    with refusing(parser):
        every = [site for corpus in options.corpora for site in find_sites(corpus)]
        chosen = choose_sites(sites_of(options.part, options.corpora), options.limit)
        rows = rows_of(options.strips, options.pages)
        work = partial(evaluate, rows=rows, network=options.weights, peers=tuple(versions))
        evaluated = list(mapped(work, chosen, options.processes))
        kept = None
        if options.values:
            known = values.sites_of(options.values, options.corpora, options.part)
            kept = values.measure(known, options.part, rows, options.weights, tuple(versions), options.processes)
        weights = about_weights(every, options.part, options.weights)
    if not evaluated:
        parser.exit(2, f"{parser.prog}: the part {options.part} has no site of at least {MIN_PAGES} pages\n")
    figures = {name: summary(group) for name, group in by_group(evaluated).items()}
    title = f"On the part {options.part}, learnt from the first {options.pages} pages of each site."
    print(report(figures, versions, title))
    if kept:
        print(f"\n{values.report(kept, versions)}")
    results = {
        "environment": environment(),
        "peers": versions,
        "missing": missing,
        "corpus": corpus_digest(chosen),
        "weights": weights,
        "part": options.part,
        "protocol": {"pages_to_learn_from": options.pages, "strips": options.strips},
        "groups": figures,
        **({"values": kept} if kept else {}),
    }
    write_json(options.json, results)
    return 0


def by_group(results: Sequence[SiteResult]) -> dict[str, list[SiteResult]]:
    """Group the results by group of sites, in the order of the tables."""
    groups: dict[str, list[SiteResult]] = {}
    for result in results:
        groups.setdefault(group_of(result.set_name, result.kind), []).append(result)
    return {name: groups[name] for name in in_order(groups)}


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
    return "\n".join([*lines, *(line for name in _extractors(groups) for line in _exceptions(name, groups))])


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
    things = (first.prices, first.values, first.headings, first.headline)
    rows = [["of", *map(str, (first.pages, first.pages, *(kept.of for kept in things)))]]
    for name, of in harm.items():
        shares = ("" if value is None else share(value) for value in of.shares.values())
        rows.append([f"{name} {versions.get(name, '')}".strip(), *shares])
    return table(["harm", *MEASURES], rows)


def harm_of(groups: Mapping[str, Any]) -> dict[str, Harm]:
    """Sum each extractor's harm over all groups."""
    return {
        name: sum((Harm.from_json(of["results"][name]["harm"]) for of in groups.values()), Harm())
        for name in _extractors(groups)
    }


def _extractors(groups: Mapping[str, Any]) -> list[str]:
    return list(next(iter(groups.values()))["results"])


def _exceptions(name: str, groups: Mapping[str, Any]) -> Iterator[str]:
    raised = [f"{group} {count}" for group, of in groups.items() if (count := of["results"][name]["failures"])]
    if raised:
        yield f"{name} raised, pages: {', '.join(raised)}."
    reasons = sum((Counter(of["results"][name]["unchanged"]) for of in groups.values()), Counter[str]())
    if reasons:
        yield f"{name} left unchanged, pages: {', '.join(f'{reason} {count}' for reason, count in reasons.items())}."


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.report", description=__doc__)
    parser.add_argument(
        "--strips", type=names(STRIPS), default=("boilerplate",), help="values of BLOCKFILTER_STRIP (boilerplate)"
    )
    usual = ("corpora", "--values", "--weights", "--part", "--peers", "--pages", "--limit", "--processes")
    add_arguments(parser, *usual, figures="report.json")
    return parser


if __name__ == "__main__":
    sys.exit(main())

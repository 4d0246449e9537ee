"""The learning curve: F1 of the default method by the number of pages learnt, next to extractors that learn nothing.

Protocol: as in benchmarks.quality, for each number of pages, by the groups of benchmarks.report. A site with fewer
pages is learnt from all of them. Sites are named whose F1 with ten pages is far from that with one. With ``--values``
the values kept are measured likewise, by :mod:`benchmarks.values`. With the networks of a cross-validation, each site
is judged by weights trained without it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import values
from benchmarks.arguments import add_options
from benchmarks.chart import METHOD, chart
from benchmarks.corpus import MIN_PAGES, CorpusError, Site, find_sites
from benchmarks.digest import corpus_digest
from benchmarks.evaluate import Job, SiteResult, evaluate
from benchmarks.kinds import group_of, in_order
from benchmarks.parts import PARTS, sites_of
from benchmarks.peers import asked_peers
from benchmarks.scoring import Score, mean
from benchmarks.tables import environment, names, positive, share, table, write_json
from benchmarks.unshipped import about_weights, evaluate_network, network_without
from benchmarks.workers import mapped

COUNTS = (1, 2, 3, 5, 10, 20)
PEERS = ("trafilatura", "readability-lxml", "resiliparse")
# Sites whose F1 falls or rises by as much between these numbers of pages are told.
CHANGE, FEW, MANY = 0.05, 1, 10
SVG = Path(__file__).parent.parent / "docs" / "learning-curve.svg"


@dataclass(frozen=True)
class SiteCurve:
    """A site's scores by the number of pages learnt, and the scores of the peers, which do not learn."""

    group: str
    site: str
    pages: int
    scores: dict[int, Score]
    peers: dict[str, Score]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    versions, _ = asked_peers(options.peers, PEERS)
    try:
        every = [site for corpus in options.corpora for site in find_sites(corpus, options.sets)]
        of_part = sites_of(options.part, options.corpora) if options.part else every
        sites = [site for site in of_part if site.has_enough_pages()]
        work = partial(curve_of, counts=options.counts, peers=tuple(versions), networks=options.networks)
        curves = list(_curves(work, sites, options.processes))
        kept = _values_kept(options) if options.values else None
        digest, weights = corpus_digest(sites), about_weights(every, options.part, options.networks)
    except CorpusError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    if not curves:
        parser.exit(2, f"{parser.prog}: there is no site of at least {MIN_PAGES} pages\n")
    groups = in_order({curve.group for curve in curves})
    sets = {name: summary([curve for curve in curves if curve.group == name]) for name in groups}
    print(report(sets, versions))
    if named := changed_sites(curves):
        print(f"\n{named}")
    if kept:
        print(f"\n{values.report(kept, {})}")
    results = {"environment": environment(), "corpus": digest, "weights": weights, "peers": versions, "sets": sets}
    results |= {"values": kept} if kept else {}
    write_json(options.json, results)
    options.svg.parent.mkdir(parents=True, exist_ok=True)
    options.svg.write_text(chart(sets, weights), encoding="utf-8", newline="\n")
    return 0


def curve_of(site: Site, counts: Sequence[int], peers: Sequence[str], networks: Path | None = None) -> SiteCurve:
    """Learn a site from each number of pages, and score all its pages each time.

    Args:
        networks: folder of the networks of a cross-validation by site; None for the shipped network.
    """

    def learn(number: int) -> SiteResult:
        if networks:
            return evaluate_network(site, network_without(site, networks), number)
        return evaluate(Job(site, (METHOD,), (), number))

    base = evaluate(Job(site, (), tuple(peers), 1))
    learnt: dict[int, Score] = {}
    for count in counts:
        # Numbers beyond the last page change nothing.
        number = min(count, base.pages)
        if number not in learnt:
            learnt[number] = learn(number).results[METHOD].score
    scores = {count: learnt[min(count, base.pages)] for count in counts}
    found = {name: result.score for name, result in base.results.items()}
    return SiteCurve(group_of(site.set_name, base.kind), site.name, base.pages, scores, found)


def summary(curves: Sequence[SiteCurve]) -> dict[str, Any]:
    """Return the results of a set: means over its sites, and each site's own."""
    counts, peers = curves[0].scores, curves[0].peers
    return {
        "sites": len(curves),
        "pages": sum(curve.pages for curve in curves),
        METHOD: {str(count): mean(curve.scores[count] for curve in curves)._asdict() for count in counts},
        "sites_of_so_many_pages": {str(count): sum(curve.pages >= count for curve in curves) for count in counts},
        "changed": {name: len(changed) for name, changed in changes(curves).items()},
        "peers": {name: mean(curve.peers[name] for curve in curves)._asdict() for name in peers},
        "by_site": [
            {
                "site": curve.site,
                "pages": curve.pages,
                METHOD: {str(count): score.f1 for count, score in curve.scores.items()},
                "peers": {name: score.f1 for name, score in curve.peers.items()},
            }
            for curve in curves
        ],
    }


def changes(curves: Sequence[SiteCurve]) -> dict[str, list[SiteCurve]]:
    """Return the sites that ``MANY`` pages leave worse by ``CHANGE`` than ``FEW``, and those that they make better.

    Without one of these numbers of pages nothing is returned.
    """
    if not {FEW, MANY} <= set(curves[0].scores):
        return {}
    gains = [(curve, round(curve.scores[MANY].f1 - curve.scores[FEW].f1, 9)) for curve in curves]
    return {
        "worse": [curve for curve, gain in gains if gain <= -CHANGE],
        "better": [curve for curve, gain in gains if gain >= CHANGE],
    }


def report(sets: dict[str, Any], versions: dict[str, str]) -> str:
    """Return the results as text for people."""
    first = next(iter(sets.values()))
    rows = [["sites, pages", *(f"{of['sites']}, {of['pages']}" for of in sets.values())]]
    rows += [
        [f"{METHOD}, N = {count}", *(share(of[METHOD][count]["f1"]) for of in sets.values())] for count in first[METHOD]
    ]
    rows += [
        [f"{name} {versions[name]}", *(share(of["peers"][name]["f1"]) for of in sets.values())]
        for name in first["peers"]
    ]
    most = list(first[METHOD])[-1]
    enough = sum(of["sites_of_so_many_pages"][most] for of in sets.values())
    total = sum(of["sites"] for of in sets.values())
    note = f"{enough} of {total} sites have {most} pages; each of the others is learnt from all its pages."
    lines = [f"F1 by the number N of pages learnt.\n\n{table(['F1', *sets], rows)}\n\n{note}"]
    if first["changed"]:
        lines += ["", changes_table(sets)]
    return "\n".join(lines)


def changes_table(sets: Mapping[str, Any]) -> str:
    """Return a table of how many sites have another F1 with many pages than with few, by group."""
    total = {name: sum(of["changed"][name] for of in sets.values()) for name in ("worse", "better")}
    rows = [
        [f"{name} by {share(CHANGE)}", *(str(of["changed"][name]) for of in sets.values()), str(total[name])]
        for name in total
    ]
    return table([f"sites at N = {MANY} beside N = {FEW}", *sets, "all"], rows)


def changed_sites(curves: Sequence[SiteCurve]) -> str:
    """Name the sites whose F1 is another with many pages than with few."""
    return "\n".join(
        f"{name}: {', '.join(map(_told, sorted(found, key=_gain)))}" for name, found in changes(curves).items() if found
    )


def _gain(curve: SiteCurve) -> float:
    return curve.scores[MANY].f1 - curve.scores[FEW].f1


def _told(curve: SiteCurve) -> str:
    return f"{curve.group}/{curve.site} {share(curve.scores[FEW].f1)} → {share(curve.scores[MANY].f1)}"


def _values_kept(options: argparse.Namespace) -> dict[str, Any]:
    sites = values.sites_of(options.values, options.corpora, options.part)
    work = partial(values.curve_of, counts=options.counts, networks=options.networks)
    enough = [site for site in sites if site.has_enough_pages()]
    found = values.groups(mapped(work, enough, options.processes), options.part)
    return {"corpus": corpus_digest(enough), "groups": {name: values.summary(of) for name, of in found.items()}}


def _curves(work: Callable[[Site], SiteCurve], sites: Sequence[Site], processes: int) -> Iterator[SiteCurve]:
    for number, curve in enumerate(mapped(work, sites, processes), 1):
        print(f"{number}/{len(sites)} {curve.group}/{curve.site}", file=sys.stderr, flush=True)
        yield curve


def _counts(value: str) -> tuple[int, ...]:
    return tuple(sorted({positive(number) for number in value.split(",")}))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.curve", description=__doc__)
    parser.add_argument(
        "corpora", type=Path, nargs="+", metavar="CORPUS", help="a folder of <set>/<site>.jsonl.gz, or one such file"
    )
    parser.add_argument("--values", type=Path, metavar="FOLDER", help="also measure values kept of these pages (no)")
    parser.add_argument("--part", choices=PARTS, help="only the sites of one part of the corpora (all)")
    parser.add_argument("--sets", type=names(), default=(), help="comma-separated sets of the corpus (all)")
    parser.add_argument("--counts", type=_counts, default=COUNTS, help="comma-separated numbers of pages to learn from")
    parser.add_argument(
        "--networks",
        type=Path,
        metavar="PATH",
        help="networks of a cross-validation by site, or one file of weights (the shipped weights)",
    )
    add_options(parser, "--peers", "--processes", figures="curve.json")
    parser.add_argument("--svg", type=Path, default=SVG, metavar="FILE", help="file for the picture (in docs)")
    return parser


if __name__ == "__main__":
    sys.exit(main())

"""The README's figures of the default method: F1 and harm on sites used neither to train it nor to choose its steps.

Protocol: as in benchmarks.quality, on part ``report`` of all sites of the corpora (:mod:`benchmarks.parts`). This part
decides nothing: no size, threshold or step is chosen by the figures printed here. ``--part choose`` prints the same for
the part that may decide. Only figures of groups of sites are printed, each F1 with its 95 % bootstrap interval over
sites. With ``--values`` it also tells which values stay, by :mod:`benchmarks.values`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import values
from benchmarks.arguments import add_arguments
from benchmarks.corpus import MIN_PAGES, CorpusError, Site, choose_sites, corpus_digest, find_sites
from benchmarks.evaluate import SiteResult, evaluate_peers, result_of_model
from benchmarks.harm import expected_of
from benchmarks.kinds import group_of, in_order, usual_kind
from benchmarks.parts import sites_of
from benchmarks.peers import asked_peers
from benchmarks.quality import report, summary
from benchmarks.tables import environment, names, write_json
from benchmarks.unshipped import STRIPS, about_weights, models_by_strip, network_for
from benchmarks.workers import mapped
from scrapy_blockfilter import OptionError
from scrapy_blockfilter.consensus.weights import WeightsError


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    versions, missing = asked_peers(options.peers)
    try:
        every = [site for corpus in options.corpora for site in find_sites(corpus)]
        chosen, _ = choose_sites(sites_of(options.part, options.corpora), options.limit)
        work = partial(
            evaluate_site, learnt=options.pages, strips=options.strips, networks=options.weights, peers=tuple(versions)
        )
        evaluated = list(mapped(work, chosen, options.processes))
        kept = _values(options, tuple(versions)) if options.values else None
        weights = about_weights(every, options.part, options.weights)
    except (CorpusError, OptionError, WeightsError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
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


def evaluate_site(
    site: Site, learnt: int, strips: Sequence[str], networks: Path | None, peers: Sequence[str]
) -> SiteResult:
    """Learn from the first pages of a site by each way to strip, clean all its pages, and measure quality and harm.

    Args:
        networks: as for :func:`benchmarks.unshipped.network_for`.
    """
    pages = site.pages()
    expected = expected_of(pages)
    models = models_by_strip(pages, learnt, strips, network_for(site, networks))
    results = {row: result_of_model(model, pages, expected) for row, model in models.items()}
    results.update(evaluate_peers(peers, pages, expected))
    return SiteResult(site.set_name, site.name, len(pages), min(learnt, len(pages)), results, usual_kind(pages))


def by_group(results: Sequence[SiteResult]) -> dict[str, list[SiteResult]]:
    """Group the results by group of sites, in the order of the tables."""
    groups: dict[str, list[SiteResult]] = {}
    for result in results:
        groups.setdefault(group_of(result.set_name, result.kind), []).append(result)
    return {name: groups[name] for name in in_order(groups)}


def _values(options: argparse.Namespace, peers: tuple[str, ...]) -> dict[str, Any]:
    sites = values.sites_of(options.values, options.corpora, options.part)
    return values.measure(sites, options.part, options.pages, options.strips, options.weights, peers, options.processes)


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

"""Cross-validation: what the default method reaches on sites that its weights were not trained on.

Each fold holds some sites back, trains on the others, and cleans the pages of those held back as a crawl does.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.corpus import MIN_PAGES, Site
from benchmarks.evaluate import SiteResult
from benchmarks.kinds import group_of, usual_kind
from benchmarks.parts import BUILD, CHOOSE, parts_of
from benchmarks.unshipped import FOLD_NAME, FOLDS, evaluate_network, fold_of, network_file
from benchmarks.workers import mapped
from scrapy_blockfilter import Options
from scrapy_blockfilter.consensus.network import read_network, write_network

# Pages of a site held back that it is learnt from, as a crawl does by default.
LEARNT = Options().pages


@dataclass(frozen=True)
class Fold:
    """``tested``: those of the sites held back that have enough pages to learn from."""

    name: str
    training: tuple[Site, ...]
    tested: tuple[Site, ...]


def folds_by_site(sites: Sequence[Site]) -> list[Fold]:
    """Every site is held back once."""
    return _with_tested(
        Fold(
            FOLD_NAME.format(number),
            tuple(site for site in sites if fold_of(site) != number),
            tuple(site for site in sites if fold_of(site) == number and site.has_enough_pages()),
        )
        for number in range(FOLDS)
    )


def folds_by_kind(sites: Sequence[Site]) -> list[Fold]:
    """Every kind of site is held back once, all of it, and so is every set of articles."""
    groups = {site: group_of(site.set_name, usual_kind(site.first_pages(MIN_PAGES))) for site in sites}
    return _with_tested(
        Fold(
            group,
            tuple(site for site in sites if groups[site] != group),
            tuple(site for site in sites if groups[site] == group and site.has_enough_pages()),
        )
        for group in sorted(set(groups.values()))
    )


def folds_by_part(sites: Sequence[Site]) -> list[Fold]:
    """Trained on the part to build with, tested on the part to choose by."""
    parts = parts_of(sites)
    training = tuple(site for site in sites if parts[site] == BUILD)
    tested = tuple(site for site in sites if parts[site] == CHOOSE and site.has_enough_pages())
    return _with_tested([Fold(CHOOSE, training, tested)])


def run_folds(
    folds: Sequence[Fold], seeds: Sequence[int], processes: int, folder: Path | None = None
) -> list[SiteResult]:
    """Train for each fold and clean what it holds back.

    Args:
        folder: where the networks are written, if they are wanted.
    """
    from research.training.training import label_sites, train

    labelled = label_sites(sorted_sites(folds), processes)
    results: list[SiteResult] = []
    for fold in folds:
        trained = train([labelled[site] for site in fold.training if site in labelled], seeds, processes)
        weights = write_network(trained, {"held_back": fold.name, "seeds": list(seeds)})
        if folder:
            network_file(folder, fold.name).write_bytes(weights)
        # As the package would load it: the numbers of a file of weights are shorter.
        work = partial(evaluate_network, network=read_network(weights), learnt=LEARNT)
        results += mapped(work, fold.tested, processes)
        print(f"held back: {fold.name}, {len(fold.tested)} sites", file=sys.stderr, flush=True)
    return results


def sorted_sites(folds: Sequence[Fold]) -> list[Site]:
    """All that the folds are trained on."""
    sites = {site for fold in folds for site in fold.training}
    return sorted(sites, key=lambda site: (site.set_name, site.name))


def _with_tested(folds: Iterable[Fold]) -> list[Fold]:
    return [fold for fold in folds if fold.tested]

"""Cross-validation: quality of the default method on sites that its weights were not trained on.

Each fold holds some sites back, trains on the others, and cleans the pages of the held-back sites as a crawl does.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.corpus import Site
from benchmarks.evaluate import SiteResult, evaluate
from benchmarks.parts import BUILD, CHOOSE, parts_of
from benchmarks.trained import write_network
from benchmarks.unshipped import FOLD_NAME, FOLDS, fold_of, network_file
from benchmarks.workers import mapped
from scrapy_blockfilter import Options
from scrapy_blockfilter.consensus import Consensus
from scrapy_blockfilter.consensus.weights import read_network

# Pages to learn from on a held-back site: the default of a crawl.
LEARNT = Options().pages


@dataclass(frozen=True)
class Fold:
    """A split of the sites. ``tested`` are the held-back sites with enough pages to learn from."""

    name: str
    training: tuple[Site, ...]
    tested: tuple[Site, ...]


def folds_by_site(sites: Sequence[Site]) -> list[Fold]:
    """Return folds that hold every site back once."""
    return _with_tested(
        Fold(
            FOLD_NAME.format(number),
            tuple(site for site in sites if fold_of(site) != number),
            tuple(site for site in sites if fold_of(site) == number and site.has_enough_pages()),
        )
        for number in range(FOLDS)
    )


def folds_by_part(sites: Sequence[Site]) -> list[Fold]:
    """Return the fold that trains on part ``build`` and tests on part ``choose``."""
    parts = parts_of(sites)
    training = tuple(site for site in sites if parts[site] == BUILD)
    tested = tuple(site for site in sites if parts[site] == CHOOSE and site.has_enough_pages())
    return _with_tested([Fold(CHOOSE, training, tested)])


def run_folds(
    folds: Sequence[Fold], seeds: Sequence[int], processes: int, folder: Path | None = None
) -> list[SiteResult]:
    """Train for each fold, and evaluate on the sites that it holds back.

    Args:
        folder: folder to write the networks to; None to write none.
    """
    from research.training.training import label_sites, small_sites, train

    labelled, made = label_sites(sorted_sites(folds), processes), small_sites()
    results: list[SiteResult] = []
    for fold in folds:
        trained = train([*(labelled[site] for site in fold.training if site in labelled), *made], seeds, processes)
        weights = write_network(trained, {"held_back": fold.name, "seeds": list(seeds)})
        if folder:
            network_file(folder, fold.name).write_bytes(weights)
        # As the package would load it: a file of weights has numbers of less precision.
        work = partial(evaluate, rows={Consensus.name: Options(pages=LEARNT)}, networks=read_network(weights))
        results += mapped(work, fold.tested, processes)
        print(f"held back: {fold.name}, {len(fold.tested)} sites", file=sys.stderr, flush=True)
    return results


def sorted_sites(folds: Sequence[Fold]) -> list[Site]:
    """Return the sites that the folds are trained on, sorted."""
    sites = {site for fold in folds for site in fold.training}
    return sorted(sites, key=lambda site: (site.set_name, site.name))


def _with_tested(folds: Iterable[Fold]) -> list[Fold]:
    return [fold for fold in folds if fold.tested]

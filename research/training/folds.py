"""Cross-validation: what the default method reaches on sites that its weights were not trained on.

Each fold holds some sites back, trains on the others, and cleans the pages of those held back as a crawl does.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.corpus import MIN_PAGES, CorpusError, CorpusPage, Site
from benchmarks.evaluate import SiteResult, result_of_model, usual_kind
from benchmarks.harm import expected_of
from benchmarks.kinds import group_of
from benchmarks.parts import BUILD, CHOOSE, parts_of
from benchmarks.workers import mapped
from scrapy_blockfilter import Options, SiteSample
from scrapy_blockfilter.consensus.method import Consensus
from scrapy_blockfilter.consensus.network import Network, read_network, write_network
from scrapy_blockfilter.hashing import hash64
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.known import Known
from scrapy_blockfilter.html.reading import segment_source
from scrapy_blockfilter.methods import Method
from scrapy_blockfilter.model import SiteModel, fit
from scrapy_blockfilter.sample import SAMPLE_GROWTH

FOLDS = 5
_FOLD_NAME = "fold-{}"
# Pages of a site held back that it is learnt from, as a crawl does by default.
LEARNT = Options().pages


@dataclass(frozen=True)
class Fold:
    """``tested``: those of the sites held back that have enough pages to learn from."""

    name: str
    training: tuple[Site, ...]
    tested: tuple[Site, ...]


def fold_of(site: Site) -> int:
    """The fold in which a site is held back. A site that several sets have is held back from all of them at once."""
    return hash64(site.name.encode()) % FOLDS


def folds_by_site(sites: Sequence[Site]) -> list[Fold]:
    """Every site is held back once."""
    return _with_tested(
        Fold(
            _FOLD_NAME.format(number),
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


def network_without(site: Site, networks: Path) -> Network:
    """The network that has not seen a site.

    Args:
        networks: the folder that a cross-validation by site wrote its networks to, or one file of weights, trained
            without a part that the site is in.

    Raises:
        CorpusError: it is not there.
    """
    file = networks if networks.is_file() else _file(networks, _FOLD_NAME.format(fold_of(site)))
    try:
        return read_network(file.read_bytes())
    except OSError as error:
        raise CorpusError(f"{file}, which a cross-validation by site writes, cannot be read: {error}") from error


def run_folds(
    folds: Sequence[Fold], seeds: Sequence[int], processes: int, folder: Path | None = None
) -> list[SiteResult]:
    """Train for each fold and clean what it holds back.

    Args:
        folder: where the networks are written, if they are wanted.
    """
    from benchmarks.training import label_sites, train

    labelled = label_sites(sorted_sites(folds), processes)
    results: list[SiteResult] = []
    for fold in folds:
        trained = train([labelled[site] for site in fold.training if site in labelled], seeds, processes)
        weights = write_network(trained, {"held_back": fold.name, "seeds": list(seeds)})
        if folder:
            _file(folder, fold.name).write_bytes(weights)
        # As the package would load it: the numbers of a file of weights are shorter.
        work = partial(evaluate_network, network=read_network(weights), learnt=LEARNT)
        results += mapped(work, fold.tested, processes)
        print(f"held back: {fold.name}, {len(fold.tested)} sites", file=sys.stderr, flush=True)
    return results


def sorted_sites(folds: Sequence[Fold]) -> list[Site]:
    """All that the folds are trained on."""
    sites = {site for fold in folds for site in fold.training}
    return sorted(sites, key=lambda site: (site.set_name, site.name))


def evaluate_network(site: Site, network: Network, learnt: int) -> SiteResult:
    """What :func:`benchmarks.evaluate.evaluate` tells of ``consensus``, with a network that has not been shipped."""
    return evaluate_unshipped(site, Consensus(network), Options(pages=learnt))


def evaluate_unshipped(site: Site, method: Method, options: Options) -> SiteResult:
    """The same of any method that is made of what has not been shipped."""
    learnt = options.pages
    pages = site.pages()
    result = result_of_model(model_of(pages[:learnt], method, options), pages, expected_of(pages))
    learnt = min(learnt, len(pages))
    return SiteResult(site.set_name, site.name, len(pages), learnt, None, {method.name: result}, usual_kind(pages))


def model_of(pages: Iterable[CorpusPage], method: Method, options: Options) -> SiteModel | None:
    """What a method learns from pages; None where none of them can be read."""
    known = Known()
    sample = SiteSample(SAMPLE_GROWTH * options.pages)
    for page in pages:
        try:
            segmented = segment_source(page.html, None, known)
        except UnfitPage:
            continue
        sample.add(hash64(page.html.encode("utf-8", "replace")), segmented)
    return fit(sample, options, known, method=method) if len(sample) else None


def _file(folder: Path, name: str) -> Path:
    return folder / f"{name.replace(', ', '-')}.bin"


def _with_tested(folds: Iterable[Fold]) -> list[Fold]:
    return [fold for fold in folds if fold.tested]

"""Cross-validation: what the default method reaches on sites that its weights were not trained on.

Each fold holds some sites back, trains on the others, and cleans the pages of those held back as a crawl does.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.corpus import CorpusError, CorpusPage, Site
from benchmarks.evaluate import Result, SiteResult
from benchmarks.scoring import mean, score, tokens
from scrapy_blockfilter import Options, SiteSample
from scrapy_blockfilter.evidence.network import Network, read_network, write_network
from scrapy_blockfilter.hashing import hash64
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.reading import segment_source
from scrapy_blockfilter.methods import Method
from scrapy_blockfilter.methods.consensus import Consensus
from scrapy_blockfilter.model import SiteModel, fit
from scrapy_blockfilter.sample import SAMPLE_GROWTH
from scrapy_blockfilter.terms import TermMaker

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

    def with_training(self, sites: Iterable[Site]) -> Fold:
        """The fold with more sites to train on."""
        return replace(self, training=(*self.training, *sites))


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


def folds_by_set(sites: Sequence[Site]) -> list[Fold]:
    """Every set that has sites of enough pages is held back once, with the same sites in other sets."""
    folds = []
    for set_name in sorted({site.set_name for site in sites}):
        tested = tuple(site for site in sites if site.set_name == set_name and site.has_enough_pages())
        names = {site.name for site in tested}
        training = tuple(site for site in sites if site.set_name != set_name and site.name not in names)
        folds.append(Fold(set_name, training, tested))
    return _with_tested(folds)


def network_without(site: Site, folder: Path) -> Network:
    """The network that a cross-validation by site, which wrote its networks to ``folder``, trained without the site.

    Raises:
        CorpusError: it is not there.
    """
    file = _file(folder, _FOLD_NAME.format(fold_of(site)))
    try:
        return read_network(file.read_text(encoding="ascii"))
    except OSError as error:
        raise CorpusError(f"{file}, which a cross-validation by site writes, cannot be read: {error}") from error


def run_folds(folds: Sequence[Fold], seeds: Sequence[int], folder: Path | None = None) -> list[SiteResult]:
    """Train for each fold and clean what it holds back.

    Args:
        folder: where the networks are written, if they are wanted.
    """
    from benchmarks.training import label_site, train

    labelled = {site: label_site(site) for site in sorted_sites(folds)}
    results = []
    for fold in folds:
        trained = train([labelled[site] for site in fold.training if labelled[site].views], seeds)
        weights = write_network(trained, {"held_back": fold.name, "seeds": list(seeds)})
        if folder:
            _file(folder, fold.name).write_text(weights, encoding="ascii")
        # As the package would load it: the numbers of a file of weights are shorter.
        network = read_network(weights)
        results += [evaluate_network(site, network, LEARNT) for site in fold.tested]
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
    gold = [tokens(page.gold) for page in pages]
    if model := model_of(pages[:learnt], method, options):
        cleaned = [model.clean(page.html) for page in pages]
        scores = [score(tokens(page.text), right) for page, right in zip(cleaned, gold, strict=True)]
        result = Result(mean(scores), unchanged=dict(Counter(page.unchanged for page in cleaned if page.unchanged)))
    else:
        result = Result(mean(score(Counter(), right) for right in gold), failures=len(pages))
    return SiteResult(site.set_name, site.name, len(pages), min(learnt, len(pages)), None, {method.name: result})


def model_of(pages: Iterable[CorpusPage], method: Method, options: Options) -> SiteModel | None:
    """What a method learns from pages; None where none of them can be read."""
    terms = TermMaker()
    sample = SiteSample(SAMPLE_GROWTH * options.pages)
    for page in pages:
        try:
            segmented = segment_source(page.html, None, terms)
        except UnfitPage:
            continue
        sample.add(hash64(page.html.encode("utf-8", "replace")), segmented)
    return fit(sample, options, terms, method=method) if len(sample) else None


def _file(folder: Path, name: str) -> Path:
    return folder / f"{name}.json"


def _with_tested(folds: Iterable[Fold]) -> list[Fold]:
    return [fold for fold in folds if fold.tested]

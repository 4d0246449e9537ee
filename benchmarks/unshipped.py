"""Quality of methods that do not ship: made of other weights or trees."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from benchmarks.corpus import CorpusError, CorpusPage, Site
from benchmarks.evaluate import SiteResult, result_of_model
from benchmarks.harm import expected_of
from benchmarks.kinds import usual_kind
from scrapy_blockfilter import Options, SiteSample
from scrapy_blockfilter.consensus import network
from scrapy_blockfilter.consensus.method import Consensus
from scrapy_blockfilter.consensus.network import Network, read_network
from scrapy_blockfilter.hashing import hash64
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.known import Known
from scrapy_blockfilter.html.reading import segment_source
from scrapy_blockfilter.methods import Method
from scrapy_blockfilter.model import SiteModel, fit
from scrapy_blockfilter.sample import SAMPLE_GROWTH

WEIGHTS = Path(network.__file__).with_name("weights.bin")
# A cross-validation by site holds each back once, in one of so many folds.
FOLDS = 5
FOLD_NAME = "fold-{}"


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


def fold_of(site: Site) -> int:
    """The fold in which a site is held back. A site that several sets have is held back from all of them at once."""
    return hash64(site.name.encode()) % FOLDS


def network_without(site: Site, networks: Path) -> Network:
    """The network that has not seen a site.

    Args:
        networks: the folder that a cross-validation by site wrote its networks to, or one file of weights, trained
            without a part that the site is in.

    Raises:
        CorpusError: it is not there.
    """
    file = networks if networks.is_file() else network_file(networks, FOLD_NAME.format(fold_of(site)))
    try:
        return read_network(file.read_bytes())
    except OSError as error:
        raise CorpusError(f"{file}, which a cross-validation by site writes, cannot be read: {error}") from error


def evaluate_network(site: Site, network: Network, learnt: int) -> SiteResult:
    """What :func:`benchmarks.evaluate.evaluate` tells of ``consensus``, with a network that has not been shipped."""
    return evaluate_unshipped(site, Consensus(network), Options(pages=learnt))


def network_file(folder: Path, name: str) -> Path:
    return folder / f"{name.replace(', ', '-')}.bin"

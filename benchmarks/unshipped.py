"""Quality of methods with weights or trees other than the shipped ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.corpus import CorpusError, CorpusPage, Site
from benchmarks.digest import corpus_digest
from benchmarks.evaluate import SiteResult, result_of_model
from benchmarks.harm import expected_of
from benchmarks.kinds import usual_kind
from scrapy_blockfilter import Options, SiteSample
from scrapy_blockfilter.consensus import weights
from scrapy_blockfilter.consensus.method import Consensus
from scrapy_blockfilter.consensus.network import Network
from scrapy_blockfilter.consensus.weights import load_network, read_network
from scrapy_blockfilter.hashing import hash64
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.methods import Method
from scrapy_blockfilter.model import SiteModel, fit
from scrapy_blockfilter.sample import SAMPLE_GROWTH

# Values of BLOCKFILTER_STRIP.
STRIPS = ("boilerplate", "safe", "template")
WEIGHTS = Path(weights.__file__).with_name("weights.bin")
# A cross-validation by site has this many folds, and holds each site back in one of them.
FOLDS = 5
FOLD_NAME = "fold-{}"


def evaluate_unshipped(site: Site, method: Method, options: Options) -> SiteResult:
    """Evaluate a method that does not ship, as :func:`benchmarks.evaluate.evaluate` does."""
    learnt = options.pages
    pages = site.pages()
    result = result_of_model(model_of(pages[:learnt], method, options), pages, expected_of(pages))
    learnt = min(learnt, len(pages))
    return SiteResult(site.set_name, site.name, len(pages), learnt, None, {method.name: result}, usual_kind(pages))


def model_of(pages: Iterable[CorpusPage], method: Method, options: Options) -> SiteModel | None:
    """Learn a site's model by a method; None if no page can be read."""
    reader = Reader(options)
    sample = SiteSample(SAMPLE_GROWTH * options.pages)
    for page in pages:
        try:
            segmented = reader.read(page.html)
        except UnfitPage:
            continue
        sample.add(hash64(page.html.encode("utf-8", "replace")), segmented)
    return fit(sample, reader, method=method) if len(sample) else None


def models_by_strip(
    pages: Sequence[CorpusPage], learnt: int, strips: Sequence[str], weights: bytes | None
) -> dict[str, SiteModel | None]:
    """Learn from the first pages of a site by each way to strip, by the name of the row in tables.

    Args:
        strips: values of ``BLOCKFILTER_STRIP``.
        weights: weights of the network that scores; None for the shipped network.
    """
    network = load_network() if weights is None else read_network(weights)
    return {
        row_name(strip): model_of(pages[:learnt], Consensus(network), Options(pages=learnt, strip=strip))
        for strip in strips
    }


def row_name(strip: str) -> str:
    """Return the name of the table row for a value of ``BLOCKFILTER_STRIP``."""
    return Consensus.name if strip == Options().strip else f"{Consensus.name}, {strip}"


def fold_of(site: Site) -> int:
    """Return the fold in which a site is held back. A site that is in several sets is held back from all at once."""
    return hash64(site.name.encode()) % FOLDS


def network_without(site: Site, networks: Path) -> Network:
    """Load a network that was trained without a site.

    Args:
        networks: the folder of networks of a cross-validation by site, or one file of weights, trained without the
            site's part.

    Raises:
        CorpusError: the file is missing.
    """
    file = networks if networks.is_file() else network_file(networks, FOLD_NAME.format(fold_of(site)))
    try:
        return read_network(file.read_bytes())
    except OSError as error:
        raise CorpusError(f"{file}, which a cross-validation by site writes, cannot be read: {error}") from error


def about_weights(sites: Sequence[Site], part: str | None, networks: Path | None) -> str:
    """Say how weights were trained: on sites they were trained with, figures are better than on new sites.

    Args:
        sites: all sites of the corpora.
        part: the part of them that is judged; None for all.
        networks: as for :func:`network_without`; None for the shipped weights.
    """
    if networks and networks.is_dir():
        return "trained without the site they judge"
    whose = "of a file" if networks else "as shipped"
    about = json.loads((networks or WEIGHTS).read_bytes().partition(b"\n")[0])["about"]
    if about.get("corpus") != corpus_digest(sites):
        return whose
    held_out = part and about.get("held_out") == part
    return f"{whose}, trained without these sites" if held_out else f"{whose}, trained on these sites too"


def evaluate_network(site: Site, network: Network, learnt: int) -> SiteResult:
    """Evaluate ``consensus`` with a network that does not ship, as :func:`benchmarks.evaluate.evaluate` does."""
    return evaluate_unshipped(site, Consensus(network), Options(pages=learnt))


def network_file(folder: Path, name: str) -> Path:
    return folder / f"{name.replace(', ', '-')}.bin"

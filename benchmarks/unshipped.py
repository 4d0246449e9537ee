"""Quality of the default method with weights other than the shipped ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.corpus import CorpusError, CorpusPage, Site, corpus_digest
from benchmarks.evaluate import SiteResult, result_of_model
from benchmarks.harm import expected_of
from benchmarks.kinds import usual_kind
from scrapy_blockfilter import Options, SiteModel, SiteSample
from scrapy_blockfilter.consensus import Consensus, Network, load_network, weights
from scrapy_blockfilter.consensus.weights import read_network
from scrapy_blockfilter.html import Reader, UnfitPage
from scrapy_blockfilter.model import fit
from scrapy_blockfilter.sample import SAMPLE_GROWTH
from scrapy_blockfilter.storable import hash64

# Values of BLOCKFILTER_STRIP.
STRIPS = ("boilerplate", "safe", "template")
WEIGHTS = Path(weights.__file__).with_name("weights.bin")
# A cross-validation by site has this many folds, and holds each site back in one of them.
FOLDS = 5
FOLD_NAME = "fold-{}"


def evaluate_network(site: Site, network: Network, learnt: int) -> SiteResult:
    """Evaluate ``consensus`` with a network that does not ship, as :func:`benchmarks.evaluate.evaluate` does."""
    pages = site.pages()
    model = model_of(pages[:learnt], network, Options(pages=learnt))
    results = {Consensus.name: result_of_model(model, pages, expected_of(pages))}
    return SiteResult(site.set_name, site.name, len(pages), min(learnt, len(pages)), results, usual_kind(pages))


def model_of(pages: Iterable[CorpusPage], network: Network, options: Options) -> SiteModel | None:
    """Learn a site's model with a network; None if no page can be read."""
    reader = Reader(options)
    sample = SiteSample(SAMPLE_GROWTH * options.pages)
    for page in pages:
        try:
            segmented = reader.read(page.html)
        except UnfitPage:
            continue
        sample.add(hash64(page.html.encode("utf-8", "replace")), segmented)
    return fit(sample, reader, method=Consensus(network)) if len(sample) else None


def models_by_strip(
    pages: Sequence[CorpusPage], learnt: int, strips: Sequence[str], network: Network
) -> dict[str, SiteModel | None]:
    """Learn from the first pages of a site by each value of ``BLOCKFILTER_STRIP``, by the name of the row in tables."""
    return {
        Consensus.name if strip == Options().strip else f"{Consensus.name}, {strip}": model_of(
            pages[:learnt], network, Options(pages=learnt, strip=strip)
        )
        for strip in strips
    }


def fold_of(site: Site) -> int:
    """Return the fold in which a site is held back. A site that is in several sets is held back from all at once."""
    return hash64(site.name.encode()) % FOLDS


def network_for(site: Site, networks: Path | None) -> Network:
    """Load the network that judges a site.

    Args:
        networks: a file of weights, or the folder of networks of a cross-validation by site, of which the one counts
            that was trained without the site; None for the shipped network.

    Raises:
        CorpusError: the file is missing.
        WeightsError: the weights are of another release.
    """
    if networks is None:
        return load_network()
    file = networks if networks.is_file() else network_file(networks, FOLD_NAME.format(fold_of(site)))
    try:
        return read_network(file.read_bytes())
    except OSError as error:
        raise CorpusError(f"{file}, which training writes, cannot be read: {error}") from error


def about_weights(sites: Sequence[Site], part: str | None, networks: Path | None) -> str:
    """Say how weights were trained: on sites they were trained with, figures are better than on new sites.

    Args:
        sites: all sites of the corpora.
        part: the part of them that is judged; None for all.
        networks: as for :func:`network_for`.
    """
    if networks and networks.is_dir():
        return "trained without the site they judge"
    whose = "of a file" if networks else "as shipped"
    about = json.loads((networks or WEIGHTS).read_bytes().partition(b"\n")[0])["about"]
    if about.get("corpus") != corpus_digest(sites):
        return whose
    held_out = part and about.get("held_out") == part
    return f"{whose}, trained without these sites" if held_out else f"{whose}, trained on these sites too"


def network_file(folder: Path, name: str) -> Path:
    return folder / f"{name.replace(', ', '-')}.bin"

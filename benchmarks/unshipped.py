"""Models of the default method, also with weights other than the shipped ones."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.corpus import CorpusError, CorpusPage, Site, corpus_digest
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


def rows_of(strips: Sequence[str], learnt: int) -> dict[str, Options]:
    """Return the options for each value of ``BLOCKFILTER_STRIP``, by the name of its row in tables."""
    return {
        Consensus.name if strip == Options().strip else f"{Consensus.name}, {strip}": Options(pages=learnt, strip=strip)
        for strip in strips
    }


def model_of(pages: Sequence[CorpusPage], network: Network, options: Options) -> SiteModel | None:
    """Learn a site's model from its first pages with a network; None if none of them can be read."""
    reader = Reader(options)
    sample = SiteSample(SAMPLE_GROWTH * options.pages)
    for page in pages[: options.pages]:
        try:
            segmented = reader.read(page.html)
        except UnfitPage:
            continue
        sample.add(hash64(page.html.encode("utf-8", "replace")), segmented)
    return fit(sample, reader, method=Consensus(network)) if len(sample) else None


def network_for(network: Network | Path | None) -> Network:
    """Load the network that judges sites.

    Args:
        network: a network, or a file of weights; None for the shipped network.

    Raises:
        CorpusError: the file is missing.
        WeightsError: the weights are of another release.
    """
    if not isinstance(network, Path):
        return network or load_network()
    try:
        return read_network(network.read_bytes())
    except OSError as error:
        raise CorpusError(f"{network}, which training writes, cannot be read: {error}") from error


def about_weights(sites: Sequence[Site], part: str, network: Path | None) -> str:
    """Say how weights were trained: on sites they were trained with, figures are better than on new sites.

    Args:
        sites: all sites of the corpora.
        part: the part of them that is judged.
        network: a file of weights; None for the shipped ones.
    """
    whose = "of a file" if network else "as shipped"
    about = json.loads((network or WEIGHTS).read_bytes().partition(b"\n")[0])["about"]
    if about.get("corpus") != corpus_digest(sites):
        return whose
    is_held_out = part in (about.get("held_out") or "").split()
    return f"{whose}, trained {'without these sites' if is_held_out else 'on these sites too'}"

"""Evidence and scores in native code, where it is built; in Python otherwise.

Features, and all that is learnt, are equal to the last bit. Scores of pages not learnt from may differ by a millionth,
as sums are in another order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np

from scrapy_blockfilter._native import load
from scrapy_blockfilter.consensus.features import evidence as python
from scrapy_blockfilter.consensus.features.evidence import NAMES, Evidence
from scrapy_blockfilter.consensus.features.of_blocks import arrays_of
from scrapy_blockfilter.consensus.features.of_site import SiteStatistics
from scrapy_blockfilter.consensus.network import CONTEXTS, Network, SlotImpressions
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.class_hints import CONTAINERS, GROUPS
from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS, WIDTH
from scrapy_blockfilter.html.subtrees import Floats, Tree, finite_products

# The self-test compares scores with those of Python: the sums of float32 numbers differ by less.
_CLOSE = 1e-5


@lru_cache(1)
def built() -> ModuleType | None:
    """Return the native module, or None. The module is loaded and tested when it is first needed."""
    return load("scores", agrees)


def scores_are_native() -> bool:
    """Return whether native code computes evidence and scores, so that numpy multiplies no matrices."""
    return built() is not None


def evidence_of(page: Page, site: SiteStatistics) -> Evidence:
    """Return the features of the blocks of ``page`` on ``site``, whether the page was learnt from or not."""
    native = built()
    return python.evidence_of(page, site) if native is None else native_evidence(native, page, site)


def statistics_of(pages: Sequence[Page]) -> SiteStatistics:
    """Return the statistics of the pages learnt from."""
    return SiteStatistics(pages, built())


def learn(network: Network, pages: Sequence[Evidence], slots: int) -> tuple[SlotImpressions, list[Floats]]:
    """Return the impressions of a site's slots over the pages learnt from, and the scores of each page."""
    native = built()
    if native is None or not isinstance(network, Network):  # one that stands in for it, in tests
        return network.learn(pages, slots)
    return network.learn(pages, slots, native)


def scores_of(network: Network, page: Evidence, slots: SlotImpressions) -> Floats:
    """For each block of a page, return how likely it is content, from 0 to 1."""
    native = built()
    if native is None or not isinstance(network, Network):
        return network.scores(page, slots)
    return native_scores(native, network, page, slots)


@finite_products
def native_evidence(native: ModuleType, page: Page, site: SiteStatistics) -> Evidence:
    """Return the evidence of a page from a native module.

    Raises:
        ValueError: the arrays of the page or of the site do not fit each other.
    """
    matrix, tree, *others = native.evidence(arrays_of(page), site.arrays, len(GROUPS), len(CONTAINERS))
    return Evidence(matrix, Tree(*tree), page.weights, *others)


def native_scores(native: ModuleType, network: Network, page: Evidence, slots: SlotImpressions) -> Floats:
    """Return the scores of a page from a native module.

    Raises:
        ValueError: the arrays of the page, of the network or of the slots do not fit each other.
    """
    tree = page.tree
    scene = page.matrix, page.weights, tree.levels, page.headings, tree.starts, tree.ends, page.rows
    scores: Floats = native.scores(scene, network.layers(slots), len(slots.first))
    return scores


def agrees(native: ModuleType) -> bool:
    """Return whether a native module gives the features and scores of Python on a small site."""
    pages = [_page(number) for number in range(5)]
    site = SiteStatistics(pages[:4])
    network = _network()
    learnt = [python.evidence_of(page, site) for page in pages]
    slots, _ = network.learn(learnt[:4], site.slots)
    in_native, _ = network.learn(learnt[:4], site.slots, native)
    tables = SiteStatistics(pages[:4], native)
    of_site = (site.of_slots, tables.of_slots), (site.of_subtrees, tables.of_subtrees)
    if not all(np.array_equal(*pair) for pair in (*zip(slots, in_native, strict=True), *of_site)):
        return False
    for page, expected in zip(pages, learnt, strict=True):
        found = native_evidence(native, page, site)
        scores = native_scores(native, network, found, slots)
        if not np.array_equal(found.matrix, expected.matrix) or not np.array_equal(found.rows, expected.rows):
            return False
        if not np.allclose(scores, network.scores(expected, slots), rtol=0, atol=_CLOSE):
            return False
    return True


def _page(number: int) -> Page:
    """Return a page with blocks of its own, blocks that all pages have, and one that the page before has elsewhere."""
    numbers = (np.arange(8 * WIDTH, dtype=np.int64).reshape(8, WIDTH) * (number + 3)) % 97
    numbers[:, CHARS] += 2 * numbers[:, LINK_CHARS]
    keys = np.where(np.arange(8) % 3 == 0, np.arange(8), np.arange(8) + 100 * number).astype(np.int64)
    keys[5], keys[7] = 100 * number - 99, 1_000 + number % 4
    return Page(
        keys=keys,
        nodes=np.array([1, 2, 4, 4, 5, 6, 6, 7], np.int64),
        numbers=numbers,
        tags=["html", "title", "h1", "div", "p", "h2", "p", "p", "div"],
        parents=[-1, 0, 0, 0, 3, 3, 3, 0, 0],
        slots=np.array([1, 2, 3, 4, 5, 6, 5, 7 + number, 4], np.int64),
        tag_paths=np.array([1, 2, 3, 4, 5, 6, 5, 8, 4], np.int64),
        hints=[0, 0, 1, 2, 0, 4, 0, 1 << len(GROUPS), 0],
    )


def _network() -> Network:
    """Return a network with made-up weights."""

    def array(*shape: int) -> Floats:
        size = int(np.prod(shape))
        return np.sin(np.arange(size, dtype=np.float32)).reshape(shape)

    features, hidden, width = len(NAMES), 9, 3
    arrays: dict[str, Any] = {"mean": array(features), "scale": np.abs(array(features)) + 1}
    for name, shape in {
        "w1": (features, hidden),
        "b1": (hidden,),
        "we": (hidden, width),
        "be": (width,),
        "w2": (hidden + CONTEXTS * width, hidden),
        "b2": (hidden,),
        "wf": (hidden, width),
        "bf": (width,),
        "w3": (hidden + CONTEXTS * width, hidden),
        "b3": (hidden,),
        "w4": (hidden, 1),
        "b4": (1,),
    }.items():
        arrays[name] = array(*shape) / np.float32(10)
    return Network(**arrays)

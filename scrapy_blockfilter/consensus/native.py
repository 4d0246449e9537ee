"""Evidence and scores in native code, where it is built; in Python otherwise.

Features, and all that is learnt, are equal to the last bit. Scores of pages not learnt from may differ by a millionth,
as sums are in another order.
"""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType

import numpy as np

from scrapy_blockfilter._native import load
from scrapy_blockfilter.consensus.features.evidence import NAMES, evidence_of
from scrapy_blockfilter.consensus.features.of_site import SiteStatistics
from scrapy_blockfilter.consensus.network import CONTEXTS, Network
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.class_hints import GROUPS
from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS, WIDTH
from scrapy_blockfilter.html.subtrees import Floats

# The self-test compares scores with those of Python: the sums of float32 numbers differ by less.
_CLOSE = 1e-5


@lru_cache(1)
def built() -> ModuleType | None:
    """Return the native module, or None. The module is loaded and tested when it is first needed."""
    return load("scores", agrees)


def agrees(native: ModuleType) -> bool:
    """Return whether a native module gives the features and scores of Python on a small site."""
    pages = [_page(number) for number in range(5)]
    site = SiteStatistics(pages[:4])
    network = _network()
    learnt = [evidence_of(page, site) for page in pages]
    slots, _ = network.learn(learnt[:4], site.slots)
    in_native, _ = network.learn(learnt[:4], site.slots, native)
    tables = SiteStatistics(pages[:4], native)
    of_site = (site.of_slots, tables.of_slots), (site.of_subtrees, tables.of_subtrees)
    if not all(np.array_equal(*pair) for pair in (*zip(slots, in_native, strict=True), *of_site)):
        return False
    for page, expected in zip(pages, learnt, strict=True):
        found = evidence_of(page, site, native)
        scores = network.scores(found, slots, native)
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
    shapes: dict[str, tuple[int, ...]] = {"w1": (features, hidden), "b1": (hidden,), "w4": (hidden, 1), "b4": (1,)}
    for impression, look in (("e", "2"), ("f", "3")):
        shapes |= {f"w{impression}": (hidden, width), f"b{impression}": (width,)}
        shapes |= {f"w{look}": (hidden + CONTEXTS * width, hidden), f"b{look}": (hidden,)}
    arrays = {name: array(*shape) / np.float32(10) for name, shape in shapes.items()}
    return Network(mean=array(features), scale=np.abs(array(features)) + 1, **arrays)

"""Evidence and scores in native code, where it is built; in Python otherwise.

Features, and all that is learnt, are equal to the last bit. Scores of pages not learnt from may differ by a millionth,
as sums are in another order.
"""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType

import numpy as np

from scrapy_blockfilter._native import load
from scrapy_blockfilter.consensus.features.evidence import evidence_of
from scrapy_blockfilter.consensus.features.of_site import SiteStatistics
from scrapy_blockfilter.consensus.weights import load_network
from scrapy_blockfilter.html import Page, PageCaches, parse, segment

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
    network = load_network()
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
    """Return a page with texts of its own, texts that all pages have, and a text that the page before has elsewhere."""
    html = f"""<title>Page {number} of the harbour</title><nav class=menu><a href=/>Home</a>
<a href=/{number}>{number}</a><div>Text {number - 1}</div></nav>
<main id=text><h1>Page {number}</h1><p>{f"Ships, {number}, came in. " * 9}
<p>Text {number}<h2>Ships</h2><img src=harbour.jpg><p class=p{number}>$ {number}<li>3 May 2024<p>All came."""
    return segment(parse(html), PageCaches())

"""What a page shows below the element that holds its content: teasers, offers and notices that nothing else tells.

Each block speaks for or against its element with as many characters as it has; the element with most in its favour,
summed up the tree, is the one. To cut it out would lose content in several parts, and what leads to it, so only what
follows goes, and of that only what no score is sure of. F1 rises on daniel from .9442 to .9449, held back by site, on
dragnet from .9515 to .9529, on l3s-gn1 from .9814 to .9824, by set on modern from .9886 to .9893 (gaygamer.net by .031,
arstechnica.com by .021); on docs by set it falls by .0003, and no site of 118 loses more than .002. Of pages that are
alone of their site (`make bench-alone`) it rises on daniel from .905 to .910, on docs it falls from .948 to .947.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.evidence.own_text import own_text
from scrapy_blockfilter.evidence.tree import Floats, Tree, running_sums
from scrapy_blockfilter.html.columns import TITLE, PageColumns

Flags = npt.NDArray[np.bool_]

# A block speaks for its element from this score on; with .7 no set differs by .0002, held back by site or set.
_FOR = 0.6
# From this score on a block stays wherever it is. With .95 F1 on wcxb by site is .003 higher, on docs .0006 lower.
_SURE = 0.85
# The element has at least this share of what the page keeps, and a few sentences. With half F1 on docs is .0003 lower
# by set, with .7 that on l3s-gn1 .0017 by the weights that ship; with 300 characters that on dragnet is .0006 lower by
# set, and 1,000 leave docs by set as it is.
_MOST, _CONTENT = 0.6, 500
# A heading that agrees this much with the TITLE is the page's, wherever it stands.
_HEADLINE = 0.5


def below_content(page: PageColumns, tree: Tree, scores: Floats, keep: Flags) -> list[int]:
    """The kept blocks below the element with most of what a page keeps that are not sure to be content.

    Args:
        scores: of each block from 0 to 1, 0 for what is no part of the text.
        keep: which blocks stay so far by their scores.
    """
    weights = page.weights
    in_favour = running_sums(((scores - _FOR) * weights)[:, None])[:, 0]
    node = int(np.argmax(in_favour[tree.ends] - in_favour[tree.starts]))
    element = slice(int(tree.starts[node]), int(tree.ends[node]))
    inside = keep[element]
    if own_text(page)[element][inside].sum() < _CONTENT:
        return []
    if weights[element][inside].sum() < _MOST * weights[keep].sum():
        return []
    unsure = keep & (scores < _SURE) & (page.numbers[:, TITLE] <= _HEADLINE)
    unsure[: element.stop] = False
    return np.flatnonzero(unsure).tolist()

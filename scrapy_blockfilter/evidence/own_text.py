"""Text of its own: more than a label, and for the most part no link."""

from __future__ import annotations

import numpy as np

from scrapy_blockfilter.evidence.tree import Floats
from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS, PageColumns

# Less than this much of it is linked, and it is a line long, characters of scripts without spaces counted as three.
_LINKED, _LINE = 0.5, 80


def own_text(page: PageColumns) -> Floats:
    """Of each block the length of its text if it is one of its own, else 0."""
    is_linked = page.numbers[:, LINK_CHARS] >= _LINKED * np.maximum(page.numbers[:, CHARS], 1)
    return np.where(is_linked | (page.weights < _LINE), np.float32(0), page.weights)

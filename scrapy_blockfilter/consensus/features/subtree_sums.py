"""Sums over the blocks of a subtree, and the features made from them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS, IMAGES, LINK_CHARS, LINKS
from scrapy_blockfilter.html.subtrees import Floats
from scrapy_blockfilter.text.characters import COMMA, DIGIT, SENTENCE_END, UPPER

# Columns of the sums over a node's blocks.
(WEIGHT, LINKED, REPEATED, BLOCKS, ENDS, COMMAS, DIGITS, UPPERS, LINK_BLOCKS, PICTURES, ANCHORS, LONG) = range(12)
SUMS = 12
# A block of at least this weight is long: two lines of text.
LONG_BLOCK = 120

# Features made from the sums over a subtree.
SUBTREE = (
    *("weight", "share of page", "link density", "repeated", "weight of a block", "sentence ends", "commas", "digits"),
    *("upper case", "link blocks", "long blocks", "blocks", "images"),
)


def block_sums(page: Page, repeated: npt.NDArray[np.bool_]) -> Floats:
    """For each block, return the numbers to add up over nodes: shape (blocks, ``SUMS``)."""
    numbers, weights = page.numbers, page.weights
    linked = numbers[:, LINK_CHARS] * (weights / np.maximum(numbers[:, CHARS], 1))
    sums = np.empty((len(weights), SUMS), np.float32)
    sums[:, WEIGHT] = weights
    sums[:, LINKED] = linked
    sums[:, REPEATED] = weights * repeated
    sums[:, BLOCKS] = 1
    for place, kind in ((ENDS, SENTENCE_END), (COMMAS, COMMA), (DIGITS, DIGIT), (UPPERS, UPPER)):
        sums[:, place] = numbers[:, kind]
    sums[:, LINK_BLOCKS] = linked > 0.5 * weights
    sums[:, PICTURES] = numbers[:, IMAGES]
    sums[:, ANCHORS] = numbers[:, LINKS]
    sums[:, LONG] = weights >= LONG_BLOCK
    return sums


def of_subtrees(sums: Floats, share: npt.ArrayLike) -> Floats:
    """Compute the features ``SUBTREE`` from sums over nodes."""
    weight = np.maximum(sums[:, WEIGHT], np.float32(1e-9))
    blocks = np.maximum(sums[:, BLOCKS], np.float32(1e-9))
    features = side_by_side(
        len(sums),
        (
            np.log1p(sums[:, WEIGHT]),
            share,
            sums[:, LINKED] / weight,
            sums[:, REPEATED] / weight,
            np.log1p(sums[:, WEIGHT] / blocks),
            100 * sums[:, ENDS] / weight,
            100 * sums[:, COMMAS] / weight,
            sums[:, DIGITS] / weight,
            sums[:, UPPERS] / weight,
            sums[:, LINK_BLOCKS] / blocks,
            sums[:, LONG] / blocks,
            np.log1p(sums[:, BLOCKS]),
            sums[:, PICTURES] / blocks,
        ),
    )
    features[sums[:, WEIGHT] <= 0] = 0
    return features


def side_by_side(rows: int, columns: Sequence[npt.ArrayLike]) -> Floats:
    """Stack arrays or numbers as columns of a table."""
    table = np.empty((rows, len(columns)), np.float32)
    for place, column in enumerate(columns):
        table[:, place] = column
    return table

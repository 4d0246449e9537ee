"""Find tiles: short siblings like each other, whose parts share a verdict, and whose prices stay with the rest."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS, FIGURES
from scrapy_blockfilter.html.subtrees import Floats, Indices, Tree
from scrapy_blockfilter.html.tags import TABLE_TAGS
from scrapy_blockfilter.methods.base import Flags
from scrapy_blockfilter.text.characters import DIGIT
from scrapy_blockfilter.text.dates_and_prices import PRICED

# So many like siblings are rows of one thing, and not parts of a page that happen to have the same tags.
LEAST_ROWS = 3
# A price in no tile with a lower score is surely boilerplate. Prices score lower than other content.
_LEAST_PRICE = 0.01
# Characters for each digit: in a longer text, such as one on free delivery, a price is a detail.
_LONGEST_PRICE = 10
# Characters, with three for one of a script without spaces: parts of longer tiles differ.
_LONGEST_TILE = 600


class Tiles:
    """The tiles of a page: the smallest of like siblings that hold several blocks. Like siblings share a tag path."""

    def __init__(self, page: Page, tree: Tree) -> None:
        self._page, self._tree = page, tree
        self._has_text = page.numbers[:, CHARS] > 0
        self._is_price = page.numbers[:, FIGURES] == PRICED
        sizes = tree.ends - tree.starts
        _, paths = np.unique(page.tag_paths, return_inverse=True)
        _, self._runs = np.unique(np.array(page.parents, np.int64) * len(paths) + paths, return_inverse=True)
        is_tile = (np.bincount(self._runs, sizes > 0)[self._runs] >= LEAST_ROWS) & (sizes > 1)
        of_nodes, found = [-1] * len(paths), is_tile.tolist()
        for node in (np.flatnonzero(sizes[1:]) + 1).tolist():  # all but the root
            of_nodes[node] = node if found[node] else of_nodes[page.parents[node]]
        self._of_blocks = np.array(of_nodes, np.int64)[page.nodes]

    def prices(self, keep: Flags, scores: Floats) -> Flags:
        """Mark prices in no tile that may be content, and the prices of tiles that keep anything else."""
        is_price, numbers, tiles = self._is_price, self._page.numbers, self._of_blocks
        if not is_price.any():
            return np.zeros_like(keep)
        beside = np.bincount(tiles + 1, keep & ~is_price)[tiles + 1]
        is_short = numbers[:, CHARS] <= _LONGEST_PRICE * numbers[:, DIGIT]
        stays = is_price & is_short & np.where(tiles < 0, scores >= _LEAST_PRICE, beside > 0)
        return np.asarray(stays & ~keep, np.bool_)

    def uneven(self, keep: Flags, *, stay: bool) -> Flags:
        """Mark the blocks whose verdict is not that of half of the same parts, or more, of the tiles like theirs.

        Args:
            stay: whether the parts are to stay; prices go with their tiles, and cells of rows with their tables.
        """
        is_part, parts = self._is_part, self._parts
        if keep[is_part].all():
            return np.zeros_like(keep)
        count, kept = np.bincount(parts, is_part)[parts], np.bincount(parts, is_part & keep)[parts]
        if stay:
            return np.asarray(is_part & (2 * kept >= count) & ~keep, np.bool_)
        tags = self._page.tags
        are_cells = np.array([tags[tile] in TABLE_TAGS for tile in self._of_blocks.tolist()], np.bool_)
        return np.asarray(is_part & (2 * kept < count) & keep & ~self._is_price & ~are_cells, np.bool_)

    @cached_property
    def _parts(self) -> Indices:
        """For each block, the number of its part: the same slot and place in tiles like each other."""
        page, tiles = self._page, self._of_blocks
        _, slots = np.unique(page.slots[page.nodes], return_inverse=True)
        _, slots = np.unique(self._runs[tiles] * len(slots) + slots, return_inverse=True)
        places = np.arange(len(slots)) - self._tree.starts[tiles]
        parts: Indices
        _, parts = np.unique(np.where(tiles < 0, -1, slots * len(slots) + places), return_inverse=True)
        return parts

    @cached_property
    def _is_part(self) -> Flags:
        """Mark the texts of short tiles, if there are several like each."""
        tiles, parts = self._of_blocks, self._parts
        weights = np.append(0, np.cumsum(self._page.weights))
        weight = weights[self._tree.ends[tiles]] - weights[self._tree.starts[tiles]]
        is_part = (tiles >= 0) & (weight <= _LONGEST_TILE) & self._has_text
        return np.asarray(is_part & (np.bincount(parts, is_part)[parts] >= LEAST_ROWS), np.bool_)

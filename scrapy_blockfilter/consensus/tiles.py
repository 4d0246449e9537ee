"""Find tiles: short siblings like each other, whose parts share a verdict, and whose prices stay with the rest."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from scrapy_blockfilter.consensus.columns import numbers_of_rows, sums_before
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS, FIGURES
from scrapy_blockfilter.html.subtrees import Floats, Indices, Tree
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
        self._is_price = page.numbers[:, FIGURES] == PRICED
        self._of_blocks = np.full(len(page.keys), -1, np.int64)
        parents, sizes = np.array(page.parents, np.int64), tree.ends - tree.starts
        # Most elements have too few siblings, or such of one block alone: the rest is looked at.
        around, count = parents[1:], len(parents)
        has_rows = np.bincount(around, sizes[1:] > 0, count) >= LEAST_ROWS
        has_rows &= np.bincount(around, sizes[1:] > 1, count) > 0
        siblings = 1 + np.flatnonzero(has_rows[around] & (sizes[1:] > 0))
        self._runs = np.full(count, -1, np.int64)
        if not len(siblings):
            return
        self._runs[siblings] = runs = numbers_of_rows(page.tag_paths[siblings], parents[siblings])
        tiles = siblings[(np.bincount(runs)[runs] >= LEAST_ROWS) & (sizes[siblings] > 1)]
        for tile, start, end in np.stack((tiles, tree.starts[tiles], tree.ends[tiles]), axis=1).tolist():
            self._of_blocks[start:end] = tile  # those in it come later

    def prices(self, keep: Flags, scores: Floats) -> list[int]:
        """Return prices in no tile that may be content, and the prices of tiles that keep anything else."""
        is_price, numbers, tiles = self._is_price, self._page.numbers, self._of_blocks
        if not is_price.any():
            return []
        beside = np.bincount(tiles + 1, keep & ~is_price)[tiles + 1]
        is_short = numbers[:, CHARS] <= _LONGEST_PRICE * numbers[:, DIGIT]
        stays = is_price & is_short & np.where(tiles < 0, scores >= _LEAST_PRICE, beside > 0)
        return np.flatnonzero(stays & ~keep).tolist()

    def uneven(self, keep: Flags) -> list[int]:
        """Return the stripped blocks whose part stays in half of the tiles like theirs, or more."""
        blocks, runs = self._texts
        in_run, staying = np.bincount(runs), np.bincount(runs, keep[blocks])
        is_mixed = ((staying > 0) & (staying < in_run))[runs]
        if not is_mixed.any():
            return []
        blocks, parts = self._parts(blocks[is_mixed], runs[is_mixed])
        kept = keep[blocks]
        count, staying = np.bincount(parts)[parts], np.bincount(parts, kept)[parts]
        found: list[int] = blocks[(2 * staying >= count) & ~kept].tolist()
        return found

    @cached_property
    def _texts(self) -> tuple[Indices, Indices]:
        """The texts of short tiles, and the number of the run of like siblings that each is in."""
        page, tree = self._page, self._tree
        blocks = np.flatnonzero((self._of_blocks >= 0) & (page.numbers[:, CHARS] > 0))
        tiles = self._of_blocks[blocks]
        (weights,) = sums_before(page.weights)
        is_short = weights[tree.ends[tiles]] - weights[tree.starts[tiles]] <= _LONGEST_TILE
        return blocks[is_short], self._runs[tiles[is_short]]

    def _parts(self, blocks: Indices, runs: Indices) -> tuple[Indices, Indices]:
        """Return the texts that have several like them, and the number of the part that each is.

        A part has the same slot and place in tiles like each other.
        """
        slots, places = self._page.slots[self._page.nodes[blocks]], blocks - self._tree.starts[self._of_blocks[blocks]]
        parts = numbers_of_rows(slots, runs, places)
        are_several = np.bincount(parts)[parts] >= LEAST_ROWS
        return blocks[are_several], parts[are_several]

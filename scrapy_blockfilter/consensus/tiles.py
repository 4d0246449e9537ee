"""Find tiles: short siblings like each other, whose parts share a verdict, and whose prices stay with the rest.

A tile is the smallest of like siblings that holds several blocks. Like siblings share a tag path.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from scrapy_blockfilter.consensus.case import Case, Change, Sums
from scrapy_blockfilter.consensus.features.of_site import numbers_of_rows
from scrapy_blockfilter.html.columns import CHARS, FIGURES, LINKS
from scrapy_blockfilter.html.subtrees import Indices
from scrapy_blockfilter.text.characters import DIGIT
from scrapy_blockfilter.text.dates_and_prices import PRICED

# So many like siblings are rows of one thing, and not parts of a page that happen to have the same tags.
LEAST_ROWS = 3
# A price with a lower score is surely boilerplate. Prices score lower than other content.
_LEAST_PRICE = 0.01
# Characters for each digit: in a longer text, such as one on free delivery, a price is a detail.
_LONGEST_PRICE = 10
# Characters, with three for one of a script without spaces: parts of longer tiles differ.
_LONGEST_TILE = 600


def like_parts(case: Case) -> Iterator[Change]:
    """Keep the parts of tiles that stay in half of the tiles like them, or more, and the prices of what stays."""
    if not case.is_mixed:
        return
    tiles, runs = _tiles(case)
    if alike := _uneven(case, tiles, runs):
        yield Change(alike, "the same part of most tiles like this one stays")
    if prices := _prices(case, tiles):
        yield Change(prices, "a price of what stays")


def _tiles(case: Case) -> tuple[Indices, Indices]:
    """Return the tile of each block, and the number of the run of like siblings that each node is in; -1 for none."""
    page, tree = case.page, case.tree
    of_blocks = np.full(len(page.keys), -1, np.int64)
    parents, sizes = np.array(page.parents, np.int64), tree.ends - tree.starts
    # Most elements have too few siblings, or such of one block alone: the rest is looked at.
    around, count = parents[1:], len(parents)
    has_rows = np.bincount(around, sizes[1:] > 0, count) >= LEAST_ROWS
    has_rows &= np.bincount(around, sizes[1:] > 1, count) > 0
    siblings = 1 + np.flatnonzero(has_rows[around] & (sizes[1:] > 0))
    of_nodes = np.full(count, -1, np.int64)
    if len(siblings):
        of_nodes[siblings] = runs = numbers_of_rows(page.tag_paths[siblings], parents[siblings])
        tiles = siblings[(np.bincount(runs)[runs] >= LEAST_ROWS) & (sizes[siblings] > 1)]
        for tile, start, end in np.stack((tiles, tree.starts[tiles], tree.ends[tiles]), axis=1).tolist():
            of_blocks[start:end] = tile  # those in it come later
    return of_blocks, of_nodes


def _prices(case: Case, tiles: Indices) -> list[int]:
    """Return prices that may be content, and the prices of tiles that keep anything else.

    A price in a tile with a link is another page's, unless the rest of the tile stays.
    """
    numbers = case.page.numbers
    is_price = numbers[:, FIGURES] == PRICED
    if not is_price.any():
        return []
    links, kept = (np.bincount(tiles + 1, of)[tiles + 1] for of in (numbers[:, LINKS] > 0, case.keep & ~is_price))
    is_short = numbers[:, CHARS] <= _LONGEST_PRICE * numbers[:, DIGIT]
    is_of_page = (case.scores >= _LEAST_PRICE) & ((tiles < 0) | (links == 0))
    stays = is_price & is_short & (is_of_page | ((tiles >= 0) & (kept > 0)))
    return np.flatnonzero(stays & ~case.keep).tolist()


def _uneven(case: Case, tiles: Indices, runs: Indices) -> list[int]:
    """Return the stripped texts of short tiles whose part stays in half of the tiles like theirs, or more.

    A part has the same slot and place in tiles like each other.
    """
    page, starts = case.page, case.tree.starts
    blocks = np.flatnonzero((tiles >= 0) & (page.numbers[:, CHARS] > 0))
    weights, tile = Sums({"weights": page.weights}).before("weights"), tiles[blocks]
    is_short = weights[case.tree.ends[tile]] - weights[starts[tile]] <= _LONGEST_TILE
    blocks, run = blocks[is_short], runs[tile[is_short]]
    in_run, staying = np.bincount(run), np.bincount(run, case.keep[blocks])
    is_mixed = ((staying > 0) & (staying < in_run))[run]
    if not is_mixed.any():
        return []
    blocks, run = blocks[is_mixed], run[is_mixed]
    parts = numbers_of_rows(page.slots[page.nodes[blocks]], run, blocks - starts[tiles[blocks]])
    kept = case.keep[blocks]
    count, staying = np.bincount(parts)[parts], np.bincount(parts, kept)[parts]
    found: list[int] = blocks[(count >= LEAST_ROWS) & (2 * staying >= count) & ~kept].tolist()
    return found

"""Find tiles: short siblings like each other, whose parts share a verdict: prices and times stay with the rest.

A tile is the smallest of like siblings that holds several blocks. Like siblings share a tag path.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from scrapy_blockfilter.consensus.case import Case, Change
from scrapy_blockfilter.consensus.features.of_site import numbers_of_rows
from scrapy_blockfilter.html.columns import CHARS, FIGURES, LINKS
from scrapy_blockfilter.html.subtrees import Indices, running_sums
from scrapy_blockfilter.methods.base import Flags
from scrapy_blockfilter.text.characters import DIGIT
from scrapy_blockfilter.text.dates_and_prices import DATED, PRICED

# So many like siblings are rows of one thing, and not parts of a page that happen to have the same tags.
LEAST_ROWS = 3
# A price with a lower score is surely boilerplate. Prices score lower than other content.
_LEAST_PRICE = 0.01
# Characters for each digit: in a longer text, such as one on free delivery, a price is a detail.
_LONGEST_PRICE = 10
# Characters of a time of day, with its end and a word or two.
_LONGEST_TIME, _TIME = 20, re.compile(r"\d:\d\d")
# A row with a lower score is surely boilerplate, and a longer one is prose.
_LEAST_ROW, _LONGEST_ROW = 0.02, 120
# Characters, with three for one of a script without spaces: parts of longer tiles differ.
_LONGEST_TILE = 600


def like_parts(case: Case) -> Iterator[Change]:
    """Keep the parts of tiles that stay in half of the tiles like them, or more, and prices and times of what stays."""
    page, stripped = case.page, ~case.keep & case.has_text
    slots, figures = page.slots[page.nodes], page.numbers[:, FIGURES]
    has_alike = not set(slots[case.keep].tolist()).isdisjoint(slots[stripped].tolist())
    has_prices = case.is_mixed and 1 in (stripped & (figures & PRICED > 0)).tobytes()
    may_be_times = stripped & (figures & DATED > 0) & (page.numbers[:, CHARS] <= _LONGEST_TIME) & ~case.is_linked
    has_times = case.is_mixed and 1 in may_be_times.tobytes()
    if not (has_alike or has_prices or has_times):
        return
    tiles, runs = _tiles(case)
    if has_alike and (alike := _uneven(case, tiles, runs)):
        yield Change(alike, "the same part of most tiles like this one stays")
    if has_prices and (prices := _prices(case, tiles)):
        yield Change(prices, "a price of what stays")
    if has_times and (times := _times(case, tiles, may_be_times)):
        yield Change(times, "the time of what stays")


def rows(case: Case) -> Iterator[Change]:
    """Keep the rest of rows of values, siblings alike of one short text each, if most of them stay; of cells, half."""
    may_stay = ~case.keep & ~case.is_linked & case.has_text & (case.scores > _LEAST_ROW)
    if not case.is_mixed or 1 not in may_stay.tobytes():
        return
    (children, around), tree, page = case.children, case.tree, case.page
    is_row = (tree.ends[children] - tree.starts[children] == 1).nonzero()[0]
    if len(is_row) < LEAST_ROWS:
        return
    blocks = tree.starts[children[is_row]]
    is_cell = np.fromiter((page.tags[node] == "td" for node in children[is_row].tolist()), np.bool_)
    is_valued = is_cell | (page.numbers[blocks, DIGIT] > 0)
    runs = numbers_of_rows(page.tag_paths[children[is_row]], around[is_row])
    count, staying, valued, short = (
        np.bincount(runs, marks)[runs]
        for marks in (None, case.keep[blocks], is_valued, page.weights[blocks] <= _LONGEST_ROW)
    )
    # Half of the cells will do: a row of a table is worthless in parts.
    is_most = 2 * staying + is_cell > count
    are_rows = (count >= LEAST_ROWS) & (short == count) & (2 * valued > count) & is_most
    yield Change(blocks[are_rows & may_stay[blocks]].tolist(), "most rows like this one stay")


def _tiles(case: Case) -> tuple[Indices, Indices]:
    """Return the tile of each block, and the number of the run of like siblings that each node is in; -1 for none."""
    children, around = case.children
    (starts, ends, _), is_large = case.ranges, case.tree.ends[children] - case.tree.starts[children] > 1
    of_blocks, of_nodes = np.full(len(case.keep), -1, np.int64), np.full(len(starts), -1, np.int64)
    # Most elements have too few children, or such of one block alone: the rest is looked at.
    has_rows = np.bincount(around, minlength=len(starts)) >= LEAST_ROWS
    has_rows &= np.bincount(around[is_large], minlength=len(starts)) > 0
    may_be = has_rows[around]
    siblings = children[may_be]
    of_nodes[siblings] = runs = numbers_of_rows(case.page.tag_paths[siblings], around[may_be])
    for tile in siblings[(np.bincount(runs)[runs] >= LEAST_ROWS) & is_large[may_be]].tolist():
        of_blocks[starts[tile] : ends[tile]] = tile  # those in it come later
    return of_blocks, of_nodes


def _prices(case: Case, tiles: Indices) -> list[int]:
    """Return prices that may be content, and the prices of tiles that keep anything else.

    A price in a tile with a link is another page's, unless the rest of the tile stays.
    """
    numbers = case.page.numbers
    is_price = numbers[:, FIGURES] & PRICED > 0
    links, kept = (np.bincount(tiles + 1, of)[tiles + 1] for of in (numbers[:, LINKS] > 0, case.keep & ~is_price))
    is_short = numbers[:, CHARS] <= _LONGEST_PRICE * numbers[:, DIGIT]
    is_of_page = (case.scores >= _LEAST_PRICE) & ((tiles < 0) | (links == 0))
    stays = is_price & is_short & (is_of_page | ((tiles >= 0) & (kept > 0)))
    return np.flatnonzero(stays & ~case.keep).tolist()


def _times(case: Case, tiles: Indices, may_be: Flags) -> list[int]:
    """Return the times of day, without a date, of tiles that keep anything else: a programme says when it begins.

    A time that most other pages have is of the template, such as opening hours.
    """
    kept = np.bincount(tiles + 1, case.keep)[tiles + 1]
    is_own = 2 * case.evidence.pages_with <= case.evidence.others
    found = np.flatnonzero(may_be & (tiles >= 0) & (kept > 0) & is_own & ~case.has_day).tolist()
    return [block for block in found if _TIME.search(case.page.texts[block])]


def _uneven(case: Case, tiles: Indices, runs: Indices) -> list[int]:
    """Return the stripped texts of short tiles whose part stays in half of the tiles like theirs, or more.

    A part has the same slot and place in tiles like each other.
    """
    page, tree = case.page, case.tree
    blocks = ((tiles >= 0) & case.has_text).nonzero()[0]
    tile, weights = tiles[blocks], running_sums(page.weights)
    is_short = weights[tree.ends[tile]] - weights[tree.starts[tile]] <= _LONGEST_TILE
    blocks, run = blocks[is_short], runs[tile[is_short]]
    in_run = np.bincount(run)
    staying = np.bincount(run[case.keep[blocks]], minlength=len(in_run))
    are_mixed = (staying > 0) & (staying < in_run)
    if 1 not in are_mixed.tobytes():
        return []
    is_mixed = are_mixed[run]
    blocks, run = blocks[is_mixed], run[is_mixed]
    parts = numbers_of_rows(page.slots[page.nodes[blocks]], run, blocks - tree.starts[tiles[blocks]])
    kept = case.keep[blocks]
    count, staying = np.bincount(parts)[parts], np.bincount(parts, kept)[parts]
    found: list[int] = blocks[(count >= LEAST_ROWS) & (2 * staying >= count) & ~kept].tolist()
    return found

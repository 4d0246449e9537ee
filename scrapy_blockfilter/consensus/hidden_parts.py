"""Find the hidden parts of blocks: a SPAN that no reader sees, amid text that readers see.

A hidden element with blocks of its own is a matter of verdicts: :mod:`scrapy_blockfilter.consensus.marked`. Readers see
a part with ``aria-hidden`` alone, so it stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from scrapy_blockfilter.consensus.marked import first_pieces, holders_of, is_hidden, is_unseen, staying_hidden
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS
from scrapy_blockfilter.html.page import IMAGE, TAIL
from scrapy_blockfilter.html.subtrees import Indices
from scrapy_blockfilter.text.dates_and_prices import LONGEST, PRICED, meaning_of_figures


def hidden_parts(page: Page, keep: Sequence[bool]) -> list[int]:
    """Return the places in ``page.pieces`` of hidden texts amid shown text of a kept block, which nothing shows.

    A price stays, because scripts choose one of several. Hidden text that is most of its block stays, too.
    """
    pieces, first = np.asarray(page.pieces), first_pieces(page)
    blocks = np.repeat(np.arange(len(first)), np.diff(page.ends, prepend=0))
    is_text = (pieces & 3 != IMAGE) & np.asarray(keep, np.bool_)[blocks]
    elements = page.elements_at(_with_text(page, pieces[is_text]))
    hidden = {place: element for place, element in elements.items() if is_unseen(element) and is_hidden(element)}
    outermost, outer = holders_of(page, list(hidden))
    if outer.max(initial=-1) < 0:
        return []
    has_shown = np.logical_or.reduceat(is_text & (outer < 0), first)
    amid = np.flatnonzero(is_text & (outer >= 0) & has_shown[blocks])
    staying = set(staying_hidden(hidden, np.unique(outermost[outer[amid]]).tolist()))
    gone = [piece for piece in amid.tolist() if outermost[outer[piece]] in staying]
    elements = page.elements_at((pieces[gone] >> 2).tolist())
    found = []
    for block, of_block in groupby(gone, key=blocks.__getitem__):
        parts = list(of_block)
        said = [(elements[page.pieces[piece] >> 2], page.pieces[piece] & 3) for piece in parts]
        text = " ".join("".join((of.tail if kind == TAIL else of.text) or "" for of, kind in said).split())
        if 2 * len(text) <= page.numbers[block, CHARS] and not meaning_of_figures(text[:LONGEST]) & PRICED:
            found += parts
    return found


def _with_text(page: Page, pieces: Indices) -> list[int]:
    """Return the places of the marked elements that have any of some pieces in them."""
    marked, places = np.asarray(page.marked), pieces >> 2
    holders = np.sort(np.where(pieces & 3 == TAIL, np.asarray(page.element_parents)[places], places))
    ends = np.asarray(page.element_ends)[marked]
    found: list[int] = marked[np.searchsorted(holders, marked) < np.searchsorted(holders, ends)].tolist()
    return found

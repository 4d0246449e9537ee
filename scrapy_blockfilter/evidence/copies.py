"""Passages that a page shows twice, as in a copy for printing, where its site does so on many pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.evidence.features import Evidence
from scrapy_blockfilter.html.columns import PageColumns

# A second passage has this much text, characters of scripts without spaces counted as three, and this share of the
# text that its page keeps. Of 1,392 pages 9 of one site, which has a copy for printing, show so much twice, and 5 of
# three others, of which gold has 2 both times. Manuals repeat hundreds of shorter passages, and gold has them.
_LEAST_TEXT, _LEAST_SHARE = 500, 0.2
# Shorter texts between those of a passage need not be the same.
_BETWEEN = 80
# On so many of the pages learnt from, and this share of them, a slot must hold a second passage to be one for copies.
_LEAST_PAGES, _SHARE_OF_PAGES = 3, 0.5


class CopySlots:
    """The slots of a site that show what stands on the page before.

    Args:
        pages: of each page learnt from its columns, its evidence, and which of its blocks are kept.
    """

    def __init__(self, pages: Iterable[tuple[PageColumns, Evidence, npt.NDArray[np.bool_]]]) -> None:
        on_pages: Counter[int] = Counter()
        count = 0
        for columns, evidence, keep in pages:
            count += 1
            on_pages.update({slot for _, slots in _second_passages(columns, evidence, keep) for slot in slots})
        least = max(_LEAST_PAGES, _SHARE_OF_PAGES * count)
        self._slots = frozenset(slot for slot, pages_with in on_pages.items() if pages_with >= least)

    def blocks_in(self, columns: PageColumns, evidence: Evidence, keep: npt.NDArray[np.bool_]) -> list[int]:
        """The kept blocks of a page that stand in such slots, as a passage that the page has before."""
        if not self._slots:
            return []
        passages = _second_passages(columns, evidence, keep)
        return [block for blocks, slots in passages if not self._slots.isdisjoint(slots) for block in blocks]


def _second_passages(
    columns: PageColumns, evidence: Evidence, keep: npt.NDArray[np.bool_]
) -> Iterator[tuple[list[int], set[int]]]:
    """Of each passage that a page keeps twice the blocks of its second place, and the slots around them that the first
    place is not in."""
    kept = np.flatnonzero(keep)
    weights = evidence.weights
    _, places, counts = columns.distinct_keys
    least = max(_LEAST_TEXT, _LEAST_SHARE * float(weights[kept].sum()))
    if weights[kept[counts[places[kept]] > 1]].sum() < least:
        return
    for blocks, before in _in_order_again(columns.keys[kept].tolist(), kept.tolist(), weights):
        if weights[blocks].sum() >= least:
            yield blocks, set(_slots_behind(columns, evidence, blocks, before))


def _in_order_again(
    keys: list[int], blocks: list[int], weights: npt.NDArray[np.float32]
) -> Iterator[tuple[list[int], int]]:
    """The runs of blocks whose texts have come before in the same order, each with the last of those before."""
    first: dict[int, int] = {}
    run: list[int] = []
    before = -1
    for key, block in zip(keys, blocks, strict=True):
        place = first.setdefault(key, block)
        is_new = place == block
        if is_new and weights[block] < _BETWEEN:
            continue
        if run and (is_new or place <= before):
            yield run, before
            run = []
        if is_new:
            before = -1
        else:
            run.append(block)
            before = place
    if run:
        yield run, before


def _slots_behind(columns: PageColumns, evidence: Evidence, blocks: list[int], before: int) -> Iterator[int]:
    """The slots of the nodes around some blocks that start behind the block ``before``."""
    seen: set[int] = set()
    for block in blocks:
        node = int(columns.nodes[block])
        while node not in seen and evidence.tree.starts[node] > before:
            seen.add(node)
            yield int(columns.slots[node])
            node = columns.parents[node]

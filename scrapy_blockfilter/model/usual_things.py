"""Know which things nearly all pages of a layout have, by slot, and find those that a page lacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS, FIGURES, IMAGES
from scrapy_blockfilter.methods.base import Flags
from scrapy_blockfilter.storable.array_bytes import ArrayReader, Values
from scrapy_blockfilter.text.dates_and_prices import DATED, PRICED

# Texts show whether a page is like others. Only the things before them are watched.
KINDS = ("price", "image", "date", "table", "text")
_WATCHED = range(4)
_TABLE, _TEXT = 3, 4
# Nearly all pages: nine of ten. Fewer than five show nothing.
_NEARLY_ALL, _LEAST_PAGES = 0.9, 5
# A layout with things in more slots names its elements anew on each page.
_MOST_SLOTS = 500
# The column of each kind that is no table, and the bits that count.
_COLUMNS = {0: (FIGURES, PRICED), 1: (IMAGES, -1), 2: (FIGURES, DATED), _TEXT: (CHARS, -1)}
_TABLES = frozenset({"table"})

# The slots with things, by kind.
_Slots = Sequence[frozenset[int]]


class Thing(NamedTuple):
    """A kind of thing, and the slot that it is in."""

    kind: str
    slot: int


@dataclass(frozen=True)
class UsualThings:
    """The slots in which nearly all pages of a layout have things of their own, and those in which any has, by kind."""

    usual: _Slots
    known: _Slots

    @classmethod
    def of(cls, pages: Sequence[tuple[Page, Flags]]) -> UsualThings:
        """Return the things of different pages, each with marks of the blocks that most pages lack."""
        least = max(_LEAST_PAGES, _NEARLY_ALL * len(pages))
        usual, known = [], []
        for kind in range(len(KINDS)):
            found = chain.from_iterable(_slots_of(page, kind) for page, _ in pages) if kind in _WATCHED else ()
            known.append(frozenset(found))
            may_be_usual = len(pages) >= least and (known[kind] or kind not in _WATCHED)
            own_slots = (_slots_of(page, kind, own) for page, own in pages) if may_be_usual else ()
            counts = Counter(chain.from_iterable(own_slots))
            usual.append(frozenset(slot for slot, count in counts.items() if count >= least))
        is_named_anew = sum(map(len, known)) > _MOST_SLOTS
        nothing = [frozenset[int]()] * len(KINDS)
        return cls(nothing, nothing) if is_named_anew else cls(usual, known)

    @classmethod
    def restored(cls, state: ArrayReader) -> UsualThings:
        """Return the object with this :meth:`state`."""
        rows = (state.integers(name, None, 2).tolist() for name in ("usual", "known"))
        kinds = range(len(KINDS))
        return cls(*([frozenset(slot for kind, slot in of if kind == each) for each in kinds] for of in rows))

    def state(self) -> Values:
        both = {"usual": self.usual, "known": self.known}
        rows = {
            name: [(kind, slot) for kind, of in enumerate(slots) for slot in sorted(of)] for name, slots in both.items()
        }
        return {name: np.array(pairs, np.int64).reshape(-1, 2) for name, pairs in rows.items()}

    def lacking(self, page: Page) -> frozenset[Thing] | None:
        """Return the usual things that a page lacks; None if it is no page like those learnt from.

        A thing in a slot that no page had it in has moved there, and stands for all of its kind. A page is like those
        learnt from if it has text in at least half of the usual slots, besides those whose things it lacks.
        """
        lacking = set()
        for kind in _WATCHED:
            if self.usual[kind]:
                found = _slots_of(page, kind)
                if found <= self.known[kind]:
                    lacking |= {Thing(KINDS[kind], slot) for slot in self.usual[kind] - found}
        if lacking:
            others = self.usual[_TEXT] - {thing.slot for thing in lacking}
            if not others or 2 * len(others & _slots_of(page, _TEXT)) < len(others):
                return None
        return frozenset(lacking)


def _slots_of(page: Page, kind: int, marked: Flags | None = None) -> set[int]:
    """Return the slots in which the blocks of a page, or the marked ones, have a thing."""
    if kind == _TABLE and marked is None:
        return set(page.slots[page.nodes_of(_TABLES)].tolist())
    if kind == _TABLE:
        nodes = np.asarray(page.nearest(_TABLES), np.int64)[page.nodes[marked]]
        return set(page.slots[nodes[nodes >= 0]].tolist())
    column, bits = _COLUMNS[kind]
    flags = page.numbers[:, column] & bits > 0
    return set(page.slots[page.nodes[flags if marked is None else flags & marked]].tolist())

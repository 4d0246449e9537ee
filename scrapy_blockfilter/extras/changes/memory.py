"""Remember pages, for whatever keeps them.

A page has what it showed in the run that wrote it last, and what it had shown before. The first counts once that run
has come to its end. So nothing that a killed crawl had met counts as exported, and a page that a crawl meets twice is
compared with what stood before that crawl.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

import numpy as np

from scrapy_blockfilter.storable.hashing import hash64

# Keys kept of a page. A page of more items or chunks is remembered by part, and the others are told as new each time.
# One of more lines is remembered without them.
MOST_ITEMS, MOST_CHUNKS, MOST_LINES = 1_000, 8_000, 8_000
# How many items, chunks, and lines that stay; then all keys.
_HEAD = np.dtype((">u2", 3))
_KEY, _LINE = np.dtype(">i8"), np.dtype(">u4")


class Shown(NamedTuple):
    """The keys of what a page showed.

    Attributes:
        items: of the text of each item.
        chunks: of all chunks of its items.
        kept, gone: of its lines, if it has one item; empty if it has several, or too many lines.
    """

    items: frozenset[int] = frozenset()
    chunks: frozenset[int] = frozenset()
    kept: tuple[int, ...] = ()
    gone: frozenset[int] = frozenset()

    def merged(self, other: Shown) -> Shown:
        """Return what a page showed in several items."""
        if other.items <= self.items and other.chunks <= self.chunks:
            return self
        return Shown(self.items | other.items, self.chunks | other.chunks)

    def news(self, now: Shown) -> frozenset[int]:
        """Return the lines that came, and as ``~line`` those that went, wherever they stand and whether they stay.

        There are none if the lines of the one or the other are not known.
        """
        if not (self.kept and now.kept):
            return frozenset()
        before, after = self.gone.union(self.kept), now.gone.union(now.kept)
        return frozenset([*(after - before), *(~line for line in before - after)])

    def says_the_same(self, now: Shown, of_site: frozenset[int] = frozenset()) -> bool:
        """Return whether an item says what the page said.

        Another verdict on what the page had, or still has, is no change of the page. So a line is new if the page
        had it nowhere, and gone if it has it nowhere. Order counts among lines that stand nowhere but in the text.

        Args:
            of_site: those of the news that do not count, as they are the site's and not the page's.
        """
        if now.items <= self.items:
            return True
        if not (self.kept and now.kept):
            return False
        before, after = set(self.kept), set(now.kept)
        is_other = after - before - self.gone - of_site or before - after - now.gone - {~line for line in of_site}
        both = (before & after) - self.gone - now.gone
        return not is_other and _of(both, self.kept) == _of(both, now.kept)

    def told(self, now: Shown, of_site: frozenset[int]) -> Shown:
        """Return what is remembered of a page that says the same.

        Later crawls compare with what was told, and not with what is only judged otherwise. Lines of the site that
        came are remembered as stripped, and those that went are forgotten: they are no news a second time.
        """
        if now.items <= self.items:
            return now
        kept = tuple(line for line in self.kept if ~line not in of_site)
        return self._replace(kept=kept, gone=self.gone | (of_site & set(now.kept)))

    def to_bytes(self) -> bytes:
        items, chunks = sorted(self.items)[:MOST_ITEMS], sorted(self.chunks)[:MOST_CHUNKS]
        has_lines = len(self.kept) + len(self.gone) <= MOST_LINES
        kept, gone = (self.kept, sorted(self.gone)) if has_lines else ((), [])
        head = np.array([len(items), len(chunks), len(kept)], _HEAD.base)
        keys, lines = np.array([*items, *chunks], _KEY), np.array([*kept, *gone], _LINE)
        return head.tobytes() + keys.tobytes() + lines.tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> Shown:
        """Return what :meth:`to_bytes` has written.

        Raises:
            ValueError: it is something else.
        """
        items, chunks, kept = np.frombuffer(data, _HEAD.base, 3).tolist()
        begin = _HEAD.itemsize
        keys = np.frombuffer(data, _KEY, items + chunks, begin).tolist()
        lines = np.frombuffer(data[begin + len(keys) * _KEY.itemsize :], _LINE).tolist()
        if kept > len(lines):
            raise ValueError("fewer lines than it says")
        return cls(frozenset(keys[:items]), frozenset(keys[items:]), tuple(lines[:kept]), frozenset(lines[kept:]))


def _of(lines: set[int], kept: tuple[int, ...]) -> list[int]:
    return [line for line in kept if line in lines]


class Remembered(NamedTuple):
    """The memory of a page.

    Attributes:
        run: the run that wrote it last.
        now: what the page showed in that run.
        before: what it showed before; None if nobody had met it.
        place: a key of its site and text, by which its content is found under another address; 0 for several items.
    """

    run: int
    now: Shown
    before: Shown | None
    place: int = 0


def place_of(site: str, shown: Shown) -> int:
    """Return the key of a text on a site, 0 for several texts."""
    if len(shown.items) != 1:
        return 0
    (key,) = shown.items
    return hash64(f"{key}\n{site}".encode("utf-8", "surrogatepass"))


class Memory(Protocol):
    """Keep what pages have shown. Every method may raise :class:`scrapy_blockfilter.store.StoreError`."""

    def page(self, page: int) -> Remembered | None:
        """Return what is remembered of a page."""

    def pages_at(self, place: int) -> list[Remembered]:
        """Return a few pages of this place."""

    def is_finished(self, run: int) -> bool:
        """Return whether a run has come to its end."""

    def write(self, pages: Mapping[int, Remembered]) -> None:
        """Keep pages, each in place of what is remembered of it."""

    def finish(self, run: int) -> None:
        """Note that a run has come to its end, and forget what is too old."""

    def close(self) -> None:
        """Let go of the file or server."""

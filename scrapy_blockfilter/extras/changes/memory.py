"""Remember pages, for whatever keeps them.

A page has what it showed in the run that wrote it last, and what it had shown before. The first counts once that run
has come to its end. So nothing that a killed crawl had met counts as exported, and a page that a crawl meets twice is
compared with what stood before that crawl.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np

from scrapy_blockfilter.storable.hashing import hash64

# Keys kept of a page. A page of more items or chunks is remembered by part, and the others count as new each time. A
# page of more lines is remembered without its lines.
MOST_ITEMS, MOST_CHUNKS, MOST_LINES = 1_000, 8_000, 8_000
# How many items, chunks, and lines; then all keys.
_HEAD = np.dtype((">u2", 3))
_KEY = np.dtype(">i8")
# Added to the number of items. Release 0.3 did not add it, and its lines, kept and stripped, had other keys.
_BY_SLOT = 1 << 15
# The number of keys: a line among the news is its key and, times this, how many more there are of it.
KEYS = 1 << 64


class Shown(NamedTuple):
    """The keys of what a page showed once it was clean."""

    items: frozenset[int] = frozenset()  # of the text of each item
    chunks: tuple[int, ...] = ()  # of all chunks of its items, in order of their keys, as often as one item has them
    lines: tuple[int, ...] = ()  # of its text in their order, if it has one item; empty for several, or too many lines

    def merged(self, other: Shown) -> Shown:
        """Return what a page showed in several items."""
        if other == self or len(self.items) >= MOST_ITEMS:
            return self
        chunks = (Counter(self.chunks) | Counter(other.chunks)).elements()
        return Shown(self.items | other.items, tuple(sorted(chunks)[:MOST_CHUNKS]))

    def news(self, now: Shown) -> frozenset[int]:
        """Return the lines that came or went, each with how many more there are; none if either has no lines."""
        if not (self.lines and now.lines):
            return frozenset()
        more = Counter(now.lines)
        more.subtract(self.lines)
        return frozenset(count * KEYS + line for line, count in more.items() if count)

    def says_the_same(self, now: Shown, of_site: frozenset[int] = frozenset()) -> bool:
        """Return whether an item has the text or the lines that the page had. Lines of the site do not count."""
        if now.items <= self.items or not (self.lines and now.lines):
            return now.items <= self.items
        lines = {line % KEYS for line in of_site}
        before, after = ([line for line in shown.lines if line % KEYS not in lines] for shown in (self, now))
        return before == after

    def told(self, now: Shown) -> Shown:
        """Return what is remembered of a page that says the same.

        Its lines are those of now, so that the site's are no news a second time. Text and chunks stay as remembered.
        """
        return now if now.items <= self.items else self._replace(lines=now.lines)

    def to_bytes(self) -> bytes:
        head = np.array([len(self.items) + _BY_SLOT, len(self.chunks), len(self.lines)], _HEAD.base)
        return head.tobytes() + np.array([*sorted(self.items), *self.chunks, *self.lines], _KEY).tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> Shown:
        """Return what :meth:`to_bytes` or, without lines, release 0.3 has written; raise ValueError for other bytes."""
        items, chunks, lines = np.frombuffer(data, _HEAD.base, 3).tolist()
        is_by_slot, items = divmod(items, _BY_SLOT)
        keys = np.frombuffer(data, _KEY, items + chunks + lines * is_by_slot, _HEAD.itemsize).tolist()
        return cls(frozenset(keys[:items]), tuple(keys[items : items + chunks]), tuple(keys[items + chunks :]))


class Remembered(NamedTuple):
    """The memory of a page."""

    run: int  # the run that wrote it last
    now: Shown  # what the page showed in that run
    before: Shown | None  # what it showed before; None if nobody had met it
    place: int = 0  # a key of its site and text, to find its content under another address; 0 for several items


def place_of(site: str, shown: Shown) -> int:
    """Return the key of a text on a site, 0 for several texts."""
    if len(shown.items) != 1:
        return 0
    (key,) = shown.items
    return hash64(f"{key}\n{site}".encode("utf-8", "surrogatepass"))

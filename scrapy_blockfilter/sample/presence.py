"""Note on which pages each of many hashes occurs, in a few bytes per hash."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.html.subtrees import Indices
from scrapy_blockfilter.storable.array_bytes import ArrayReader, StateError, Values
from scrapy_blockfilter.storable.hashing import distinct

Hashes = npt.NDArray[np.int64]


class Presence:
    """The pages on which each of many hashes occurs.

    Attributes:
        hashes: sorted.
        bits: the pages of each hash; the last row is for unknown hashes.
    """

    __slots__ = ("_pages", "bits", "hashes")

    def __init__(self, pages: Sequence[Hashes]) -> None:
        pages = [*map(distinct, pages)]  # a page has most of its hashes many times
        self.hashes = distinct(np.concatenate([np.zeros(0, np.int64), *pages]))
        # The last row is empty: row -1 stands for an unknown hash.
        flags = np.zeros((len(self.hashes) + 1, len(pages)), np.uint8)
        for number, hashes in enumerate(pages):
            flags[self.hashes.searchsorted(hashes), number] = 1
        self._pages = len(pages)
        self.bits = np.packbits(flags, axis=1)

    @classmethod
    def restored(cls, state: ArrayReader, pages: int) -> Presence:
        """Return the object with this :meth:`state`."""
        presence = cls.__new__(cls)
        hashes = presence.hashes = state.integers("hashes", None)
        bits = presence.bits = state.octets("bits", len(hashes) + 1, (pages + 7) // 8)
        presence._pages = pages
        if not (hashes[1:] > hashes[:-1]).all() or bits[-1].any():
            raise StateError("hashes that are not sorted, or pages of an unknown one")
        return presence

    def state(self) -> Values:
        return {"hashes": self.hashes, "bits": self.bits}

    def __len__(self) -> int:
        return len(self.hashes)

    def rows(self, hashes: Hashes) -> Indices:
        """Return the row of each hash, or -1 if it is on no page."""
        if not len(self.hashes):
            return np.full(len(hashes), -1, np.int64)
        places = np.minimum(self.hashes.searchsorted(hashes), len(self.hashes) - 1)
        return np.where(self.hashes[places] == hashes, places, -1)

    def at(self, rows: Indices) -> npt.NDArray[np.uint8]:
        """Return 1 where the hash of a row is on a page, else 0: shape (rows, pages)."""
        return np.unpackbits(self.bits.take(rows, axis=0), axis=1, count=self._pages)

    def of(self, hashes: Hashes) -> npt.NDArray[np.uint8]:
        """Return 1 where a hash is on a page, else 0: shape (hashes, pages)."""
        return self.at(self.rows(hashes))

"""On which pages of a site each of many things stands, in a few bytes for each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.html.subtrees import Indices

Hashes = npt.NDArray[np.int64]


class Presence:
    """On which of some pages each of many hashes stands: sorted hashes, and a row of bits for each."""

    __slots__ = ("_bits", "_hashes", "_pages")

    def __init__(self, pages: Sequence[Hashes]) -> None:
        self._hashes = np.unique(np.concatenate([np.zeros(0, np.int64), *pages]))
        # One row more than there are hashes, where the row -1 of an unknown one leads.
        flags = np.zeros((len(self._hashes) + 1, len(pages)), np.uint8)
        for number, hashes in enumerate(pages):
            flags[self._hashes.searchsorted(hashes), number] = 1
        self._pages = len(pages)
        self._bits = np.packbits(flags, axis=1)

    def __len__(self) -> int:
        return len(self._hashes)

    def rows(self, hashes: Hashes) -> Indices:
        """Of each hash its row, -1 where it is on no page."""
        if not len(self._hashes):
            return np.full(len(hashes), -1, np.int64)
        places = np.minimum(self._hashes.searchsorted(hashes), len(self._hashes) - 1)
        return np.where(self._hashes[places] == hashes, places, -1)

    def at(self, rows: Indices) -> npt.NDArray[np.uint8]:
        """Shape (rows, pages): 1 where what the row stands for is on the page."""
        return np.unpackbits(self._bits.take(rows, axis=0), axis=1, count=self._pages)

    def of(self, hashes: Hashes) -> npt.NDArray[np.uint8]:
        """Shape (hashes, pages): 1 where the hash is on the page."""
        return self.at(self.rows(hashes))

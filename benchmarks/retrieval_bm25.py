"""BM25 over blocks of pages, in memory: the formula of SQLite's FTS5, for thousands of queries in minutes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

# Those of FTS5, which are the usual ones.
K1, B = 1.2, 0.75
# FTS5 gives this to a word that more than half of the blocks have.
_LEAST_IDF = 1e-6

Terms = npt.NDArray[np.uint32]
Numbers = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]


class Bm25:
    """Blocks, each with its terms, and the pages that they are of.

    Args:
        terms: the terms of all blocks in order.
        block_of: for each term, the number of its block.
        page_of: for each block, the number of its page, in ascending order.
    """

    def __init__(self, terms: Terms, block_of: Numbers, page_of: Numbers) -> None:
        self.page_of = page_of
        self.blocks = len(page_of)
        self.pages = int(page_of[-1]) + 1 if len(page_of) else 0
        lengths = np.bincount(block_of, minlength=self.blocks)
        pairs, counts = np.unique(
            terms.astype(np.uint64) << np.uint64(32) | block_of.astype(np.uint64), return_counts=True
        )
        self._block_of = (pairs & np.uint64(0xFFFFFFFF)).astype(np.int64)
        self._terms, self._starts, self._frequencies = np.unique(
            (pairs >> np.uint64(32)).astype(np.uint32), return_index=True, return_counts=True
        )
        mean = lengths.mean() if self.blocks else 1.0
        damping = K1 * (1 - B + B * lengths[self._block_of] / mean)
        self._weights = counts * (K1 + 1) / (counts + damping)

    @property
    def postings(self) -> int:
        """Number of pairs of a term and a block that has it."""
        return len(self._block_of)

    def frequency(self, term: int) -> int:
        """Return the number of blocks that have a term."""
        place = self._place(term)
        return 0 if place is None else int(self._frequencies[place])

    def scores(self, weights: Mapping[int, float]) -> tuple[Numbers, Scores]:
        """Return the blocks that have one of the terms, each once, and their scores."""
        total = self._total
        blocks = [np.zeros(0, np.int64)]
        for term, weight in weights.items():
            place = self._place(term)
            if place is None:
                continue
            number = int(self._frequencies[place])
            idf = max(float(np.log((self.blocks - number + 0.5) / (number + 0.5))), _LEAST_IDF)
            of_term = slice(int(self._starts[place]), int(self._starts[place]) + number)
            having = self._block_of[of_term]
            before = total[having]
            blocks.append(having[before == 0])
            total[having] = before + self._weights[of_term] * (idf * weight)
        found = np.concatenate(blocks)
        scores = total[found]
        total[found] = 0
        return found, scores

    @cached_property
    def _total(self) -> Scores:
        """A score for each block, 0 between queries: faster than to sort the blocks of each query."""
        return np.zeros(self.blocks)

    def best(self, blocks: Numbers, scores: Scores) -> Scores:
        """Return, for each page, the score of its best block."""
        of_pages = np.zeros(self.pages)
        np.maximum.at(of_pages, self.page_of[blocks], scores)
        return of_pages

    def terms_of(self, blocks: Sequence[int]) -> list[Collection[int]]:
        """Return the terms of some blocks, each once."""
        pairs_terms, ends = self._by_block
        starts = np.concatenate(([0], ends[:-1]))
        return [set(pairs_terms[starts[block] : ends[block]].tolist()) for block in blocks]

    @cached_property
    def _by_block(self) -> tuple[Terms, Numbers]:
        order = np.argsort(self._block_of, kind="stable")
        of_pairs = np.repeat(self._terms, self._frequencies)[order]
        return of_pairs, np.cumsum(np.bincount(self._block_of, minlength=self.blocks))

    def _place(self, term: int) -> int | None:
        place = int(np.searchsorted(self._terms, np.uint32(term)))  # of another type, it would copy all terms
        return place if place < len(self._terms) and self._terms[place] == term else None

"""Which blocks of a page its gold text holds: the labels that the default method is trained on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from benchmarks.scoring import token_list

# A block of this many tokens is found in the gold by its runs of _RUN tokens; a shorter one by where it would stand.
_LONG = 6
_RUN = 4
# Tokens of the gold that may be missing between a short block and its neighbour.
_GAP = 4


def label_blocks(texts: Sequence[str], gold: str) -> npt.NDArray[np.float32]:
    """Of each block the share of its tokens that the gold text holds, 0 or 1 for short blocks.

    A short text ("Share", "Read more") may be in the gold by accident. It counts where it continues what a block beside
    it was found to be, or is a line of the gold that nothing else has been found to be.
    """
    return _Alignment(texts, gold).labels


class _Alignment:
    def __init__(self, texts: Sequence[str], gold: str) -> None:
        self.blocks = [token_list(text) for text in texts]
        self.gold = token_list(gold)
        self.labels = np.zeros(len(texts), np.float32)
        self.taken = np.zeros(len(self.gold) + 1, np.bool_)
        self.spans: dict[int, tuple[int, int]] = {}  # where in the gold a block was found
        self._place_long_blocks()
        self._extend(range(len(texts)))
        self._extend(range(len(texts) - 1, -1, -1))
        self._place_lines(gold)

    def _place_long_blocks(self) -> None:
        runs: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for start in range(len(self.gold) - _RUN + 1):
            runs[tuple(self.gold[start : start + _RUN])].append(start)
        last = -1
        for number, block in enumerate(self.blocks):
            if len(block) < _LONG:
                continue
            found = [(at, runs.get(tuple(block[at : at + _RUN]), [])) for at in range(len(block) - _RUN + 1)]
            hit = np.zeros(len(block), np.bool_)
            for at, places in found:
                if places:
                    hit[at : at + _RUN] = True
            self.labels[number] = hit.mean()
            if self.labels[number] > 0.5:
                (first, firsts), (end, ends) = (
                    next(pair for pair in order if pair[1]) for order in (found, found[::-1])
                )
                begin = min(firsts, key=lambda place: abs(place - last - 1))
                last = ends[0] if len(ends) == 1 else begin + end - first
                self._take(number, max(0, begin - first), last + _RUN)

    def _extend(self, order: range) -> None:
        """Place short blocks behind (or, from the end, before) the last block placed."""
        before: int | None = None
        for number in order:
            block = self.blocks[number]
            if number in self.spans:
                before = number
            elif block and len(block) < _LONG:
                for start in self._candidates(before, len(block), order.step):
                    if start >= 0 and self._is_free(block, start):
                        self._take(number, start, start + len(block))
                        self.labels[number] = 1
                        before = number
                        break

    def _candidates(self, before: int | None, size: int, step: int) -> range:
        if before is None:
            return range(1) if step > 0 else range(0)
        start, end = self.spans[before]
        return range(end, end + _GAP) if step > 0 else range(start - size, start - size - _GAP, -1)

    def _place_lines(self, gold: str) -> None:
        lines = Counter(tuple(token_list(line)) for line in gold.split("\n"))
        lines.subtract(tuple(self.blocks[number]) for number in np.flatnonzero(self.labels > 0.5))
        for number, block in enumerate(self.blocks):
            if 0 < len(block) < _LONG and not self.labels[number] and lines[tuple(block)] > 0:
                free = (at for at in range(len(self.gold) - len(block) + 1) if self._is_free(block, at))
                start = next(free, None)
                if start is not None:
                    self._take(number, start, start + len(block))
                    self.labels[number] = 1
                    lines[tuple(block)] -= 1

    def _is_free(self, block: list[str], start: int) -> bool:
        end = start + len(block)
        return self.gold[start:end] == block and not self.taken[start:end].any()

    def _take(self, number: int, start: int, end: int) -> None:
        self.spans[number] = (start, end)
        self.taken[start:end] = True

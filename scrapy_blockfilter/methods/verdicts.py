"""Verdicts on the blocks of a page as arrays: a :class:`Verdict` is made for a block that somebody asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import overload

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.methods.base import Reason, Verdict

Flags = npt.NDArray[np.bool_]


class Verdicts(Sequence[Verdict]):
    """The verdicts on the blocks of a page.

    Args:
        keep: whether each block stays.
        scores: for each block, how likely it is content.
        reason: makes the reason for a block and its verdict.

    Attributes:
        keep: whether each block stays. Change it by setting a verdict.
        scores: for each block, how likely it is content, whatever verdicts were set.
    """

    __slots__ = ("_reason", "_set", "keep", "scores")

    def __init__(self, keep: Flags, scores: npt.NDArray[np.float32], reason: Callable[[int, bool], Reason]) -> None:
        self.keep = keep
        self.scores = scores
        self._reason = reason
        self._set: dict[int, Verdict] = {}

    def __len__(self) -> int:
        return len(self.keep)

    @overload
    def __getitem__(self, block: int) -> Verdict: ...
    @overload
    def __getitem__(self, block: slice) -> list[Verdict]: ...
    def __getitem__(self, block: int | slice) -> Verdict | list[Verdict]:
        if isinstance(block, slice):
            return [self[number] for number in range(*block.indices(len(self)))]
        keep = bool(self.keep[block])  # raises IndexError behind the last block
        if block < 0:
            block += len(self)
        if block in self._set:
            return self._set[block]
        return Verdict(keep, float(self.scores[block]), partial(self._reason, block, keep))

    def __setitem__(self, block: int, verdict: Verdict) -> None:
        self._set[block] = verdict
        self.keep[block] = verdict.keep

    def copy(self) -> Verdicts:
        """Return the same verdicts, to be changed."""
        verdicts = Verdicts(self.keep.copy(), self.scores, self._reason)
        verdicts._set = dict(self._set)
        return verdicts

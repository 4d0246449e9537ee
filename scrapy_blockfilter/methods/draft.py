"""Verdicts on the blocks of a page in the making, and what goes whatever a method says of it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.evidence.clutter import lines_of_links
from scrapy_blockfilter.evidence.line_numbers import LINE_NUMBERS, line_numbers
from scrapy_blockfilter.html.columns import PageColumns
from scrapy_blockfilter.methods.base import Verdict

Flags = npt.NDArray[np.bool_]


class Draft:
    """The verdicts on the blocks of a page in the making.

    Attributes:
        verdicts: so far.
        keep: which of the blocks stay by them.
    """

    __slots__ = ("keep", "verdicts")

    def __init__(self, verdicts: list[Verdict], keep: Flags) -> None:
        self.verdicts = verdicts
        self.keep = keep

    def strip(self, blocks: Iterable[int], reason: str, *, score: float | None = None) -> None:
        """Strip those of the blocks that stay so far, with a score of their own or that which they have."""
        for block in blocks:
            if self.keep[block]:
                was = self.verdicts[block].score
                self.verdicts[block] = Verdict(False, was if score is None else score, reason)
                self.keep[block] = False

    def save(self, blocks: Iterable[int], why: str) -> None:
        """Keep blocks after all."""
        for block in blocks:
            self.verdicts[block] = self.verdicts[block].kept(why)
            self.keep[block] = True


def strip_by_structure(draft: Draft, columns: PageColumns, empty: Iterable[tuple[range, str]]) -> None:
    """Strip what stays and is no content by what it is: line numbers, and runs of blocks in elements without any."""
    draft.strip(line_numbers(columns), LINE_NUMBERS, score=0.0)
    for blocks, reason in empty:
        draft.strip(blocks, reason, score=0.0)


def strip_links(draft: Draft, columns: PageColumns, may_go: Flags) -> None:
    """Strip lines of links that stay beside text."""
    links = lines_of_links(columns, draft.keep & may_go)
    draft.strip(np.flatnonzero(links & may_go).tolist(), "lines of links, and nothing else", score=0.0)

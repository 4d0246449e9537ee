"""A block of a cleaned page, with its verdict."""

from __future__ import annotations

from scrapy_blockfilter.html import Block
from scrapy_blockfilter.methods import Verdict


class JudgedBlock(Block):
    """A block with its verdict.

    Attributes:
        keep: whether it stays.
        score: from 0, surely template, to 1, surely content.
    """

    __slots__ = ("_verdict", "keep", "score")

    def __init__(self, block: Block, verdict: Verdict) -> None:
        super().__init__(block.page, block.number)
        self.keep = verdict.keep
        self.score = verdict.score
        self._verdict = verdict

    @property
    def reason(self) -> str:
        """The reason for the verdict, in words."""
        return self._verdict.reason

    @property
    def kind(self) -> str:
        """The kind of reason.

        For a stripped block it is one of :data:`scrapy_blockfilter.report.reason_kinds.KINDS`, unless you wrote the
        method yourself.
        """
        return self._verdict.kind

    def __repr__(self) -> str:
        return f"<JudgedBlock {'keep' if self.keep else 'strip'} {self.text[:40]!r}: {self.reason}>"

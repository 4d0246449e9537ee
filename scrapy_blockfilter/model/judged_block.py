"""A block of a cleaned page, with its verdict."""

from __future__ import annotations

from scrapy_blockfilter.html import Block
from scrapy_blockfilter.methods import Verdict


class JudgedBlock:
    """A block with its verdict.

    Attributes:
        text: the block's text.
        keep: whether it stays.
        score: from 0, surely template, to 1, surely content.
    """

    __slots__ = ("_block", "_page", "_verdict", "keep", "score", "text")

    def __init__(self, block: Block, verdict: Verdict) -> None:
        self._block = block
        self._page = block.page  # the block itself does not hold it
        self.text = block.text
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

    @property
    def path(self) -> str:
        """Style path: tags with class and id from the root down, digits folded; a long one without its middle."""
        return self._block.path

    @property
    def tag(self) -> str:
        """Tag of the structural element that the text belongs to."""
        return self._block.tag

    @property
    def images(self) -> tuple[str, ...]:
        """Words from file names and ALTs of its images, without uninformative ones."""
        return self._block.images

    @property
    def link_density(self) -> float:
        """Share of the text that is inside links, 0 to 1."""
        return self._block.link_density

    @property
    def key(self) -> int:
        """64-bit hash that identifies the block's content."""
        return self._block.key

    def __repr__(self) -> str:
        return f"<JudgedBlock {'keep' if self.keep else 'strip'} {self.text[:40]!r}: {self.reason}>"

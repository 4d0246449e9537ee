"""A page after cleaning: its blocks with their verdicts, what is left of it as text and HTML, and what was removed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from w3lib.html import get_base_url

from scrapy_blockfilter.html import Block, Page
from scrapy_blockfilter.html.segmenters import TEXT_CHUNKS, Segmenter
from scrapy_blockfilter.methods import Verdict
from scrapy_blockfilter.render import render_html, render_markdown, render_text


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
        self._page = block.page  # which the block itself does not hold
        self.text = block.text
        self.keep = verdict.keep
        self.score = verdict.score
        self._verdict = verdict

    @property
    def reason(self) -> str:
        """What decided, in words."""
        return self._verdict.reason

    @property
    def kind(self) -> str:
        """The name of the kind of reason: for a stripped block one of
        :data:`scrapy_blockfilter.report.reason_kinds.KINDS`, unless the method is one of your own."""
        return self._verdict.kind

    @property
    def path(self) -> str:
        """Style path: tags with class and id from the root down, digits folded."""
        return self._block.path

    @property
    def tag(self) -> str:
        """Tag of the structural element whose own text it is."""
        return self._block.tag

    @property
    def images(self) -> tuple[str, ...]:
        """Words of its images (file name and ALT), the worthless ones left out."""
        return self._block.images

    @property
    def link_density(self) -> float:
        """Share of the text that is inside links, 0 to 1."""
        return self._block.link_density

    @property
    def key(self) -> int:
        """64-bit identity of the block's content."""
        return self._block.key

    def __repr__(self) -> str:
        return f"<JudgedBlock {'keep' if self.keep else 'strip'} {self.text[:40]!r}: {self.reason}>"


class Cleaned:
    """What cleaning made of a page. The page it was made from is not changed.

    Attributes:
        source: the HTML as it came.
        unchanged: why nothing was removed, a short name ("" where something was): "nothing_to_strip",
            "too_little_kept", "warmup", or why the page could not be read ("empty", "too_large", "long_tag",
            "too_deep", "too_many_elements", "too_many_blocks").
        suspicious: why cleaning may have gone wrong, a sentence with numbers that lacks its subject, such as "keeps 3%
            of its text, pages of its site usually keep 48%"; "" where nothing is odd.
        url: the address that its links are relative to, unless it has a BASE; "" where that is not known.
        blocks: every block in document order, with its verdict; none where the page could not be read.
    """

    def __init__(
        self,
        source: str,
        page: Page | None,
        verdicts: Sequence[Verdict],
        unchanged: str,
        url: str = "",
        suspicious: str = "",
    ) -> None:
        self.source = source
        self.unchanged = unchanged
        self.suspicious = suspicious
        self.url = url
        self._page = page
        self._verdicts = verdicts

    @cached_property
    def blocks(self) -> tuple[JudgedBlock, ...]:
        return tuple(JudgedBlock(block, verdict) for block, verdict in self._pairs())

    @property
    def texts(self) -> Iterator[tuple[str, bool]]:
        """Of every block its text and whether it stays, for less than :attr:`blocks` takes."""
        return ((block.text, verdict.keep) for block, verdict in self._pairs())

    @property
    def segmenter(self) -> Segmenter:
        """What made the blocks."""
        return TEXT_CHUNKS if self._page is None else self._page.segmenter or TEXT_CHUNKS

    @cached_property
    def html(self) -> str:
        """The page without its stripped blocks; the source itself where nothing was removed."""
        if self._page is None or self.unchanged:
            return self.source
        return render_html(self._page, [verdict.keep for verdict in self._verdicts], self.source)

    @cached_property
    def text(self) -> str:
        """Text of the kept blocks, a line a block; "" where the page could not be read."""
        if self._page is None:
            return ""
        return render_text(self._page, [verdict.keep for verdict in self._verdicts])

    @cached_property
    def markdown(self) -> str:
        """The kept blocks as Markdown, links in full; "" where the page could not be read.

        Raises:
            ImportError: turbohtml, which the extra ``markdown`` installs, is missing.
        """
        if self._page is None:
            return ""
        return render_markdown(self.html, get_base_url(self.source, self.url))

    @cached_property
    def removed(self) -> list[dict[str, Any]]:
        """Of each removed block a dict that JSON can hold: its ``text`` (of images alone: the words of their names and
        ALTs), ``reason`` and ``score``."""
        return [
            {"text": block.text or " ".join(block.images), "reason": verdict.reason, "score": verdict.score}
            for block, verdict in self._stripped()
        ]

    @cached_property
    def stripped(self) -> Sequence[Block]:
        """The blocks that were removed. The TITLE stays, whatever its verdict."""
        return [block for block, _ in self._stripped()]

    def __repr__(self) -> str:
        if self._page is None:
            return f"<Cleaned: not read, {self.unchanged}>"
        kept = sum(verdict.keep for verdict in self._verdicts)
        unchanged = f", unchanged: {self.unchanged}" if self.unchanged else ""
        return f"<Cleaned: {kept} of {len(self._verdicts)} blocks kept{unchanged}>"

    def _repr_html_(self) -> str:
        """The report on the page, as a notebook shows it."""
        from scrapy_blockfilter.report import in_notebook, page_report  # for notebooks alone

        return in_notebook(page_report(self))

    def _stripped(self) -> Iterator[tuple[Block, Verdict]]:
        return ((block, verdict) for block, verdict in self._pairs() if not verdict.keep and block.tag != "title")

    def _pairs(self) -> Iterator[tuple[Block, Verdict]]:
        return zip(self._page.blocks if self._page else (), self._verdicts, strict=True)

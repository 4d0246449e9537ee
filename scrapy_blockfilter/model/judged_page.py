"""A page with the verdicts on its blocks: which stay, which go, and why none may have gone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NoReturn

from scrapy_blockfilter.html import Block, Page
from scrapy_blockfilter.html.segmenters import TEXT_CHUNKS, Segmenter
from scrapy_blockfilter.methods import Verdict
from scrapy_blockfilter.model.judged_block import JudgedBlock
from scrapy_blockfilter.model.listed import listed_block
from scrapy_blockfilter.model.shares import kept_flags
from scrapy_blockfilter.model.suspicion import NO_TEXT, OwnText, why_suspicious


class JudgedPage:
    """A page with the verdicts on its blocks.

    Its attributes are told where they are used: see :class:`scrapy_blockfilter.Cleaned`.
    """

    def __init__(
        self,
        source: str,
        page: Page | None,
        verdicts: Sequence[Verdict],
        unchanged: str,
        url: str = "",
        own_text: OwnText = NO_TEXT,
        doubt: float = 0.0,
    ) -> None:
        self.source = source
        self.unchanged = unchanged
        self.own_text = own_text
        self.doubt = doubt
        self.suspicious = "" if unchanged else why_suspicious(own_text, doubt)
        self.url = url
        self.selectors = {} if page is None else page.selectors
        self.page = page
        self.verdicts = verdicts

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError(
            f"a {type(self).__name__} holds the tree of its page, so it is neither copied nor pickled: take its forms, "
            "such as cleaned.text, or send the page and the model (SiteModel.to_bytes), and clean it there"
        )

    @cached_property
    def blocks(self) -> tuple[JudgedBlock, ...]:
        judged = zip(self.page.blocks if self.page else (), self.verdicts, strict=True)
        return tuple(JudgedBlock(block, verdict) for block, verdict in judged)

    def sizes(self) -> Iterator[tuple[int, bool]]:
        """Yield the bytes of each block's text, in UTF-8, and whether it stays; cheaper than :attr:`blocks`."""
        return zip(self.page.sizes if self.page else (), self.keep, strict=True)

    @property
    def segmenter(self) -> Segmenter:
        """The segmenter that made the blocks."""
        return TEXT_CHUNKS if self.page is None else self.page.segmenter or TEXT_CHUNKS

    @property
    def lacks_boxes(self) -> bool:
        """Whether the segmenter needs boxes, and the page has too few: it was divided as "dom" does."""
        return self.page is not None and self.page.lacks_boxes

    @cached_property
    def removed(self) -> list[dict[str, Any]]:
        """The removed blocks as dicts for JSON, with ``text``, ``reason`` and ``score``.

        The text of a block that has only images is the words of their names and ALTs.
        """
        return [listed_block(block, self.verdicts[number]) for block, number in self._removed()]

    @cached_property
    def stripped(self) -> Sequence[Block]:
        """The removed blocks. The TITLE always stays."""
        return [block for block, _ in self._removed()]

    @cached_property
    def keep(self) -> list[bool]:
        """Whether each of :attr:`blocks` stays."""
        keep: list[bool] = kept_flags(self.verdicts).tolist()
        return keep

    def _removed(self) -> Iterator[tuple[Block, int]]:
        """Yield the removed blocks with their numbers."""
        judged = zip(self.page.blocks if self.page else (), self.keep, strict=True)
        return ((block, number) for number, (block, keep) in enumerate(judged) if not keep and block.tag != "title")

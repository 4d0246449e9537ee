"""What is remembered between the pages of a crawl, as they share words, style paths and texts."""

from __future__ import annotations

from scrapy_blockfilter.html.paths import PathTable
from scrapy_blockfilter.text.block_text import KnownTexts
from scrapy_blockfilter.text.terms import TermMaker


class Known:
    """Caches alone: pages come out the same with any of them, new or full.

    Attributes:
        terms: what words are as terms.
        paths: what is known of style paths.
        texts: what is known of the texts of blocks.
    """

    def __init__(self) -> None:
        self.terms = TermMaker()
        self.paths = PathTable()
        self.texts = KnownTexts()

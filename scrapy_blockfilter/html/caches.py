"""Caches shared between the pages of a crawl, which repeat words, style paths and texts."""

from __future__ import annotations

from scrapy_blockfilter.html.paths import PathTable
from scrapy_blockfilter.text.block_text import KnownTexts
from scrapy_blockfilter.text.terms import TermMaker


class PageCaches:
    """Caches for segmenting. They save work, and never change a result."""

    def __init__(self) -> None:
        self.terms = TermMaker()
        self.paths = PathTable()
        self.texts = KnownTexts()

    def paths_of_page(self) -> PathTable:
        """Return the table for the paths of another page, a new one if the last is full.

        A page that is being walked, perhaps in another thread, keeps the table that its numbers belong to.
        """
        if self.paths.is_full:
            self.paths = PathTable()
        return self.paths

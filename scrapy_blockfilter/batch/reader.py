"""Read pages with the options of a job, sharing what is remembered between pages."""

from __future__ import annotations

from scrapy_blockfilter.html import Page, UnfitPage
from scrapy_blockfilter.html.known import Known
from scrapy_blockfilter.html.reading import HtmlInput, read_input, segment_source
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import PageRecord


class Reader:
    """Segments pages.

    Attributes:
        known: saves work on later pages, and never changes a result.
    """

    def __init__(self, options: Options) -> None:
        self.options = options
        self.known = Known()

    def source(self, html: HtmlInput) -> str:
        """Return the text of a page."""
        return read_input(html)[0]

    def page(self, html: HtmlInput) -> Page:
        """Segment a page.

        Raises:
            UnfitPage: it is outside the limits.
        """
        return self.read(html)[1]

    def read(self, html: HtmlInput) -> tuple[str, Page]:
        """Return the text of a page, and the page segmented.

        Raises:
            UnfitPage: it is outside the limits.
        """
        options = self.options
        source, root = read_input(html)
        return source, segment_source(source, root, self.known, limits=options.limits, segmenter=options.segmentation)

    def record(self, html: HtmlInput) -> PageRecord | None:
        """Return the record of a page, None if it cannot be read."""
        try:
            return PageRecord.of(self.page(html))
        except UnfitPage:
            return None

"""What the spiders share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urldefrag

from scrapy import Request, Spider
from scrapy.http import HtmlResponse


class PageSpider(Spider):
    """Makes an item of each page, and asks for each page once, for ``max_pages`` at most.

    Raises:
        ValueError: ``max_pages`` is no whole number above 0.
    """

    def __init__(self, max_pages: str, **arguments: Any) -> None:
        super().__init__(**arguments)
        if not (max_pages.isdecimal() and int(max_pages) > 0):
            raise ValueError(f"max_pages is {max_pages!r}, but must be a whole number above 0: -a max_pages=100")
        self.max_pages = int(max_pages)
        self._asked: set[str] = set()

    def requests(self, urls: Iterable[str], **arguments: Any) -> Iterator[Request]:
        """Requests for those of ``urls`` that are new, as long as there are pages left to ask for."""
        for url in urls:
            page = urldefrag(url).url
            if page not in self._asked and len(self._asked) < self.max_pages:
                self._asked.add(page)
                yield Request(page, **arguments)

    def item(self, response: HtmlResponse, url: str = "") -> dict[str, str]:
        """The item of a page; the filter cleans ``html`` and adds ``text``."""
        title = " ".join(response.css("title::text").get("").split())
        return {"url": url or response.url, "title": title, "html": response.text}

"""Crawls Python's own documentation server."""

from __future__ import annotations

import platform
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor

from example_project.servers import PydocServer
from example_project.spiders.base import PageSpider

# The server imports a module to document it, anew each time. To import the first two does something (opens a browser,
# prints a poem), the next three hold modules of which that is true, and a second threading keeps it from ending.
_LEFT_OUT = {"antigravity", "this", "idlelib", "test", "turtledemo", "threading"}
MODULES = frozenset(name for name in sys.stdlib_module_names - _LEFT_OUT if not name.startswith("_"))
_PAGES = frozenset({"index", "topics", "keywords"})


class PydocSpider(PageSpider):
    """``scrapy crawl pydoc``: starts ``python -m pydoc -p`` on a free port and crawls the indexes and the pages of
    modules of the standard library, ``-a max_pages=100`` of them."""

    name = "pydoc"
    custom_settings = {
        "ROBOTSTXT_OBEY": False,
        "HTTPPROXY_ENABLED": False,
        "CONCURRENT_REQUESTS": 2,  # the server answers one at a time
        "REQUEST_FINGERPRINTER_CLASS": "example_project.servers.PortlessFingerprinter",
    }
    # Other loopback servers share the host, and the pages of another Python name its version.
    site = f"pydoc {platform.python_version()}"

    server: PydocServer

    def __init__(self, max_pages: str = "100", **arguments: Any) -> None:
        super().__init__(max_pages, **arguments)
        self._links = LinkExtractor()

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> PydocSpider:
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.server = PydocServer()
        return spider

    async def start(self) -> AsyncIterator[Request]:
        for request in self.requests([f"{self.server.url}index.html"], meta={"blockfilter_site": self.site}):
            yield request

    def parse(self, response: Response) -> Iterator[dict[str, str] | Request]:
        assert isinstance(response, HtmlResponse)
        item = self.item(response)
        if item["title"].startswith("Pydoc: Error"):
            self.logger.info("No page of %s: the module cannot be imported on this platform", response.url)
            return
        yield item
        links = (link.url for link in self._links.extract_links(response) if is_wanted(link.url))
        yield from self.requests(links, meta={"blockfilter_site": self.site})

    def closed(self, reason: str) -> None:
        self.server.close()


def is_wanted(url: str) -> bool:
    """Whether a link leads to an index or to a module that may be imported.

    >>> is_wanted("http://127.0.0.1:8000/json.html"), is_wanted("http://127.0.0.1:8000/json.tool.html")
    (True, False)
    >>> is_wanted("http://127.0.0.1:8000/antigravity.html"), is_wanted("file:/usr/lib/python3/json/__init__.py")
    (False, False)
    """
    parts = urlsplit(url)
    name = parts.path.removeprefix("/").removesuffix(".html")
    return parts.hostname == "127.0.0.1" and not parts.query and name in MODULES | _PAGES

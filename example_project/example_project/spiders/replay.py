"""Crawls pages at hand as if they were a site."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response

from example_project.pages import FORMS, read_pages
from example_project.servers import PageServer, numbered
from example_project.spiders.base import PageSpider


class ReplaySpider(PageSpider):
    """``scrapy crawl replay -a path=saved_pages/``: serves the pages of a folder or file over loopback and crawls them,
    from an index page that links them all.

    Raises:
        ValueError: ``path`` is missing, or there are no pages.
    """

    name = "replay"
    custom_settings = {
        "ROBOTSTXT_OBEY": False,
        "HTTPPROXY_ENABLED": False,
        "REQUEST_FINGERPRINTER_CLASS": "example_project.servers.PortlessFingerprinter",
    }

    server: PageServer

    def __init__(self, path: str = "", max_pages: str = "100000", **arguments: Any) -> None:
        super().__init__(max_pages, **arguments)
        if not path:
            raise ValueError(f"path is missing; type: scrapy crawl replay -a path=PATH, {FORMS}")
        folder_or_file = Path(path)
        self.pages = read_pages(folder_or_file)
        # Other loopback servers share the host.
        self.site = str(folder_or_file.resolve())

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> ReplaySpider:
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.server = PageServer(numbered(spider.pages))
        return spider

    async def start(self) -> AsyncIterator[Request]:
        for request in self.requests([self.server.url], meta={"blockfilter_site": self.site}):
            yield request

    def parse(self, response: Response) -> Iterator[dict[str, str] | Request]:
        assert isinstance(response, HtmlResponse)
        yield self.item(response)
        for number, page in enumerate(self.pages):
            yield from self.requests(
                [response.urljoin(f"/page/{number}")],
                callback=self.parse_page,
                meta={"blockfilter_site": self.site},
                cb_kwargs={"url": page.url},
            )

    def parse_page(self, response: HtmlResponse, url: str) -> Iterator[dict[str, str]]:
        yield self.item(response, url)

    def closed(self, reason: str) -> None:
        self.server.close()

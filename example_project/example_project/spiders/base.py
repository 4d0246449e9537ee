"""What the spiders share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import Any, ClassVar
from urllib.parse import urldefrag

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response

from example_project.made import MadeSite
from example_project.servers import PageServer


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

    def item(self, response: HtmlResponse) -> dict[str, str]:
        """The item of a page; the filter cleans ``html`` and adds ``text``."""
        title = " ".join(response.css("title::text").get("").split())
        return {"url": response.url, "title": title, "html": response.text}


class MadeSiteSpider(Spider):
    """Serves a made site on a free port of the loopback for as long as the crawl takes, and starts at its front page.

    Attributes:
        make: what makes the site.
        site: what the filter knows it as, as other servers share the host.
        server: what serves it.
    """

    custom_settings = {
        "ROBOTSTXT_OBEY": False,
        "HTTPPROXY_ENABLED": False,
        # One page after the other: the same order, so the same figures, in each crawl.
        "CONCURRENT_REQUESTS": 1,
        "REQUEST_FINGERPRINTER_CLASS": "example_project.servers.PortlessFingerprinter",
    }
    make: ClassVar[Callable[[], MadeSite]]
    site: ClassVar[str]
    server: PageServer

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> MadeSiteSpider:
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.server = PageServer({path: page.html for path, page in cls.make().pages.items()})
        return spider

    async def start(self) -> AsyncIterator[Request]:
        yield Request(self.server.url, meta={"blockfilter_site": self.site})

    def follow(self, response: Response, css: str, callback: Callable[..., Any]) -> Iterator[Request]:
        """Requests for the links that a selector finds; Scrapy asks for each page once."""
        assert isinstance(response, HtmlResponse)
        yield from response.follow_all(css=css, callback=callback, meta={"blockfilter_site": self.site})

    def closed(self, reason: str) -> None:
        self.server.close()

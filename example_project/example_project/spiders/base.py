"""What the spiders of made sites share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, ClassVar

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response

from example_project.made import MadeSite
from example_project.servers import PageServer


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

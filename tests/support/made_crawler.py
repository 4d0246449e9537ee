"""The filter's components, put together without an engine, to test single ones."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextvars import copy_context
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response
from scrapy.settings import Settings
from scrapy.signalmanager import SignalManager
from scrapy.utils.request import RequestFingerprinter

from scrapy_blockfilter.crawl import Sites
from scrapy_blockfilter.crawl.session import Session
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.middleware import BlockFilterDownloaderMiddleware
from scrapy_blockfilter.pipeline import BlockFilterPipeline
from scrapy_blockfilter.warmup import BlockFilterSpiderMiddleware
from tests.support.made_sites import GeneratedSite


class CountingStats(Counter[str]):
    """Statistics as the components use them."""

    def inc_value(self, key: str, count: int = 1) -> None:
        self[f"{key}"] += count

    def max_value(self, key: str, value: int) -> None:
        self[f"{key}"] = max(self[f"{key}"], value)

    def get_value(self, key: str, default: int = 0) -> int:
        return self.get(key, default)

    def of(self, group: str) -> dict[str, int]:
        """Return rest of the name -> value, for the statistics under ``blockfilter/group/``."""
        prefix = f"blockfilter/{group}/"
        return {name.removeprefix(prefix): value for name, value in self.items() if name.startswith(prefix)}


@dataclass
class StubCrawler:
    """The parts of a crawler that the components use."""

    settings: Settings
    stats: CountingStats = field(default_factory=CountingStats)
    signals: SignalManager = field(default_factory=SignalManager)
    request_fingerprinter: RequestFingerprinter = field(default_factory=RequestFingerprinter)


class Filter:
    """A crawler with all three components and a store in ``folder``."""

    def __init__(self, folder: Path, **options: Any) -> None:
        values = {"BLOCKFILTER_PAGES": 4, "BLOCKFILTER_STORE": str(folder / "templates.db")}
        values |= {f"BLOCKFILTER_{name.upper()}": value for name, value in options.items()}
        self.crawler = StubCrawler(Settings(values))
        self.stats = self.crawler.stats
        self._is_closed = False
        crawler = cast("Crawler", self.crawler)
        self.middleware = BlockFilterDownloaderMiddleware.from_crawler(crawler)
        self.spider_middleware = BlockFilterSpiderMiddleware.from_crawler(crawler)
        self.session = Session.of(crawler)
        self.pipeline = BlockFilterPipeline.from_crawler(crawler)
        self.pipeline.open_spider()

    def get(self, url: str, body: str | bytes, **options: Any) -> HtmlResponse:
        """Send a page through the downloader middleware."""
        response = html_response(url, body, **options)
        assert response.request is not None
        assert self.middleware.process_response(response.request, response) is response
        return response

    def learn(self, site: GeneratedSite, host: str = "news.example") -> None:
        for page in site.pages:
            self.get(f"http://{host}{page.url_path}", page.html)

    def scrape(self, item: Any, response: Response | None = None) -> Any:
        """Let an item pass the pipeline, as one of a response or of none."""

        async def one() -> AsyncIterator[Any]:
            yield item

        async def scrape(response: Response) -> Any:
            self.spider_middleware.process_spider_input(response)
            outputs = self.spider_middleware.process_spider_output(response, one())
            (output,) = [output async for output in outputs]
            with self.session.origins.sending(output, response):
                return self.pipeline.process_item(output)

        if response is None:
            return copy_context().run(self.pipeline.process_item, item)
        return copy_context().run(asyncio.run, scrape(response))

    def meet(self, path: str, html: str, host: str = "news.example", field: str = "html") -> str:
        """Let a page pass the downloader middleware, and an item of it the pipeline; return a field of the item."""
        cleaned: str = self.scrape({"html": html}, self.get(f"http://{host}{path}", html))[field]
        return cleaned

    def close(self) -> None:
        """End the crawl, unless it has ended."""
        if not self._is_closed:
            self._is_closed = True
            self.middleware.spider_closed()


MakeFilter = Callable[..., Filter]


def teach(
    sites: Sites, pages: Iterable[Page], first: int = 0, site: str = "news.example", *, judges: bool = False
) -> None:
    """Let pages of a site come as in a crawl: past the downloader middleware, and perhaps to the pipeline, too.

    Args:
        first: the hash of the first page; that of each other one is the next number.
    """
    for page_hash, page in enumerate(pages, first):
        if sites.named(site).wants(page_hash):
            sites.named(site).learn(page_hash, page)
        if judges:
            sites.named(site).judge(page, page_hash)


def html_response(
    url: str,
    body: str | bytes,
    *,
    status: int = 200,
    flags: list[str] | None = None,
    callback: Any = None,
    meta: dict[str, Any] | None = None,
) -> HtmlResponse:
    data = body if isinstance(body, bytes) else body.encode()
    request = Request(url, callback=callback, meta=meta)
    return HtmlResponse(url, status=status, body=data, encoding="utf-8", request=request, flags=flags)

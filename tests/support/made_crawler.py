"""The filter's components, put together without an engine, to test single ones."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse
from scrapy.settings import Settings
from scrapy.signalmanager import SignalManager
from scrapy.utils.request import RequestFingerprinter

from scrapy_blockfilter.crawl.session import Session
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

    def close(self) -> None:
        """End the crawl, unless it has ended."""
        if not self._is_closed:
            self._is_closed = True
            self.middleware.spider_closed()


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

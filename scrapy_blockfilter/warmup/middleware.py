"""Spider middleware: hold the items of a site that is being learnt, and release them for cleaning.

A held item is taken out of the callback's output before Scrapy counts it, so nothing waits for it. Its response is
finished, links are followed, and the crawl gets idle and closes as usual.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider
from scrapy.http import Response

from scrapy_blockfilter.crawl.session import Session
from scrapy_blockfilter.warmup.engine import around_each_item
from scrapy_blockfilter.warmup.waiting_room import WaitingRoom, holds_items


class BlockFilterSpiderMiddleware:
    """Remember the response of each item, and hold items of sites that are being learnt.

    It raises the errors of :class:`scrapy_blockfilter.crawl.session.Session`.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._session = Session.of(crawler)
        self._session.components.add("SPIDER_MIDDLEWARES")
        self._room = WaitingRoom(self._session)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BlockFilterSpiderMiddleware:
        middleware = cls(crawler)
        crawler.signals.connect(middleware.spider_opened, signals.spider_opened)
        return middleware

    def process_spider_input(self, response: Response) -> None:
        self._session.origins.enter(response)

    async def process_spider_output(self, response: Response | None, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        async for output in result:
            if output is None or isinstance(output, Request) or not self._room.hold(output, response):
                yield output

    def process_start(self, start: AsyncIterator[Any]) -> AsyncIterator[Any]:
        return self.process_spider_output(None, start)

    def process_start_requests(self, start: Iterator[Any], spider: object) -> Iterator[Any]:
        """Change nothing. Scrapy 2.14 takes middlewares that have this alone beside those that have it, too."""
        return start

    def spider_opened(self) -> None:
        around_each_item(self._crawler.engine, self._session.origins.sending)
        if self._session.is_learning and holds_items(self._session):
            self._room.open(self)
            self._crawler.signals.connect(self.spider_idle, signals.spider_idle)
            self._crawler.signals.connect(self._room.close, signals.spider_closed)

    def spider_idle(self) -> None:
        """Keep the crawl open as long as there are items to give back."""
        if self._room.keeps_crawl_open():
            raise DontCloseSpider

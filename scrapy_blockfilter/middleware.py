"""Downloader middleware: learn each site from the HTML responses on their way to callbacks."""

from __future__ import annotations

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.http import Response

from scrapy_blockfilter.crawl.session import Session


class BlockFilterDownloaderMiddleware:
    """Learn from every HTML response that a callback will get, each page once.

    It raises the errors of :class:`scrapy_blockfilter.crawl.session.Session`.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._session = Session.of(crawler)
        self._session.start()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BlockFilterDownloaderMiddleware:
        middleware = cls(crawler)
        crawler.signals.connect(middleware.spider_closed, signals.spider_closed)
        return middleware

    def process_response(self, request: Request, response: Response) -> Response:
        self._session.learn(request, response)
        return response

    def spider_closed(self) -> None:
        self._session.sites.close()

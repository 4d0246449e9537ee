"""Item pipeline: clean each item by the model of its site."""

from __future__ import annotations

from typing import Any

from scrapy.crawler import Crawler

from scrapy_blockfilter.crawl.item_cleaner import ItemCleaner
from scrapy_blockfilter.crawl.session import Session


class BlockFilterPipeline:
    """Clean the fields of items, and add fields made from their pages. Drop an item only for BLOCKFILTER_UNCHANGED.

    It raises the errors of :class:`scrapy_blockfilter.crawl.session.Session`.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._session = Session.of(crawler)
        self._session.components.add("ITEM_PIPELINES")
        self._items = ItemCleaner(self._session)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BlockFilterPipeline:
        return cls(crawler)

    def open_spider(self) -> None:
        """Raise RuntimeError if the downloader middleware is not enabled, as nothing is learnt then."""
        if not self._session.is_learning:
            raise RuntimeError(
                "scrapy_blockfilter.pipeline.BlockFilterPipeline needs "
                "scrapy_blockfilter.middleware.BlockFilterDownloaderMiddleware in DOWNLOADER_MIDDLEWARES; "
                'ADDONS = {"scrapy_blockfilter.Addon": 500} enables both'
            )

    def process_item(self, item: Any) -> Any:
        return self._items.clean(item)

    def close_spider(self) -> None:
        self._items.tell()

"""Switch all components on, at the right orders, with one line in ``ADDONS``."""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

# Outermost of the downloader middlewares: responses come to it decoded, after redirects and retries.
DOWNLOADER_MIDDLEWARE_ORDER = 10
# Next to the engine: items come to it after all other spider middlewares. Items that it holds go straight to the
# pipelines later, so other middlewares would miss them. Scrapy's orders begin at 25, and those of projects at 0 or a
# little below. If another middleware has this order or a lower one, the filter's is put below it.
SPIDER_MIDDLEWARE_ORDER = -10_000
# Before the pipelines that validate and store items.
ITEM_PIPELINE_ORDER = 50


class Addon:
    """Enable the filter: ``ADDONS = {"scrapy_blockfilter.Addon": 500}``."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Addon:
        """Return the add-on of a crawl. ``scrapy shell`` crawls nothing, and gets none."""
        if crawler.crawling:
            return cls()
        from scrapy.exceptions import NotConfigured

        raise NotConfigured  # without a text, which would be logged as a warning

    def update_settings(self, settings: BaseSettings) -> None:
        """Add the components to those of the project, at their orders. Orders that the project has set stay."""
        # Imported here, so that the package works as a library without loading Scrapy.
        from scrapy.utils.misc import load_object

        from scrapy_blockfilter.middleware import BlockFilterDownloaderMiddleware
        from scrapy_blockfilter.options.segmenter import CHUNKS, PLUGINS, segmenter_kind
        from scrapy_blockfilter.pipeline import BlockFilterPipeline
        from scrapy_blockfilter.warmup import BlockFilterSpiderMiddleware

        for name, component, order in (
            ("DOWNLOADER_MIDDLEWARES", BlockFilterDownloaderMiddleware, DOWNLOADER_MIDDLEWARE_ORDER),
            ("SPIDER_MIDDLEWARES", BlockFilterSpiderMiddleware, _next_to_engine(settings)),
            ("ITEM_PIPELINES", BlockFilterPipeline, ITEM_PIPELINE_ORDER),
        ):
            settings.setdefault_in_component_priority_dict(name, component, order)
        segmenter = settings.get("BLOCKFILTER_SEGMENTER", CHUNKS)
        if segmenter != CHUNKS and segmenter in PLUGINS.others():  # the components refuse other names
            for path, order in segmenter_kind(segmenter).middlewares.items():
                settings.setdefault_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", load_object(path), order)


def _next_to_engine(settings: BaseSettings) -> int:
    """Return an order below those of all other spider middlewares."""
    names = ("SPIDER_MIDDLEWARES_BASE", "SPIDER_MIDDLEWARES")
    orders = [order for name in names for order in settings.getdict(name).values() if isinstance(order, int | float)]
    return min([SPIDER_MIDDLEWARE_ORDER, *(floor(order) - 1 for order in orders)])

"""Items that wait until their site is learnt."""

from scrapy_blockfilter.warmup.middleware import BlockFilterSpiderMiddleware

__all__ = ["BlockFilterSpiderMiddleware"]

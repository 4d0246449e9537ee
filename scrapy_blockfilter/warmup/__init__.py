"""The warm-up: items wait in memory until their site is learnt.

An item is taken out of a callback's output while its site has shown fewer than N pages, and is held as it is, with its
response. It then leaves the warm-up in one of five ways, and goes through all pipelines once:

1. The site is learnt: it has shown N pages.
2. The crawl is idle: nothing is left to download, to parse or in the pipelines.
3. Memory is short: held items take ``BLOCKFILTER_WARMUP_MAX_BYTES``. The site that would still need the most until it
   is learnt goes first: one of large pages, or one that is far from N. Until there is room, new items do not wait.
4. Time is up: the oldest item of the site has been held for ``BLOCKFILTER_WARMUP_TIMEOUT``.
5. The crawl is about to close.

Only the first way ends the warm-up of the site. After the others, a provisional model of the pages so far cleans the
items, and later items of the site wait again.
"""

from scrapy_blockfilter.warmup.middleware import BlockFilterSpiderMiddleware

__all__ = ["BlockFilterSpiderMiddleware"]

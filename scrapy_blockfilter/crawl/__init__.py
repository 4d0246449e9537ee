"""A running crawl: its sites, and how an item of it is cleaned.

``session`` holds all of it, for the components to ask. ``sites`` keeps the sites met last, each a ``site`` with its
``layouts``, and ``item_cleaner`` cleans the ``fields`` of an item by them.
"""

from scrapy_blockfilter.crawl.sites import Sites
from scrapy_blockfilter.crawl.stats import REASONS, STATS, Uncounted

__all__ = ["REASONS", "STATS", "Sites", "Uncounted"]

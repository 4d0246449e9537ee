"""A running crawl: its sites, and how an item of it is cleaned.

``session`` holds all of it, for the components to ask. ``sites`` keeps the sites met last in memory, and all of them in
the store, whose failures ``soft_store`` makes harmless. ``site`` is one site: its ``layouts`` with their models, its
corrections and what its pages have lost.

``item_origins`` finds the response of an item. ``item_cleaner`` cleans it by the ``fields`` of items and of saved
records alike, whose values ``item_fields`` reads and sets. ``response_cache`` keeps the page of a response, for
learning and for its items.

``stores`` opens the store, and ``stored_models`` has the models in it, also for code outside of a crawl. ``losses`` and
``in_vain`` say at the end what to look into, ``stats`` has the names of counts, and ``log_once`` keeps the log short.
"""

from scrapy_blockfilter.crawl.sites import Sites
from scrapy_blockfilter.crawl.stats import REASONS, STATS, Uncounted

__all__ = ["REASONS", "STATS", "Sites", "Uncounted"]

"""Learn and clean without a crawl: pages of one site, or a corpus of rows, samples and models as bytes.

``one_site`` takes pages as they are, ``corpus`` takes rows, ``archives`` reads pages from web archives. Engines such as
Spark only deal rows out to these pure functions, which share no state.
"""

from scrapy_blockfilter.batch.corpus import CleanedRow, PageRow, clean_sorted, fit, merge, sample_of
from scrapy_blockfilter.identity import page_id, site_key
from scrapy_blockfilter.sample import MergeError

__all__ = ["CleanedRow", "MergeError", "PageRow", "clean_sorted", "fit", "merge", "page_id", "sample_of", "site_key"]

"""Learn and clean a corpus rather than a crawl: pages as rows, samples and models as bytes, and no shared state.

``corpus`` learns and cleans, ``archives`` reads pages from web archives. Engines such as Spark only deal rows out to
these pure functions.
"""

from scrapy_blockfilter.batch.corpus import CleanedRow, PageRow, clean_sorted, fit, merge, sample_of

__all__ = ["CleanedRow", "PageRow", "clean_sorted", "fit", "merge", "sample_of"]

"""Learn and clean a corpus rather than a crawl: pages as rows, samples and models as bytes, and no shared state.

``samples`` learns, ``rows`` settles which content of a page counts, and ``sorted_pages`` cleans rows sorted by site.
What engines such as Spark need is in these pure functions; :mod:`scrapy_blockfilter.extras.spark` only deals the rows out.
"""

from scrapy_blockfilter.batch.rows import CleanedRow, PageRow
from scrapy_blockfilter.batch.samples import fit, merge, sample_of
from scrapy_blockfilter.batch.sorted_pages import clean_sorted

__all__ = ["CleanedRow", "PageRow", "clean_sorted", "fit", "merge", "sample_of"]

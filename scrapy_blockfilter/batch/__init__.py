"""Learn and clean a corpus rather than a crawl: pages as rows, samples and models as bytes, and no shared state.

``samples`` learns, ``rows`` settles which content of a page counts, and ``sorted_pages`` cleans rows sorted by site.
Engines such as Spark only deal rows out to these pure functions.
"""

from scrapy_blockfilter.batch.rows import CleanedRow, PageRow
from scrapy_blockfilter.batch.samples import fit, merge, sample_of
from scrapy_blockfilter.batch.sorted_pages import clean_sorted

__all__ = ["CleanedRow", "PageRow", "clean_sorted", "fit", "merge", "sample_of"]

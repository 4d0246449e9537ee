"""The site sample: the memory of a site, a bounded set of page records."""

from scrapy_blockfilter.sample.page_record import MAX_BLOCKS, PageRecord
from scrapy_blockfilter.sample.site_sample import SAMPLE_GROWTH, MergeError, SiteSample

__all__ = ["MAX_BLOCKS", "SAMPLE_GROWTH", "MergeError", "PageRecord", "SiteSample"]

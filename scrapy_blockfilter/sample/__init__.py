"""The site sample: the memory of a site, a bounded set of page records."""

from scrapy_blockfilter.sample.page_record import PageRecord
from scrapy_blockfilter.sample.site_sample import SAMPLE_GROWTH, MergeError, SiteSample

__all__ = ["SAMPLE_GROWTH", "MergeError", "PageRecord", "SiteSample"]

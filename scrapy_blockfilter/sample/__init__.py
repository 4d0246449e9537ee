"""The site sample: the memory of a site, a bounded set of page records."""

from scrapy_blockfilter.sample.features import BlockFeatures, PageFeatures
from scrapy_blockfilter.sample.record import PageRecord
from scrapy_blockfilter.sample.recorded_page import RecordedPage
from scrapy_blockfilter.sample.site_sample import SAMPLE_GROWTH, MergeError, SiteSample

__all__ = ["SAMPLE_GROWTH", "BlockFeatures", "MergeError", "PageFeatures", "PageRecord", "RecordedPage", "SiteSample"]

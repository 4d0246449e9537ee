"""What is remembered of a site: a bounded set of page records."""

from scrapy_blockfilter.sample.site_sample import (
    SAMPLE_GROWTH,
    BlockFeatures,
    PageFeatures,
    PageRecord,
    RecordedPage,
    SiteSample,
)

__all__ = ["SAMPLE_GROWTH", "BlockFeatures", "PageFeatures", "PageRecord", "RecordedPage", "SiteSample"]

"""Find the page of a URL and its site, as in a crawl, but without Scrapy."""

from scrapy_blockfilter.identity.site_keys import domain_of, page_id, site_key

__all__ = ["domain_of", "page_id", "site_key"]

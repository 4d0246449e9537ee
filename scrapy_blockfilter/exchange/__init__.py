"""The learnt rules of a site as text to review, to keep under version control and to take elsewhere."""

from scrapy_blockfilter.exchange.site_config import read_site_config, write_site_config
from scrapy_blockfilter.exchange.site_rules import Rules, RulesError, read_rules, write_rules

__all__ = ["Rules", "RulesError", "read_rules", "read_site_config", "write_rules", "write_site_config"]

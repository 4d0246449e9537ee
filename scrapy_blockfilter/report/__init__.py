"""What was decided on a page, and why: as plain values for JSON and the terminal."""

from scrapy_blockfilter.report.facts import page_facts

__all__ = ["page_facts"]

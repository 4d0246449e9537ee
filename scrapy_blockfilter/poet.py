"""The path that settings name the provider of scrapy-poet by. It is :mod:`scrapy_blockfilter.extras.poet`."""

from scrapy_blockfilter.extras.poet import CleanText, CleanTextProvider

__all__ = ["CleanText", "CleanTextProvider"]

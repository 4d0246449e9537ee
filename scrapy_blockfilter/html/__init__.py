"""Turn HTML into blocks.

Only this package and ``render`` know the tree. ``parse`` builds a tree within limits, and ``segment`` walks it once
into a :class:`~scrapy_blockfilter.html.page.Page` of blocks.
"""

from scrapy_blockfilter.html.block import Block
from scrapy_blockfilter.html.limits import Limits, UnfitPage
from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.html.parse import parse
from scrapy_blockfilter.html.segment import segment

__all__ = ["Block", "Limits", "Page", "UnfitPage", "parse", "segment"]

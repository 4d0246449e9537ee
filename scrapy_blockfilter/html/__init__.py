"""Turn HTML into blocks.

Only this package and ``render`` know the tree. :class:`~scrapy_blockfilter.html.reader.Reader` is the way in: its
``tree_of`` builds a tree within limits, and ``segment`` walks the tree once into a
:class:`~scrapy_blockfilter.html.page.Page` of blocks.
"""

from scrapy_blockfilter.html.page import Block, Page
from scrapy_blockfilter.html.parse import parse
from scrapy_blockfilter.html.reader import segment
from scrapy_blockfilter.options.limits import Limits, UnfitPage

__all__ = ["Block", "Limits", "Page", "UnfitPage", "parse", "segment"]

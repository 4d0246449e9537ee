"""Turn HTML into blocks.

Only this package and ``render`` know the tree. :class:`~scrapy_blockfilter.html.reader.Reader` is the way in: it builds
a tree within limits, and ``segment`` walks the tree once into a :class:`~scrapy_blockfilter.html.page.Page` of blocks.
"""

from scrapy_blockfilter.html.block import Block
from scrapy_blockfilter.html.class_hints import GROUPS
from scrapy_blockfilter.html.page import Page, PageCaches
from scrapy_blockfilter.html.parse import build, is_document, own_copy, parse
from scrapy_blockfilter.html.reader import Reader, read_input, segment
from scrapy_blockfilter.options.limits import DEFAULT_LIMITS, Limits, UnfitPage

__all__ = ["DEFAULT_LIMITS", "GROUPS", "Block", "Limits", "Page", "PageCaches", "Reader", "UnfitPage"]
__all__ += ["build", "is_document", "own_copy", "parse", "read_input", "segment"]

"""HTML in, blocks out, and the kept blocks back to HTML or text.

The only room that knows the tree. ``parse`` makes a tree within limits, ``segment`` walks it once into a
:class:`~scrapy_blockfilter.html.page.Page` of blocks, ``render`` writes the page again without the stripped ones.
"""

from scrapy_blockfilter.html.block import Block
from scrapy_blockfilter.html.limits import Limits, UnfitPage
from scrapy_blockfilter.html.markdown import render_markdown
from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.html.parse import parse
from scrapy_blockfilter.html.plain import render_text
from scrapy_blockfilter.html.render import render_html
from scrapy_blockfilter.html.segment import segment

__all__ = ["Block", "Limits", "Page", "UnfitPage", "parse", "render_html", "render_markdown", "render_text", "segment"]

"""Write the kept blocks of a page as HTML, plain text or Markdown."""

from scrapy_blockfilter.render.html import render_html
from scrapy_blockfilter.render.markdown import render_markdown
from scrapy_blockfilter.render.text import render_text

__all__ = ["render_html", "render_markdown", "render_text"]

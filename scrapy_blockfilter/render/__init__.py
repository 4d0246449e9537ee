"""Write the kept blocks of a page as HTML, plain text or Markdown, and list parts of them.

The modules of Markdown are imported when it is first asked for: most crawls do without.
"""

from scrapy_blockfilter.render.chunks import render_chunks
from scrapy_blockfilter.render.html import render_html
from scrapy_blockfilter.render.links import render_links
from scrapy_blockfilter.render.text import render_text

__all__ = [
    "render_chunks",
    "render_html",
    "render_links",
    "render_text",
]

"""Write the kept blocks of a page as HTML, plain text or Markdown, and list parts of them."""

from scrapy_blockfilter.render.chunks import render_chunks
from scrapy_blockfilter.render.html import render_html
from scrapy_blockfilter.render.lists import render_images, render_links
from scrapy_blockfilter.render.markdown import render_markdown
from scrapy_blockfilter.render.markdown_chunks import render_markdown_chunks
from scrapy_blockfilter.render.text import render_text

__all__ = ["render_chunks", "render_html", "render_images", "render_links", "render_markdown"]
__all__ += ["render_markdown_chunks", "render_text"]

"""Write the kept blocks of a page as HTML, plain text or Markdown, and list parts of them.

The modules of Markdown are imported when it is first asked for: most crawls do without.
"""

from typing import TYPE_CHECKING

from scrapy_blockfilter.render.chunks import render_chunks
from scrapy_blockfilter.render.html import render_html
from scrapy_blockfilter.render.image_list import render_images
from scrapy_blockfilter.render.links import render_links
from scrapy_blockfilter.render.text import render_text

if TYPE_CHECKING:
    from scrapy_blockfilter.render.markdown import render_markdown
else:

    def __getattr__(name: str) -> object:
        if name == "render_markdown":
            from scrapy_blockfilter.render.markdown import render_markdown

            return render_markdown
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["render_chunks", "render_html", "render_images", "render_links", "render_markdown", "render_text"]

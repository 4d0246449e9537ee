"""Find what has changed on the pages of a site since the last crawl: two forms, and a memory of pages beside the store.

``keys`` says what is compared, ``memory`` what is remembered of a page. The memory is kept in a ``file``, or on a
``server``. The ``tracker`` of a crawl compares its items with the memory, and remembers those that are out.
``site_news`` separates changes of the site from changes of a page.
"""

from __future__ import annotations

from typing import Any

from scrapy_blockfilter.extras.changes.keys import chunk_key, text_key

__all__ = ["CHANGE", "CHANGED_CHUNKS", "chunk_key", "text_key"]

from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.options.output_forms import OutputForm


def _unknown(cleaned: Cleaned) -> None:
    """Return None: no crawl has compared the page. The tracker of a crawl fills fields itself."""


def _start(session: Any) -> None:
    from scrapy_blockfilter.extras.changes.tracker import Tracker  # in crawls alone: it opens a database

    Tracker.start(session)


CHANGE = OutputForm(
    '`"new"`, `"changed"`, `"unchanged"` or `"moved"`, against the last crawl; none outside of a crawl',
    _unknown,
    start=_start,
)
CHANGED_CHUNKS = OutputForm(
    "those of the `chunks` that the page did not have in the last crawl; none outside of a crawl",
    _unknown,
    start=_start,
)

"""Read the HTML pages of web archives as records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from scrapy_blockfilter.batch.archives import archived_pages
from scrapy_blockfilter.commands.offline.record import Record


def pages_of(name: str, stream: IO[bytes]) -> Iterator[Record]:
    """Yield the HTML pages with status 200, and an error for each that cannot be read."""
    for page in archived_pages(stream):
        place = f"{name}:{page.number}"
        yield Record(place, page.error) if page.error else Record(place, url=page.url, html=page.html)

"""Read HTML pages from web archives, through warcio."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from scrapy_blockfilter.commands.offline.record import MAX_BYTES, Record
from scrapy_blockfilter.html.charsets import decode

_HTML = ("text/html", "application/xhtml+xml")
_OK = "200"


def pages_of(name: str, stream: IO[bytes]) -> Iterator[Record]:
    """Yield the HTML pages with status 200, and an error for each that cannot be read."""
    number = 0
    try:
        for found in ArchiveIterator(stream):
            number += 1
            if found.rec_type == "response" and found.http_headers is not None and _is_page(found.http_headers):
                yield _page(f"{name}:{number}", found)
    except ArchiveLoadFailed as error:
        yield Record(f"{name}:{number + 1}", f"the archive cannot be read further: {' '.join(str(error).split())}")


def _is_page(headers: Any) -> bool:
    kind = (headers.get_header("Content-Type") or "").partition(";")[0].strip().lower()
    return headers.get_statuscode() == _OK and kind in _HTML


def _page(place: str, found: Any) -> Record:
    url = found.rec_headers.get_header("WARC-Target-URI") or ""
    try:
        body = found.content_stream().read(MAX_BYTES + 1)
    except Exception as error:  # decoders of content encodings raise many types
        return Record(place, f"its body cannot be unpacked: {error}")
    if len(body) > MAX_BYTES:
        return Record(place, f"it has more than {MAX_BYTES:,} bytes")
    return Record(place, url=url, html=decode(body, found.http_headers.get_header("Content-Type")))

"""Read HTML pages from web archives, through warcio."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone
from typing import IO, Any, NamedTuple

from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import DecompressingBufferedReader
from warcio.exceptions import ArchiveLoadFailed

from scrapy_blockfilter.html.charsets import decode
from scrapy_blockfilter.options.limits import MAX_RECORD_BYTES

_HTML = ("text/html", "application/xhtml+xml")
_OK = "200"
# Bytes of all header lines of a record, its own and those of the response: four times as many as browsers accept. A few
# hundred KB could unpack to a line of hundreds of MB.
_MAX_HEADERS = 2**20
# Characters of an error: warcio quotes whole lines.
_MAX_REASON = 200


class ArchivedPage(NamedTuple):
    """A page of a web archive."""

    number: int  # of the record in the archive, from 1
    error: str = ""  # why it could not be read
    url: str = ""
    html: str | None = ""  # decoded by the header of the response first; None for a response that is no page
    time: int = 0  # when it was fetched, in seconds since 1970; 0 if unknown


def archived_responses(stream: IO[bytes]) -> Iterator[ArchivedPage]:
    """Yield all responses, and an error for each unreadable one. Responses with HTML and status 200 are pages."""
    number = 0
    try:
        archive = ArchiveIterator(stream)
        archive.reader = reader = _BoundedReader(stream)
        for found in archive:
            number += 1
            reader.lines = 0
            if found.rec_type == "response":
                is_page = found.http_headers is not None and _is_page(found.http_headers)
                yield _page(number, found) if is_page else ArchivedPage(number, html=None)
    except ArchiveLoadFailed as error:
        yield ArchivedPage(number + 1, f"the archive cannot be read further: {_reason(error)}")


class _BoundedReader(DecompressingBufferedReader):  # type: ignore[misc]
    """Unpack an archive as warcio does, but read no endless lines."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(stream)
        self.lines = 0  # bytes of lines read since the last body

    def readline(self, length: int | None = None) -> bytes:
        room = _MAX_HEADERS + 1 - self.lines
        line: bytes = super().readline(room if length is None else min(length, room))
        self.lines += len(line)
        if self.lines > _MAX_HEADERS:
            raise ArchiveLoadFailed(f"a record's headers have more than {_MAX_HEADERS:,} bytes")
        return line

    def read(self, length: int | None = None) -> bytes:
        self.lines = 0
        data: bytes = super().read(length)
        return data


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())[:_MAX_REASON]


def _is_page(headers: Any) -> bool:
    kind = (headers.get_header("Content-Type") or "").partition(";")[0].strip().lower()
    return headers.get_statuscode() == _OK and kind in _HTML


def _page(number: int, found: Any) -> ArchivedPage:
    url = found.rec_headers.get_header("WARC-Target-URI") or ""
    try:
        body = found.content_stream().read(MAX_RECORD_BYTES + 1)
    except Exception as error:  # decoders of content encodings raise many types
        return ArchivedPage(number, f"its body cannot be unpacked: {_reason(error)}")
    if len(body) > MAX_RECORD_BYTES:
        return ArchivedPage(number, f"it has more than {MAX_RECORD_BYTES:,} bytes")
    html = decode(body, found.http_headers.get_header("Content-Type"))
    return ArchivedPage(number, url=url, html=html, time=_seconds(found.rec_headers.get_header("WARC-Date")))


def _seconds(date: str | None) -> int:
    """Return the seconds of a date such as 2024-01-01T00:00:00Z, 0 for an unreadable date."""
    try:
        return int(datetime.strptime((date or "")[:19], "%Y-%m-%dT%H:%M:%S").replace(tzinfo=timezone.utc).timestamp())
    except ValueError:
        return 0

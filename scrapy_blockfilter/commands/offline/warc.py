"""Read HTML pages from web archives, through warcio."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import DecompressingBufferedReader
from warcio.exceptions import ArchiveLoadFailed

from scrapy_blockfilter.commands.offline.record import MAX_BYTES, Record
from scrapy_blockfilter.html.charsets import decode

_HTML = ("text/html", "application/xhtml+xml")
_OK = "200"
# Bytes of all header lines of a record, its own and those of the response: four times as many as browsers accept. A few
# hundred KB unpack to a line of hundreds of MB.
_MAX_HEADERS = 2**20
# Characters of an error: warcio's quote the line.
_MAX_REASON = 200


def pages_of(name: str, stream: IO[bytes]) -> Iterator[Record]:
    """Yield the HTML pages with status 200, and an error for each that cannot be read."""
    number = 0
    try:
        archive = ArchiveIterator(stream)
        archive.reader = reader = _BoundedReader(stream)
        for found in archive:
            number += 1
            reader.lines = 0
            if found.rec_type == "response" and found.http_headers is not None and _is_page(found.http_headers):
                yield _page(f"{name}:{number}", found)
    except ArchiveLoadFailed as error:
        yield Record(f"{name}:{number + 1}", f"the archive cannot be read further: {_reason(error)}")


class _BoundedReader(DecompressingBufferedReader):  # type: ignore[misc]
    """Unpack an archive as warcio does, but read no endless lines.

    Attributes:
        lines: bytes of lines read since the last body.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(stream)
        self.lines = 0

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


def _page(place: str, found: Any) -> Record:
    url = found.rec_headers.get_header("WARC-Target-URI") or ""
    try:
        body = found.content_stream().read(MAX_BYTES + 1)
    except Exception as error:  # decoders of content encodings raise many types
        return Record(place, f"its body cannot be unpacked: {_reason(error)}")
    if len(body) > MAX_BYTES:
        return Record(place, f"it has more than {MAX_BYTES:,} bytes")
    return Record(place, url=url, html=decode(body, found.http_headers.get_header("Content-Type")))

"""Read HTML pages from web archives, through warcio."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import IO, Any, NamedTuple

from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import DecompressingBufferedReader
from warcio.exceptions import ArchiveLoadFailed
from warcio.recordloader import ArcWarcRecordLoader

from scrapy_blockfilter.html.charsets import decode
from scrapy_blockfilter.options.limits import MAX_RECORD_BYTES

_HTML = ("text/html", "application/xhtml+xml")
_OK = "200"
# Bytes of all header lines of a record, its own and those of the response: four times as many as browsers accept. A few
# hundred KB could unpack to a line of hundreds of MB.
_MAX_HEADERS = 2**20
# Characters of an error: warcio quotes whole lines.
_MAX_REASON = 200
# White space and marks of byte order; characters that no text has, and bytes in which packed data has some.
_BEFORE_TAGS = b" \t\r\n\f\0\xef\xbb\xbf\xfe\xff"
_CONTROL = re.compile(rb"[\0-\x08\x0e-\x1a]")
_LOOKED_AT = 1_000


class ArchivedPage(NamedTuple):
    """A page of a web archive."""

    number: int  # of the record in the archive, from 1
    error: str = ""  # why it could not be read
    url: str = ""
    html: str | None = ""  # decoded by the header of the response first; None for a response that is no page
    time: int = 0  # when it was fetched, in seconds since 1970; 0 if unknown


def archived_responses(stream: IO[bytes]) -> Iterator[ArchivedPage]:
    """Yield all responses, and an error for each that cannot be read. Responses with HTML and status 200 are pages."""
    number, is_cut = 0, False
    try:
        archive = ArchiveIterator(stream)
        archive.loader = _Loader(verify_http=False, arc2warc=False)
        archive.reader = reader = _BoundedReader(stream)
        for found in archive:
            number += 1
            page = _response(number, found) if found.rec_type == "response" else None
            is_cut = _is_cut(found)
            reader.lines = 0
            if is_cut:
                yield ArchivedPage(number, "it is cut off: it has fewer bytes than its Content-Length says")
            elif page:
                yield page
        if reader.is_cut and not is_cut:
            yield ArchivedPage(number + 1, "the archive is cut off within a record")
    except OSError:
        raise
    except Exception as error:  # warcio raises many types for headers that are not as it expects them
        yield ArchivedPage(number + 1, f"the archive cannot be read further: {_reason(error)}")


class _Loader(ArcWarcRecordLoader):  # type: ignore[misc]
    """Read records as warcio does, and one without an address, too."""

    def load_http_headers(self, rec_type: str, uri: str | None, stream: Any, length: int | None) -> Any:
        return super().load_http_headers(rec_type, uri or "http:", stream, length)


class _BoundedReader(DecompressingBufferedReader):  # type: ignore[misc]
    """Unpack an archive as warcio does, but read no endless lines."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(stream)
        self.lines = 0  # bytes of lines read since the last body, without empty ones before the next record
        self.is_cut = False  # whether the archive ended within a record, or within what it is packed in

    def readline(self, length: int | None = None) -> bytes:
        room = _MAX_HEADERS + 1 - self.lines
        line: bytes = super().readline(room if length is None else min(length, room))
        self.lines += len(line) if self.lines or line.strip() else 0
        if self.lines > _MAX_HEADERS:
            raise ArchiveLoadFailed(f"a record's headers have more than {_MAX_HEADERS:,} bytes")
        return line

    def read(self, length: int | None = None) -> bytes:
        self.lines = 0
        data: bytes = super().read(length)
        return data

    def close_decompressor(self) -> None:
        packed = self.decompressor if self.num_read else None
        self.is_cut = bool(self.lines or (packed and not packed.eof))
        super().close_decompressor()


def _is_cut(found: Any) -> bool:
    """Read the rest of a record, and return whether there is less than its header says."""
    while found.raw_stream.read(_MAX_HEADERS):
        pass
    is_short = bool(getattr(found.raw_stream, "limit", True))
    return is_short or (found.rec_type == "response" and not found.length)


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())[:_MAX_REASON]


def _is_page(headers: Any) -> bool:
    kind = (headers.get_header("Content-Type") or "").partition(";")[0].strip().lower()
    return headers.get_statuscode() == _OK and kind in _HTML


def _response(number: int, found: Any) -> ArchivedPage:
    headers = found.http_headers
    if headers is None or not _is_page(headers):
        return ArchivedPage(number, html=None)
    encoding = (headers.get_header("Content-Encoding") or "identity").strip().lower().removeprefix("x-")
    headers.replace_header("Content-Encoding", encoding)
    try:
        body = _content(found).read(MAX_RECORD_BYTES + 1)
    except Exception as error:  # decoders of content encodings raise many types
        return ArchivedPage(number, f"its body cannot be unpacked from {encoding[:_MAX_REASON]}: {_reason(error)}")
    if len(body) > MAX_RECORD_BYTES:
        return ArchivedPage(number, f"it has more than {MAX_RECORD_BYTES:,} bytes")
    if _is_packed(body, encoding):
        return ArchivedPage(number, f"its body cannot be unpacked from {encoding[:_MAX_REASON]}")
    url = found.rec_headers.get_header("WARC-Target-URI") or ""
    html = decode(body, headers.get_header("Content-Type"))
    return ArchivedPage(number, url=url, html=html, time=_seconds(found.rec_headers.get_header("WARC-Date")))


def _content(found: Any) -> Any:
    try:
        return found.content_stream()
    except AttributeError:  # warcio cannot use brotli from 1.2 on
        found.http_headers.replace_header("Content-Encoding", "identity")
        return found.content_stream()


def _is_packed(body: bytes, encoding: str) -> bool:
    """Return whether a body is still packed, after what warcio unpacks: it passes on what it cannot."""
    if encoding == "identity" or body.lstrip(_BEFORE_TAGS)[:1] in (b"", b"<"):
        return False  # archives of unpacked bodies may keep the header
    return encoding not in ("gzip", "deflate") or bool(_CONTROL.search(body, 0, _LOOKED_AT))


def _seconds(date: str | None) -> int:
    """Return the seconds of a date such as 2024-01-01T00:00:00Z, 0 for an unreadable date."""
    try:
        return int(datetime.strptime((date or "")[:19], "%Y-%m-%dT%H:%M:%S").replace(tzinfo=timezone.utc).timestamp())
    except ValueError:
        return 0

"""Read the records of a file as a stream, with at most one of them in memory."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Any, NamedTuple

from scrapy_blockfilter.commands.offline.files import InputFile, damage
from scrapy_blockfilter.options.limits import MAX_RECORD_BYTES
from scrapy_blockfilter.report.plain_json import Literal


class Record(NamedTuple):
    """One page or item that was crawled earlier.

    Attributes:
        place: file and number, from 1, for people.
        error: why it could not be read, else "".
        url: of the page. Items have theirs in a field.
        folder: the site that the folder of an HTML file names.
        html: the page, from files and archives.
        item: the fields, from feeds.
    """

    place: str
    error: str = ""
    url: str | None = None
    folder: str = ""
    html: str | bytes | None = None
    item: Mapping[str, Any] | None = None

    @property
    def is_other(self) -> bool:
        """Whether it is a response of an archive that is no page."""
        return not self.error and self.html is None and self.item is None


# Errors that reading may raise for a file that is cut off, damaged, or of another format than its name says.
_DAMAGE = (OSError, UnicodeDecodeError, csv.Error)
# Python reads integers of up to 4,300 digits, in quadratic time.
_MAX_DIGITS = 1_000
# Characters of a library's error.
_MAX_REASON = 200


def read_records(file: InputFile, tell: Callable[[int], object] = lambda position: None) -> Iterator[Record]:
    """Yield the records of a file, and ``tell`` the byte up to which it is read. Raise nothing.

    An unreadable part becomes a record with an error.
    """
    number = 0
    try:
        stream, raw = file.open()
        with raw:
            for record in _READERS[file.kind](file, stream):
                number += 1
                tell(raw.tell())
                yield record
    except damage(_DAMAGE) as error:
        yield Record(f"{file.path}:{number + 1}", f"the file cannot be read further: {error or type(error).__name__}")


def _html(file: InputFile, stream: IO[bytes]) -> Iterator[Record]:
    html = stream.read(MAX_RECORD_BYTES + 1)
    if len(html) > MAX_RECORD_BYTES:
        yield Record(str(file.path), f"the file has more than {MAX_RECORD_BYTES:,} bytes")
    else:
        yield Record(str(file.path), url=file.url, folder=file.folder, html=html)


def _json(file: InputFile, stream: IO[bytes]) -> Iterator[Record]:
    for number, line in _lines(stream):
        place = f"{file.path}:{number}"
        if line is None:
            yield Record(place, f"the line has more than {MAX_RECORD_BYTES:,} bytes")
        elif line.strip():
            yield _item(place, line)


def _item(place: str, line: bytes) -> Record:
    try:
        item = json.loads(line, parse_float=_float, parse_int=_int, parse_constant=_constant)
    except (ValueError, RecursionError) as error:
        return Record(place, f"no JSON: {error}")
    if not isinstance(item, dict):
        return Record(place, f"JSON of a {type(item).__name__}, not of an item with fields")
    return Record(place, item=item)


def _float(text: str) -> float | Literal:
    """Read a number, but keep one as it was written if it would become infinite."""
    value = float(text)
    return value if math.isfinite(value) else Literal(text)


def _int(text: str) -> int | Literal:
    return int(text) if len(text) < _MAX_DIGITS else Literal(text)


def _constant(name: str) -> None:
    """Read NaN and Infinity, which Python writes and which are no JSON, as null."""


def _lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes | None]]:
    """Yield the lines with their numbers, None for one that is too long."""
    number = 0
    while line := stream.readline(MAX_RECORD_BYTES + 1):
        number += 1
        if len(line) <= MAX_RECORD_BYTES:
            yield number, line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(MAX_RECORD_BYTES)
        yield number, None


def _csv(file: InputFile, stream: IO[bytes]) -> Iterator[Record]:
    csv.field_size_limit(MAX_RECORD_BYTES)
    size = 0

    def decoded_lines() -> Iterator[str]:
        nonlocal size
        for number, line in _lines(stream):
            size += len(line or "")
            if line is None or size > MAX_RECORD_BYTES:
                raise csv.Error(f"the row of line {number} has more than {MAX_RECORD_BYTES:,} bytes")
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")

    reader = csv.DictReader(decoded_lines())
    for row in reader:
        size = 0
        place = f"{file.path}:{reader.line_num}"
        if None in row or None in row.values():
            yield Record(place, "it has another number of fields than the header line")
        else:
            yield Record(place, item=row)


def _parquet(file: InputFile, stream: IO[bytes]) -> Iterator[Record]:
    import pyarrow as pa  # needs the extra

    from scrapy_blockfilter.commands.offline.parquet import rows_of

    number = 0
    try:
        for number, item in enumerate(rows_of(stream), 1):
            place = f"{file.path}:{number}"
            yield Record(place, item) if isinstance(item, str) else Record(place, item=item)
    except (pa.ArrowException, ValueError) as error:
        reason = " ".join(str(error).split())
        yield Record(f"{file.path}:{number + 1}", f"the file cannot be read further: {reason[:_MAX_REASON]}")


def _warc(file: InputFile, stream: IO[bytes]) -> Iterator[Record]:
    from scrapy_blockfilter.batch.archives import archived_responses  # needs the extra

    for page in archived_responses(stream):
        yield Record(f"{file.path}:{page.number}", page.error, page.url, html=page.html)


_READERS: Mapping[str, Callable[[InputFile, IO[bytes]], Iterator[Record]]] = {
    "html": _html,
    "json": _json,
    "csv": _csv,
    "parquet": _parquet,
    "warc": _warc,
}

"""Read the records of a file as a stream, with at most one of them in memory."""

from __future__ import annotations

import codecs
import json
import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

from scrapy_blockfilter.commands.output import Literal
from scrapy_blockfilter.options.limits import MAX_RECORD_BYTES


class InputFile(NamedTuple):
    """A file to read."""

    path: Path | str  # or its URL if it is elsewhere
    kind: str  # how it is read: "html", "json", "warc" or another
    folder: str  # the site that its folder names; used for HTML files only
    is_input: bool = False  # whether it holds what the standard input had, and is nobody's file

    @property
    def name(self) -> str:
        """Its path or URL for people."""
        return "standard input" if self.is_input else str(self.path)

    def open(self) -> tuple[IO[bytes], IO[bytes]]:
        """Open the file. Return its unpacked bytes, and the file itself, whose position shows the progress."""
        file = Path(self.path).open("rb")  # noqa: SIM115 - the caller closes it
        return file, file

    def state(self) -> tuple[int, object]:
        """Return the size of the file, and a value that changes with its content."""
        status = Path(self.path).stat()
        return status.st_size, status.st_mtime_ns

    @property
    def url(self) -> str:
        return Path(self.path).resolve().as_uri()


class Record(NamedTuple):
    """One page or item that was crawled earlier."""

    place: str  # file and number, from 1, for people
    error: str = ""  # why it could not be read
    url: str | None = None  # of the page; an item has it in a field
    folder: str = ""  # the site that the folder of an HTML file names
    html: str | bytes | None = None  # the page, from files and archives
    item: Mapping[str, Any] | None = None  # the fields, from feeds
    position: int = 0  # the byte of its file up to which that is read

    @property
    def is_other(self) -> bool:
        """Whether it is a response of an archive that is no page."""
        return not self.error and self.html is None and self.item is None


class Batch(NamedTuple):
    """A batch of records, up to which ``read`` records and ``position`` bytes of all input are read."""

    records: list[Record]
    read: int
    position: int
    others: int = 0  # responses between these records that are no page, and left out


Reader = Callable[[InputFile, IO[bytes]], Iterator[Record]]
# Python reads integers of up to 4,300 digits, in quadratic time.
_MAX_DIGITS = 1_000


def _html(file: InputFile, stream: IO[bytes]) -> Iterator[Record]:
    html = stream.read(MAX_RECORD_BYTES + 1)
    if len(html) > MAX_RECORD_BYTES:
        yield Record(file.name, f"the file has more than {MAX_RECORD_BYTES:,} bytes")
    else:
        yield Record(file.name, url=None if file.is_input else file.url, folder=file.folder, html=html)


def _json(file: InputFile, stream: IO[bytes]) -> Iterator[Record]:
    for number, line in bounded_lines(stream):
        place = f"{file.name}:{number}"
        if line is None:
            yield Record(place, f"the line has more than {MAX_RECORD_BYTES:,} bytes")
        elif line.strip():
            yield _item(place, line)


def _item(place: str, line: bytes) -> Record:
    try:
        # NaN and Infinity, which Python writes and which are no JSON, become null.
        item = json.loads(line, parse_float=_float, parse_int=_int, parse_constant=lambda name: None)
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


def bounded_lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes | None]]:
    """Yield the lines with their numbers, None for a line that is too long."""
    number = 0
    while line := stream.readline(MAX_RECORD_BYTES + 1):
        number += 1
        if number == 1 and line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise OSError("it is in UTF-16: `iconv -f UTF-16 -t UTF-8` makes a file that can")
        if len(line) <= MAX_RECORD_BYTES:
            yield number, line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(MAX_RECORD_BYTES)
        yield number, None


def _warc(file: InputFile, stream: IO[bytes]) -> Iterator[Record]:
    from scrapy_blockfilter.batch.archives import archived_responses  # needs the extra

    for page in archived_responses(stream):
        yield Record(f"{file.name}:{page.number}", page.error, page.url, html=page.html)


READERS: Mapping[str, Reader] = {"html": _html, "json": _json, "warc": _warc}

"""Work on records in one process, their results, and lines that are written as they come. An extra does more."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from scrapy_blockfilter.commands.offline.records import Batch, Record
from scrapy_blockfilter.commands.output import printable
from scrapy_blockfilter.html.parse import is_document

Made = TypeVar("Made")

# Notes that are kept, for JSON, and printed.
_MAX_NOTES = 1_000
_PRINTED_NOTES = 20
# Names of fields that are kept for a message.
_MAX_FIELDS = 20

UNREADABLE = "unreadable"
# Responses of an archive that are left out.
OTHER = "not_html"
# Cleaned records that may have lost content.
SUSPICIOUS = "suspicious"


@dataclass
class Tally:
    """The results of some records."""

    counts: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)  # the first records that could not be read, and why
    suspicious: list[str] = field(default_factory=list)
    mixed: list[str] = field(default_factory=list)  # folders whose pages say that they are of several sites
    # The first fields of items without a field to clean, and whether a whole page is in them.
    fields: dict[str, bool] = field(default_factory=dict)
    stats: Counter[str] = field(default_factory=Counter)  # of a crawl that has learnt from the records

    def unreadable(self, record: Record) -> None:
        self.counts[UNREADABLE] += 1
        if len(self.notes) < _MAX_NOTES:
            self.notes.append(f"{record.place}: {record.error}")

    def readable(self, records: Iterable[Record]) -> Iterator[Record]:
        """Yield the records that could be read, and note the others."""
        for record in records:
            if record.error:
                self.unreadable(record)
            else:
                yield record

    def suspect(self, page: str, reason: str) -> None:
        self.counts[SUSPICIOUS] += 1
        if len(self.suspicious) < _MAX_NOTES:
            self.suspicious.append(f"{page} {reason}")

    def note_fields(self, record: Record) -> None:
        """Note the fields of an item that has none to clean."""
        if len(self.fields) < _MAX_FIELDS:
            for name, value in (record.item or {}).items():
                self.fields[name] = self.fields.get(name, False) or (isinstance(value, str) and is_document(value))

    def add(self, other: Tally) -> None:
        self.counts.update(other.counts)
        self.stats.update(other.stats)
        both = (self.notes, other.notes), (self.suspicious, other.suspicious), (self.mixed, other.mixed)
        for kept, more in both:
            kept.extend(more[: _MAX_NOTES - len(kept)])
        if len(self.fields) < _MAX_FIELDS:
            for name, is_page in other.fields.items():
                self.fields[name] = self.fields.get(name, False) or is_page

    def print_notes(self) -> None:
        """List unreadable records, suspicious pages and mixed folders on standard error."""
        for folder in self.mixed[:_PRINTED_NOTES]:
            sys.stderr.write(f"not of one site: {printable(folder)}\n")
        for kind, lines in ((SUSPICIOUS, self.suspicious[:_PRINTED_NOTES]), (UNREADABLE, self.notes[:_PRINTED_NOTES])):
            more = self.counts[kind] - len(lines)
            for line in [*map(printable, lines), *([f"{more} more"] if more else [])]:
                sys.stderr.write(f"{kind}: {line}\n")

    def as_dict(self) -> dict[str, Any]:
        told = {"suspicious": self.suspicious, "mixed": self.mixed}
        shown = {name: texts for name, texts in told.items() if texts}
        return {"counts": dict(sorted((+self.counts).items())), "unreadable": self.notes, **shown}


@dataclass
class Done(Generic[Made]):
    """The outcome of a batch. The last answer of a worker has no ``read``."""

    made: list[Made] = field(default_factory=list)  # of the readable records, in order
    tally: Tally = field(default_factory=Tally)
    read: int = 0
    position: int = 0


class Worker(Protocol[Made]):
    def work(self, batch: Batch) -> Done[Made]: ...

    def close(self) -> Done[Made]:
        """Finish, and return the last answer."""


class Lines:
    """Output of JSON lines, written at once to a file, device or pipe, or else to standard output."""

    resumes = False  # whether the same command goes on where it was stopped

    def __init__(self, written: Path | None = None) -> None:
        self._written = written
        self._stream = written.open("w", encoding="utf-8") if written else sys.stdout
        self.read = self.position = 0  # records that are done, and their bytes in the input
        self.tally = Tally()

    def add(self, done: Done[str]) -> None:
        """Add the lines of further records."""
        self._stream.writelines(f"{line}\n" for line in done.made)
        self.tally.add(done.tally)
        self.read, self.position = done.read, done.position

    def finish(self) -> None:
        """Note that the output is whole."""

    def discard(self) -> None:
        """Remove all output."""
        self.read = 0
        self.close()

    def close(self) -> None:
        """Close the file, and remove it if it has no record."""
        if self._written:
            self._stream.close()
            if not self.read and self._written.is_file():
                self._written.unlink()

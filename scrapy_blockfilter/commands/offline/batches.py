"""The common ground of ``learn`` and ``clean``: arguments, input in batches, and the summary at the end."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode
from scrapy_blockfilter.commands.offline import InputFile, Record, find_files, read_records
from scrapy_blockfilter.commands.output import printable
from scrapy_blockfilter.crawl.item_fields import url_in
from scrapy_blockfilter.html.parse import is_document
from scrapy_blockfilter.identity.site_keys import key_of_name, rule_of
from scrapy_blockfilter.options import Options

# Bounds of a batch: large enough that passing it to another process costs little, small enough for memory.
_BATCH_RECORDS = 32
_BATCH_CHARACTERS = 2_000_000
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
# Records with a simpler form of their page than it has; its reason follows.
SIMPLIFIED = "simplified/"
# Fields whose form failed; the form follows.
FAILED = "failed/"


def add_input_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="HTML files, folders of them, items as JSON lines, CSV or Parquet, WARC files; all also with .gz or .zst, "
        "and elsewhere by a URL such as s3://",
    )
    parser.add_argument(
        "--site", help="the site of all pages (default: that of each URL; for HTML files, the name of their folder)"
    )
    parser.add_argument(
        "--field",
        action="append",
        metavar="NAME",
        help="item field that holds HTML, may be repeated (default: those of BLOCKFILTER_FIELDS)",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="number of processes (default: one per core if there are more than 16 MB to read)",
    )


@dataclass(frozen=True)
class Plan:
    """Instructions for the worker processes that take records.

    Attributes:
        store: path of the store.
        site: key of the site of all records, "" if each tells its own.
        fields: item field -> "html" or "text".
    """

    options: Options
    store: str
    site: str
    fields: Mapping[str, str]


class Places:
    """Tell the page and the site of a record."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._site_of = rule_of(plan.options)

    def of_url(self, url: str | None) -> str | None:
        return self._site_of(url) if url else None

    def url(self, record: Record) -> str | None:
        return record.url if record.item is None else url_in(record.item, self._plan.options.url_fields)

    def site(self, record: Record) -> str | None:
        if self._plan.site:
            return self._plan.site
        return self.of_url(self.url(record)) or key_of_name(record.folder, self._plan.options)


class Batch(NamedTuple):
    """A batch of records.

    Attributes:
        read, position: number of records and bytes from the beginning of all input to the end of this batch.
        others: number of responses between these records that are no page, and left out.
    """

    records: list[Record]
    read: int
    position: int
    others: int = 0


@dataclass
class Tally:
    """The results of some records.

    Attributes:
        counts: outcome -> number.
        notes: the first records that could not be read, and why.
        suspicious: the first pages that may have lost content, and why.
        mixed: folders whose pages say that they are of several sites.
        fields: the first fields of items without a field to clean, and whether a whole page is in them.
    """

    counts: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    suspicious: list[str] = field(default_factory=list)
    mixed: list[str] = field(default_factory=list)
    fields: dict[str, bool] = field(default_factory=dict)

    def unreadable(self, record: Record) -> None:
        self.counts[UNREADABLE] += 1
        if len(self.notes) < _MAX_NOTES:
            self.notes.append(f"{record.place}: {record.error}")

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
        self.notes.extend(other.notes[: _MAX_NOTES - len(self.notes)])
        self.suspicious.extend(other.suspicious[: _MAX_NOTES - len(self.suspicious)])
        self.mixed.extend(other.mixed[: _MAX_NOTES - len(self.mixed)])
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


def plan_of(call: Call) -> Plan:
    """Check the arguments, and return the plan."""
    arguments = call.arguments
    site = arguments.site or ""
    if site:
        named = key_of_name(site, call.options)
        if not named:
            raise CommandError(f"--site {site!r} is not a site: type a host, as in --site example.com.", ExitCode.USAGE)
        site = named
    fields = dict.fromkeys(arguments.field, "html") if arguments.field else call.options.fields
    return Plan(call.options, str(call.store_path), site, fields)


def inputs(call: Call) -> tuple[list[InputFile], list[int]]:
    """Return the files to read. For each, return the byte of all input where it begins, and at last the end."""
    files = find_files(call.arguments.paths)
    starts = [0]
    for file in files:
        starts.append(starts[-1] + file.state()[0])
    return files, starts


def batches(files: Sequence[InputFile], starts: Sequence[int], skip: int = 0) -> Iterator[Batch]:
    """Yield all records of files in batches, without the first ``skip``."""
    records: list[Record] = []
    read = characters = position = others = 0
    for file, start in zip(files, starts, strict=False):
        at = [0]
        for record in read_records(file, lambda byte, at=at: at.__setitem__(0, byte)):  # type: ignore[misc]
            position = start + at[0]
            if record.is_other:
                others += read >= skip
                continue
            read += 1
            if read <= skip:
                continue
            records.append(record)
            characters += _size(record)
            if len(records) >= _BATCH_RECORDS or characters >= _BATCH_CHARACTERS:
                yield Batch(records, read, position, others)
                records, characters, others = [], 0, 0
    if records or (others and read):
        yield Batch(records, read, position, others)


def _size(record: Record) -> int:
    values = record.item.values() if record.item else (record.html,)
    return sum(len(value) for value in values if isinstance(value, str | bytes))

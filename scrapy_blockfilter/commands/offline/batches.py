"""The common ground of ``learn`` and ``clean``: arguments, and input in batches."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode
from scrapy_blockfilter.commands.offline.files import find_files, formats, read_records
from scrapy_blockfilter.commands.offline.records import InputFile, Record
from scrapy_blockfilter.crawl.item_fields import url_in
from scrapy_blockfilter.identity.site_keys import key_of_name, rule_of
from scrapy_blockfilter.options import Options

# Bounds of a batch: large enough that passing it to another process costs little, small enough for memory.
_BATCH_RECORDS = 32
_BATCH_CHARACTERS = 2_000_000


def add_input_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help=formats().paths_help)
    parser.add_argument(
        "--site", help="the site of all pages (default: that of each URL; for HTML files, the name of their folder)"
    )
    parser.add_argument(
        "--field",
        action="append",
        metavar="NAME",
        help="item field that holds HTML, may be repeated (default: those of BLOCKFILTER_FIELDS)",
    )
    formats().add_arguments(parser)


@dataclass(frozen=True)
class Plan:
    """Instructions for the worker processes that take records.

    Attributes:
        store: path of the store.
        site: key of the site of all records, "" if each record names its own.
        fields: item field -> "html" or "text".
    """

    options: Options
    store: str
    site: str
    fields: Mapping[str, str]


class Places:
    """Return the page and the site of a record."""

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

"""The common ground of commands that read files: arguments, how records are read, and work on them in batches."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode
from scrapy_blockfilter.commands.offline.files import find_files, formats, read_records
from scrapy_blockfilter.commands.offline.records import Batch, Record
from scrapy_blockfilter.commands.output import Progress
from scrapy_blockfilter.crawl.item_fields import texts_of, url_in
from scrapy_blockfilter.html.parse import is_document
from scrapy_blockfilter.html.reader import read_input
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
    """How records are read, in this process and in others."""

    options: Options
    store: str
    site: str  # of all records, "" if each record names its own
    fields: Mapping[str, str]  # item field -> "html" or "text"

    def url(self, record: Record) -> str | None:
        return record.url if record.item is None else url_in(record.item, self.options.url_fields)

    def site_of_url(self, url: str | None) -> str | None:
        return rule_of(self.options)(url) if url else None

    def site_of(self, record: Record) -> str | None:
        return self.site or self.site_of_url(self.url(record)) or key_of_name(record.folder, self.options)

    def html_of(self, record: Record) -> Iterator[str]:
        """Yield the page of a record, or the texts of an item's HTML fields."""
        if record.item is None:
            yield read_input(record.html or "")[0]
            return
        for name, kind in self.fields.items():
            if kind == "html":
                yield from texts_of(record.item.get(name)) or ()

    def page_of(self, record: Record) -> str | None:
        """Return the page of a record, or the first text of an item that is a whole page, or else None."""
        return next((text for text in self.html_of(record) if record.item is None or is_document(text)), None)

    def pages_of_site(self, site: str, paths: Iterable[str], most: int | None = None) -> Iterator[tuple[str, str]]:
        """Yield names and HTML of the pages of a site in the first ``most`` records. HTML files are of any site."""
        records = ((file, record) for file in find_files(paths) for record in read_records(file))
        for file, record in islice(records, most):
            html = None if record.error else self.page_of(record)
            if html is not None and (file.kind == "html" or self.site_of(record) == site):
                yield self.url(record) or record.place, html


def plan_of(call: Call) -> Plan:
    """Check the arguments, and return the plan."""
    arguments = call.arguments
    site = arguments.site and key_of_name(arguments.site, call.options)
    if arguments.site and not site:
        message = f"--site {arguments.site!r} is not a site: type a host, as in --site example.com."
        raise CommandError(message, ExitCode.USAGE)
    fields = dict.fromkeys(arguments.field, "html") if arguments.field else call.options.fields
    return Plan(call.options, str(call.store_path), site or "", fields)


class Input:
    """The files at some paths as one stream of records, or CommandError: see :func:`find_files`."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.files = find_files(paths)
        self._sizes = [file.state()[0] for file in self.files]
        self.size = sum(self._sizes)

    def batches(self, skip: int = 0, skipped_bytes: int = 0) -> Generator[Batch, None, None]:
        """Yield all records in batches, without the first ``skip``, and show on standard error how far they are."""
        progress = Progress(sys.stderr, self.size, skip, skipped_bytes)
        try:
            for batch in self._batches(skip):
                yield batch
                progress.note(batch.read, batch.position)
        finally:  # also of a command that is stopped, if it closes the iterator
            progress.end()

    def _batches(self, skip: int) -> Iterator[Batch]:
        records: list[Record] = []
        read = characters = start = position = others = 0
        for file, size in zip(self.files, self._sizes, strict=True):
            for record in read_records(file):
                position = start + record.position
                if record.is_other:
                    others += read >= skip
                    continue
                read += 1
                if read <= skip:
                    continue
                records.append(record)
                values = record.item.values() if record.item else (record.html,)
                characters += sum(len(value) for value in values if isinstance(value, str | bytes))
                if len(records) >= _BATCH_RECORDS or characters >= _BATCH_CHARACTERS:
                    yield Batch(records, read, position, others)
                    records, characters, others = [], 0, 0
            start += size
        if records or (others and read):
            yield Batch(records, read, position, others)

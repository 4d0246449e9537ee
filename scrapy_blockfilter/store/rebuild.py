"""Rebuild a damaged store from what can be read: ``python -m scrapy_blockfilter.store.rebuild PATH``.

The old file is kept under another name. It is only read, as rows of our own tables: nothing in it runs.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.sample.site_sample import MAX_PAGES, MAX_TEXT
from scrapy_blockfilter.sample.slots import MAX_LABEL, MAX_STEPS, SlotStep, are_right
from scrapy_blockfilter.store.correction_table import MAX_CORRECTIONS, MAX_SELECTOR
from scrapy_blockfilter.store.corrections import add, is_correction
from scrapy_blockfilter.store.errors import StoreError, explained
from scrapy_blockfilter.store.opening import connect, identity
from scrapy_blockfilter.store.schema import APPLICATION_ID, SCHEMA_VERSION, our_tables
from scrapy_blockfilter.store.sealed_rows import MAX_BLOCKS, MAX_KEYS, MAX_RECORD, unseal
from scrapy_blockfilter.store.sqlite import SqliteStore
from scrapy_blockfilter.store.suspects import MAX_REASON, MAX_SUSPECTS, MAX_URL, Suspect, plain_url

# Each read from the start and from the end: rows after a damaged place may be whole.
_SITES = ("SELECT id, site FROM sites ORDER BY id", "SELECT id, site FROM sites ORDER BY id DESC")
_PAGES = (
    "SELECT page, CASE WHEN length(blocks) <= ? THEN blocks END, CASE WHEN length(record) <= ? THEN record END "
    "FROM pages WHERE site_id = ? ORDER BY page LIMIT ?",
    "SELECT page, CASE WHEN length(blocks) <= ? THEN blocks END, CASE WHEN length(record) <= ? THEN record END "
    "FROM pages WHERE site_id = ? ORDER BY page DESC LIMIT ?",
)
_TEXTS = (
    "SELECT block, substr(text, 1, ?) FROM blocks WHERE site_id = ? ORDER BY block LIMIT ?",
    "SELECT block, substr(text, 1, ?) FROM blocks WHERE site_id = ? ORDER BY block DESC LIMIT ?",
)
# Files from before these tables have no such rows, and nothing is read.
_STEPS = (
    "SELECT slot, parent, substr(label, 1, ?) FROM slots WHERE site_id = ? ORDER BY slot LIMIT ?",
    "SELECT slot, parent, substr(label, 1, ?) FROM slots WHERE site_id = ? ORDER BY slot DESC LIMIT ?",
)
_CORRECTIONS = (
    "SELECT id, site, action, substr(selector, 1, ?) FROM corrections WHERE undone IS NULL ORDER BY id LIMIT ?",
    "SELECT id, site, action, substr(selector, 1, ?) FROM corrections WHERE undone IS NULL ORDER BY id DESC LIMIT ?",
)
_SUSPECTS = (
    "SELECT id, substr(url, 1, ?), substr(reason, 1, ?), substr(noted, 1, 20) FROM suspicious_pages WHERE site_id = ? "
    "ORDER BY id DESC LIMIT ?",
    "SELECT id, substr(url, 1, ?), substr(reason, 1, ?), substr(noted, 1, 20) FROM suspicious_pages WHERE site_id = ? "
    "ORDER BY id LIMIT ?",
)
# Suffixes of files that SQLite may have put next to the file.
_BESIDE = ("-journal", "-wal", "-shm")
_NEEDED = {"sites", "pages", "blocks"}
# Seconds to wait for a crawl that is writing.
_TIMEOUT = 5.0


@dataclass(frozen=True)
class Rebuilt:
    """The result of rebuilding a store.

    Attributes:
        sites, pages: their numbers in the new file.
        lost: number of sites without a single readable page.
        aside: where the old file is now.
    """

    sites: int
    pages: int
    lost: int
    aside: Path


def rebuild(path: str | os.PathLike[str]) -> Rebuilt:
    """Replace the store at ``path`` by a new one with all its sites and pages that are whole.

    Raises:
        StoreError: there is no file, it is no store or of a newer release, a crawl holds it, or the new file cannot be
            written. The old file then stays where it was.
    """
    old = Path(path)
    if not old.is_file():
        raise StoreError(f"{old} is not a file: there is nothing to rebuild.")
    new = old.with_name(f"{old.name}.rebuilding")
    _remove(new)
    counts = [0, 0, 0]
    try:
        with explained(old):
            connection = connect(old, _TIMEOUT, is_defensive=False)
        with closing(connection), closing(SqliteStore(new)) as store:
            for site, sample, suspects in _readable_sites(connection, old):
                counts[0 if len(sample) else 2] += 1
                counts[1] += len(sample)
                if len(sample):
                    store.save(site, sample)
                    store.note_suspects(site, suspects, ())
            for site, rows in _readable_corrections(connection).items():
                add(store, site, rows)
        with explained(old):
            aside = _free_name(old)
            for beside in ("", *_BESIDE):
                with suppress(FileNotFoundError):
                    Path(f"{old}{beside}").rename(f"{aside}{beside}")
            new.rename(old)
    finally:
        _remove(new)
    sites, pages, lost = counts
    return Rebuilt(sites, pages, lost, aside)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m scrapy_blockfilter.store.rebuild",
        description="Make a new store of what can be read of a damaged one, which is set aside.",
    )
    parser.add_argument("path", help="the file that BLOCKFILTER_STORE names; let no crawl use it meanwhile")
    try:
        done = rebuild(parser.parse_args(arguments).path)
    except StoreError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(
        f"{done.sites} sites with {done.pages} pages are in the new file; {done.lost} could not be read and are learnt "
        f"anew. The old file is {done.aside}.\n"
    )
    return 0


def _readable_sites(connection: sqlite3.Connection, path: Path) -> Iterator[tuple[str, SiteSample, list[Suspect]]]:
    connection.text_factory = lambda data: data.decode(errors="replace")
    try:
        connection.execute("PRAGMA writable_schema = ON")  # reads a truncated file as far as it goes
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("PRAGMA query_only = ON")  # so nothing is written, whatever the former allows
        application_id, version = identity(connection)
        ours = our_tables(connection)
        is_ours = ours >= _NEEDED
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # the latter: a message that quotes damaged text
        if "locked" in str(error):
            raise StoreError(
                f"{path} is in use. Stop the crawl that uses it, then run this again.", "locked"
            ) from error
        return
    if application_id == APPLICATION_ID and version > SCHEMA_VERSION:
        raise StoreError(f"{path} was written by a newer release. Upgrade scrapy-blockfilter.", "newer")
    if application_id != APPLICATION_ID and not is_ours:
        raise StoreError(f"{path} is another program's file, or nothing in it can be read. Nothing was done.")
    if is_ours:
        for site_id, site in _rows(connection, _SITES, (), (int, str)):
            suspects = _suspects(connection, site_id) if "suspicious_pages" in ours else []
            yield site, _sample(connection, site_id, site, has_steps="slots" in ours), suspects


def _sample(connection: sqlite3.Connection, site_id: int, site: str, *, has_steps: bool) -> SiteSample:
    records = {}
    bounds = (MAX_KEYS, MAX_RECORD, site_id, MAX_PAGES)
    for page, keys, sealed in _rows(connection, _PAGES, bounds, (int, bytes, bytes)):
        with suppress(ValueError):
            records[page] = unseal(site, page, keys, sealed)
    pointed = set().union(*(record.block_keys() for record in records.values()))
    texts = _rows(connection, _TEXTS, (MAX_TEXT, site_id, len(records) * MAX_BLOCKS), (int, str))
    sample = SiteSample(max(1, len(records)))
    rows = _rows(connection, _STEPS, (MAX_LABEL, site_id, MAX_STEPS), (int, int, str)) if has_steps else ()
    steps = {slot: SlotStep(*step) for slot, *step in rows}
    sample.add_rows(
        records.items(),
        {key: text for key, text in texts if key in pointed},
        {slot: step for slot, step in steps.items() if are_right([(slot, step)])},
    )
    return sample


def _suspects(connection: sqlite3.Connection, site_id: int) -> list[Suspect]:
    """Return the pages of a site that may have lost content, the newest last."""
    bounds = (MAX_URL, MAX_REASON, site_id, MAX_SUSPECTS)
    rows = sorted(_rows(connection, _SUSPECTS, bounds, (int, str, str, str)), key=itemgetter(0))
    found = {plain_url(url): (reason, noted) for _, url, reason, noted in rows}
    return [Suspect(url, *told) for url, told in found.items()]


def _readable_corrections(connection: sqlite3.Connection) -> dict[str, list[tuple[str, str]]]:
    """Return the (action, selector) pairs of each site's corrections, in their order."""
    found: dict[str, list[tuple[str, str]]] = {}
    with suppress(sqlite3.DatabaseError, UnicodeDecodeError):
        if "corrections" in our_tables(connection):
            rows = _rows(connection, _CORRECTIONS, (MAX_SELECTOR + 1, MAX_CORRECTIONS), (int, str, str, str))
            for _, site, action, selector in sorted(rows, key=itemgetter(0)):
                if is_correction(action, selector):
                    found.setdefault(site, []).append((action, selector))
    return found


def _rows(
    connection: sqlite3.Connection, statements: Sequence[str], values: Sequence[int], types: Sequence[type]
) -> Iterator[Any]:
    """Yield the rows that can be read, each once.

    Rows with values of other types are left out; SQLite tells the types in the rows themselves.
    """
    seen = set()
    for statement in statements:
        try:
            for row in connection.execute(statement, values):
                if row[0] not in seen:
                    seen.add(row[0])
                    if all(map(isinstance, row, types)):
                        yield row
            return
        except (sqlite3.DatabaseError, UnicodeDecodeError, MemoryError):
            continue


def _free_name(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    return aside


def _remove(path: Path) -> None:
    for beside in ("", *_BESIDE):
        Path(f"{path}{beside}").unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())

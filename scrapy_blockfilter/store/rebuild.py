"""Make a new store in place of a damaged one: ``python -m scrapy_blockfilter.store.rebuild PATH``.

People's corrections and held items are taken over; sites are learnt anew. Only rows of our own tables are read from the
old file, which is kept under another name.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from scrapy_blockfilter.options.selectors import why_unusable
from scrapy_blockfilter.store.corrections import ACTIONS
from scrapy_blockfilter.store.errors import StoreError, explained
from scrapy_blockfilter.store.migrations import our_tables
from scrapy_blockfilter.store.opening import connect, identity
from scrapy_blockfilter.store.schema import APPLICATION_ID, SCHEMA_VERSION
from scrapy_blockfilter.store.sqlite import SqliteStore

# Suffixes of the files that SQLite may have put next to the file, and "" for the file itself.
_SUFFIXES = ("", "-journal", "-wal", "-shm")
# Seconds to wait for a crawl that is writing.
_TIMEOUT = 5.0


class Rebuilt(NamedTuple):
    """The numbers of corrections and held items in a rebuilt store, and the new path of the old file."""

    corrections: int
    items: int
    aside: Path


def rebuild(path: str | Path) -> Rebuilt:
    """Make a new store of the corrections and held items that can be read, and set the old file aside.

    Raises:
        StoreError: there is no such file, it belongs to another program or a newer release, a crawl holds it, or the
            new file cannot be written. The old file then stays where it was.
    """
    old = Path(path)
    if not old.is_file():
        raise StoreError(f"{old} is not a file: there is nothing to rebuild.")
    new = old.with_name(f"{old.name}.rebuilding")
    _remove(new)
    try:
        with explained(old):
            connection = connect(old, _TIMEOUT, is_defensive=False)
        with closing(connection), closing(SqliteStore(new)) as store:
            tables = _locked_tables(connection, old)
            corrections, items = _take_over(connection, tables, store)
        with explained(old):
            names = (old.with_name(f"{old.name}.damaged-{number}") for number in count(1))
            aside = next(name for name in names if not name.exists())
            for suffix in _SUFFIXES:
                with suppress(FileNotFoundError):
                    Path(f"{old}{suffix}").rename(f"{aside}{suffix}")
            new.rename(old)
    finally:
        _remove(new)
    return Rebuilt(corrections, items, aside)


def _locked_tables(connection: sqlite3.Connection, path: Path) -> set[str]:
    """Lock a damaged file, and return the names of our tables in it."""
    connection.text_factory = lambda data: data.decode(errors="replace")
    try:
        connection.execute("PRAGMA writable_schema = ON")  # reads a truncated file as far as it goes
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("PRAGMA query_only = ON")  # so nothing is written, whatever the former allows
        application_id, version = identity(connection)
        tables = our_tables(connection)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # some messages quote damaged text
        if "locked" in str(error):
            raise StoreError(
                f"{path} is in use. Stop the crawl that uses it, then run this again.", "locked"
            ) from error
        return set()
    if application_id == APPLICATION_ID and version > SCHEMA_VERSION:
        raise StoreError(f"{path} was written by a newer release. Upgrade scrapy-blockfilter.", "newer")
    if application_id != APPLICATION_ID and not tables >= {"sites", "pages"}:  # tables of every release
        raise StoreError(f"{path} is another program's file, or nothing in it can be read. Nothing was done.")
    return tables


def _take_over(connection: sqlite3.Connection, tables: set[str], store: SqliteStore) -> tuple[int, int]:
    """Copy the rows that can be read, and return the numbers of corrections and held items."""
    columns = "site, action, selector, made, coalesce(undone, ''), "
    # Stores before version 9 do not say who made a correction.
    found = (_rows(connection, tables, "corrections", columns + by, (str,) * 6) for by in ("by", "''"))
    made = next(filter(None, found), [])
    corrections = [row for row in made if row[2] in ACTIONS and not why_unusable(row[3])]
    pages = _rows(connection, tables, "spooled_pages", "job, owner, key, response, body", (*(str,) * 4, bytes))
    known = {row[0] for row in pages}
    held = [row for row in _rows(connection, tables, "spooled_items", "page_id, item", (int, str)) if row[1] in known]
    with store.transaction() as execute:
        for table, values, rows in (
            ("corrections", "?, ?, ?, ?, ?, nullif(?, ''), ?", corrections),
            ("spooled_pages", "?, ?, ?, ?, ?, ?", pages),
            ("spooled_items", "?, ?, ?", held),
        ):
            for row in rows:
                execute(f"INSERT INTO {table} VALUES ({values})", row)  # noqa: S608 - words of our own
    return len(corrections), len(held)


def _rows(
    connection: sqlite3.Connection, tables: set[str], table: str, columns: str, types: Sequence[type]
) -> list[Any]:
    """Return the rows of a table that can be read, by id: from the start to a damaged place, and from the end to it."""
    found: dict[int, Any] = {}
    for order in ("", "DESC") if table in tables else ():
        try:
            for row in connection.execute(f"SELECT id, {columns} FROM {table} ORDER BY id {order}"):  # noqa: S608
                if all(map(isinstance, row[1:], types)):
                    found.setdefault(row[0], row)
            break
        except (sqlite3.DatabaseError, UnicodeDecodeError, MemoryError):
            continue
    return [found[number] for number in sorted(found)]


def _remove(path: Path) -> None:
    for suffix in _SUFFIXES:
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m scrapy_blockfilter.store.rebuild",
        description="Make a new store in place of a damaged one, which is set aside.",
    )
    parser.add_argument("path", help="the file that BLOCKFILTER_STORE names; let no crawl use it meanwhile")
    try:
        done = rebuild(parser.parse_args(arguments).path)
    except StoreError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(
        f"{done.corrections} corrections and {done.items} held items are in the new file; sites are learnt anew. "
        f"The old file is {done.aside}.\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())

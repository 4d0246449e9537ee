"""Begin a new store in place of a store that is damaged or of a release before 0.3.

People's corrections are taken over; sites are learnt anew. Nothing else is read from the old file, which is kept under
another name.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

from scrapy_blockfilter.options.selectors import why_unusable
from scrapy_blockfilter.store.corrections import ACTIONS
from scrapy_blockfilter.store.errors import StoreError, explained
from scrapy_blockfilter.store.opening import APPLICATION_ID, connect, immediate, is_table_of_corrections, open_file

logger = logging.getLogger(__name__)

# Suffixes of the files that SQLite may have put next to the file, and "" for the file itself.
_SUFFIXES = ("", "-journal", "-wal", "-shm")
# Seconds to wait for another process, which may be about to do the same.
_TIMEOUT = 5.0
# The header of SQLite's file format: its first bytes, and the place of the application id.
_MAGIC, _ID = b"SQLite format 3\0", slice(68, 72)
_INSERT = "INSERT INTO corrections (site, action, selector, made, undone, by) VALUES (?, ?, ?, ?, nullif(?, ''), ?)"
_NOT_OURS = "It does not begin as a store does, so it stays: move it away, or set BLOCKFILTER_STORE to another path."


def set_aside(path: Path, before: os.stat_result, error: StoreError) -> None:
    """Rename a store, and make a new one with its corrections; do nothing if another process has changed the file.

    Raises:
        StoreError: it is no store of ours, which is the given error, or another process uses it, or the new file cannot
            be written. The old file then stays where it is.
    """
    with explained(path):
        with path.open("rb") as file:
            header = file.read(100)
        if not header.startswith(_MAGIC) or int.from_bytes(header[_ID], "big") != APPLICATION_ID:
            raise StoreError(error.what, error.kind, _NOT_OURS)
        connection = connect(path, _TIMEOUT, is_defensive=False)
    with closing(connection):
        corrections = list(_corrections(connection, path))
        with explained(path):
            if not os.path.samestat(before, path.stat()):
                return
            if sys.platform == "win32":  # where open files cannot be renamed
                connection.close()
            aside = _replace(path, corrections)
    message = "%s Its place has a new file, with its corrections (%d); sites are learnt anew. The old file is %s."
    logger.warning(message, error.what, sum(not undone for *_, undone, _ in corrections), aside)


def _corrections(connection: sqlite3.Connection, path: Path) -> Iterator[tuple[str, ...]]:
    """Lock the file, and yield the rows of corrections that can be read and are of use."""
    connection.text_factory = lambda data: data.decode(errors="replace")
    try:
        connection.execute("PRAGMA writable_schema = ON")  # reads a truncated file as far as it goes
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("PRAGMA query_only = ON")  # so nothing is written, whatever the former allows
        (form,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'corrections'").fetchone() or ("",)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # some messages quote damaged text
        if "locked" in str(error):
            raise StoreError(f"{path} cannot be replaced while a crawl uses it. Stop that crawl.") from error
        return
    for row in _rows(connection, str(form)):
        if row[1] in ACTIONS and not why_unusable(row[2]):
            yield row


def _rows(connection: sqlite3.Connection, form: str) -> list[tuple[str, ...]]:
    """Return the rows that can be read, by id: from the start to a damaged place, and from the end to it."""
    found: dict[int, tuple[str, ...]] = {}
    for order in ("", "DESC") if is_table_of_corrections(form) else ():
        by = "by" if "by TEXT" in form else "''"  # stores before 0.3 do not say who made a correction
        statement = f"SELECT id, site, action, selector, made, coalesce(undone, ''), {by} FROM corrections"  # noqa: S608
        with suppress(sqlite3.DatabaseError, UnicodeDecodeError, MemoryError):
            for number, *row in connection.execute(f"{statement} ORDER BY id {order}"):
                if isinstance(number, int) and all(isinstance(value, str) for value in row):
                    found.setdefault(number, tuple(row))
    return [found[number] for number in sorted(found)]


def _replace(path: Path, corrections: list[tuple[str, ...]]) -> Path:
    """Rename the file, put a new file in its place, and return the new name of the old file."""
    new = path.with_name(f"{path.name}.new")
    _remove(new)
    try:
        with closing(open_file(new)) as fresh, immediate(fresh):
            fresh.executemany(_INSERT, corrections)
        names = (path.with_name(f"{path.name}.old-{number}") for number in count(1))
        aside = next(name for name in names if not name.exists())
        for suffix in _SUFFIXES:
            with suppress(FileNotFoundError):
                Path(f"{path}{suffix}").rename(f"{aside}{suffix}")
        new.rename(path)
    finally:
        _remove(new)
    return aside


def _remove(path: Path) -> None:
    for suffix in _SUFFIXES:
        Path(f"{path}{suffix}").unlink(missing_ok=True)

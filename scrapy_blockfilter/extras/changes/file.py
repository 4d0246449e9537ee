"""The memory of pages in a SQLite file of its own, beside that of the store. Several crawls may share it.

The sample of a site is bounded, and this memory grows with its pages. In a file of its own, it displaces no template.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from scrapy_blockfilter.extras.changes.memory import Remembered, Shown
from scrapy_blockfilter.store.errors import StoreError, explained
from scrapy_blockfilter.store.opening import OPENING_TIMEOUT, connect, identity, immediate
from scrapy_blockfilter.store.shared_file import SharedFile
from scrapy_blockfilter.store.size_limit import Growth

# Days after which a page that no crawl has met is forgotten: more than a year, for crawls once a year.
DAYS = 400
# "BLKC": the application identity of our SQLite files.
_APPLICATION_ID = 0x424C4B43
# Seconds to wait for another crawl's transaction. Without an answer, the change of an item is unknown.
_BUSY = 2.0
# Pages forgotten at a time while the file is over its bound, and pages of one place that are looked at.
_BATCH, _FEW = 1_000, 8
_DELETE_OLDEST = "DELETE FROM pages WHERE page IN (SELECT page FROM pages ORDER BY day LIMIT ?)"
_DAY = 24 * 60 * 60

# Each step brings a file from the version that is its place to the next one.
_STEPS = (
    (
        """CREATE TABLE pages (
            page INTEGER PRIMARY KEY,
            place INTEGER NOT NULL,
            day INTEGER NOT NULL,
            run INTEGER NOT NULL,
            now BLOB NOT NULL,
            before BLOB
        ) STRICT""",
        "CREATE INDEX pages_by_place ON pages (place) WHERE place != 0",
        "CREATE INDEX pages_by_day ON pages (day)",
        "CREATE TABLE runs (run INTEGER PRIMARY KEY, day INTEGER NOT NULL) STRICT",
    ),
    (),  # rows have lines that release 0.3 cannot read
)
VERSION = len(_STEPS)


class MemoryFile:
    """The memory of pages in the file at ``path``, which is created if it does not exist.

    Each method may raise :class:`scrapy_blockfilter.store.StoreError`.

    Args:
        max_bytes: size of the file beyond which the pages not met for longest are forgotten.

    Raises:
        StoreError: the file cannot be opened, belongs to another program, is damaged, or comes from a newer release.
    """

    def __init__(self, path: Path, max_bytes: int) -> None:
        self._path = path
        with explained(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            is_new = not path.exists()
            self._connection = connect(path, OPENING_TIMEOUT)
            if is_new:
                path.chmod(0o600)
        try:
            with explained(path):
                self._migrate()
                self._connection.execute("PRAGMA journal_mode = TRUNCATE")
            self._file = SharedFile(self._connection, path, _BUSY)
            self._growth = Growth(self._connection, path, max_bytes)
        except BaseException:
            self._connection.close()
            raise

    def page(self, page: int) -> Remembered | None:
        return next(iter(self._rows("page = ?", page)), None)

    def pages_at(self, place: int) -> list[Remembered]:
        """Return a few pages of this place."""
        return self._rows("place = ? AND place != 0", place)

    def is_finished(self, run: int) -> bool:
        with self._file.patient() as execute:
            return execute("SELECT 1 FROM runs WHERE run = ?", (run,)).fetchone() is not None

    def write(self, pages: Mapping[int, Remembered]) -> None:
        """Keep pages, each in place of what is remembered of it."""
        rows = [
            (page, of.place, _today(), of.run, of.now.to_bytes(), None if of.before is None else of.before.to_bytes())
            for page, of in pages.items()
        ]
        with self._file.writing():
            self._connection.executemany("INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?, ?, ?)", rows)
            self._growth.make_room(_DELETE_OLDEST, _BATCH)

    def finish(self, run: int) -> None:
        """Note that a run has come to its end, and forget what is too old."""
        with self._file.writing() as execute:
            execute("INSERT OR REPLACE INTO runs VALUES (?, ?)", (run, _today()))
            for table in ("pages", "runs"):  # a run is as old as its newest page, or newer
                execute(f"DELETE FROM {table} WHERE day < ?", (_today() - DAYS,))  # noqa: S608 - names of our own

    def close(self) -> None:
        self._connection.close()

    def _rows(self, condition: str, value: int) -> list[Remembered]:
        statement = f"SELECT run, now, before, place FROM pages WHERE {condition} LIMIT {_FEW}"  # noqa: S608 - our own
        with self._file.patient() as execute:
            rows = execute(statement, (value,)).fetchall()
        try:
            return [
                Remembered(run, Shown.from_bytes(now), None if before is None else Shown.from_bytes(before), place)
                for run, now, before, place in rows
            ]
        except (ValueError, TypeError) as error:
            raise self._useless(f"is damaged ({error})") from error

    def _migrate(self) -> None:
        with immediate(self._connection):
            application_id, version = identity(self._connection)
            found = {str(sql) for (sql,) in self._connection.execute("SELECT sql FROM sqlite_master LIMIT 100")}
            if found and application_id != _APPLICATION_ID:
                raise self._useless("is another program's file")
            if version > VERSION:
                raise self._useless("was written by a newer release")
            if found and found != {statement for statements in _STEPS[:version] for statement in statements}:
                raise self._useless("does not have this package's schema")
            for statements in _STEPS[version:] if found else _STEPS:
                for statement in statements:
                    self._connection.execute(statement)
            self._connection.execute(f"PRAGMA application_id = {_APPLICATION_ID:d}")
            self._connection.execute(f"PRAGMA user_version = {VERSION:d}")

    def _useless(self, reason: str) -> StoreError:
        return StoreError(f"{self._path} {reason}. Move it away: the next crawl tells all pages as new.", "damaged")


def _today() -> int:
    return int(time.time()) // _DAY

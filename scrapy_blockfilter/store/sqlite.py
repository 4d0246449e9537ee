"""The store as one SQLite file that several processes may share.

A rollback journal with full synchronisation: the file is whole after a crash of process or machine, one file and no
-wal beside it, and free of the bug by which SQLite before 3.51.3 can corrupt a WAL file that two processes write.
Commits are few, a handful a site, so their cost does not show. Every write transaction begins IMMEDIATE: one that reads
first and upgrades later fails at once when another writes, without waiting.
"""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlite_utils import Database

from scrapy_blockfilter.sample import PageRecord, SiteSample
from scrapy_blockfilter.store.schema import APPLICATION_ID, SCHEMA_VERSION, migrations

if TYPE_CHECKING:
    from scrapy_blockfilter.store.versions import ModelVersion

# Seconds to wait for another process' transaction, which takes milliseconds.
BUSY_TIMEOUT = 5.0
# Model versions of a site that are noted, the newest.
MAX_VERSIONS = 20


class StoreError(Exception):
    """The store cannot be used. The message says why and what to do."""


class SqliteStore:
    """Samples of sites in the SQLite file at ``path``, which is made if there is none.

    Raises:
        StoreError: the file cannot be opened, is not a store, is corrupt, or comes from a newer release.
    """

    def __init__(self, path: str | os.PathLike[str], *, busy_timeout: float = BUSY_TIMEOUT) -> None:
        self.path = Path(path)
        with self._explained():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not self.path.exists():
                os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
            connection = sqlite3.connect(self.path, timeout=busy_timeout, isolation_level=None)
        try:
            with self._explained():
                self._connection = connection
                self._set_up(connection)
        except StoreError:
            connection.close()
            raise

    def load(self, site: str, limit: int) -> SiteSample:
        """See :class:`scrapy_blockfilter.store.TemplateStore`."""
        sample = SiteSample(limit)
        with self._explained():
            site_id = self._site_id(site)
            if site_id is not None:
                self._read(site_id, sample)
        return sample

    def save(self, site: str, sample: SiteSample) -> SiteSample:
        """See :class:`scrapy_blockfilter.store.TemplateStore`."""
        with self._explained(), self._immediate():
            execute = self._connection.execute
            execute(
                "INSERT INTO sites (site) VALUES (?) ON CONFLICT (site) DO UPDATE SET last_seen = CURRENT_TIMESTAMP",
                (site,),
            )
            site_id = self._site_id(site)
            assert site_id is not None
            (count,) = execute("SELECT count(*) FROM pages WHERE site_id = ?", (site_id,)).fetchone()
            merged = SiteSample(max(sample.limit, count))  # one that learns from fewer pages takes none away
            self._read(site_id, merged)
            known = dict(merged.records)
            known_texts = set(merged.texts)
            merged.add_rows(sample.records.items(), sample.texts)
            self._write(site_id, merged, known, known_texts)
        return merged if merged.limit == sample.limit else SiteSample(sample.limit).merge(merged)

    def note(self, site: str, version: ModelVersion) -> None:
        """See :class:`scrapy_blockfilter.store.TemplateStore`."""
        with self._explained(), self._immediate():
            site_id = self._site_id(site)
            if site_id is None:
                return
            newest = self._connection.execute(
                "SELECT version, method, digest FROM models WHERE site_id = ? ORDER BY version DESC LIMIT 1", (site_id,)
            ).fetchone()
            number, method, digest = newest or (0, "", "")
            if (method, digest) != (version.method, version.digest):
                self._connection.execute(
                    "INSERT INTO models (site_id, version, method, pages, digest, templates, usual_kept) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (site_id, number + 1, *version),
                )
                self._connection.execute(
                    "DELETE FROM models WHERE site_id = ? AND version <= ?", (site_id, number + 1 - MAX_VERSIONS)
                )

    def close(self) -> None:
        self._connection.close()

    def _set_up(self, connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("BEGIN")  # one look at the file, in which another process may just be making the tables
        application_id, version = self._identity()
        has_tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        connection.execute("COMMIT")
        if application_id != APPLICATION_ID and has_tables:
            raise StoreError(
                f"{self.path} is a SQLite file of something else. Set BLOCKFILTER_STORE to a file of its own."
            )
        if version > SCHEMA_VERSION:
            raise StoreError(
                f"{self.path} was written by a newer release (store version {version}, this release knows up to "
                f"{SCHEMA_VERSION}). Upgrade scrapy-blockfilter, or set BLOCKFILTER_STORE to another file."
            )
        connection.execute("PRAGMA journal_mode = TRUNCATE")
        if version < SCHEMA_VERSION:
            self._migrate(connection)
        connection.execute("PRAGMA synchronous = FULL")

    def _identity(self) -> tuple[int, int]:
        execute = self._connection.execute
        return execute("PRAGMA application_id").fetchone()[0], execute("PRAGMA user_version").fetchone()[0]

    def _migrate(self, connection: sqlite3.Connection) -> None:
        with self._immediate():
            if self._identity()[1] < SCHEMA_VERSION:  # else another process was first
                migrations.apply(Database(connection, execute_plugins=False, recursive_triggers=False))
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
                connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION:d}")

    def _site_id(self, site: str) -> int | None:
        row = self._connection.execute("SELECT id FROM sites WHERE site = ?", (site,)).fetchone()
        return row[0] if row else None

    def _read(self, site_id: int, sample: SiteSample) -> None:
        pages = self._connection.execute(
            "SELECT page, blocks, record FROM pages WHERE site_id = ? ORDER BY page LIMIT ?", (site_id, sample.limit)
        )
        records = [(page, self._checked(PageRecord(blocks, record))) for page, blocks, record in pages]
        texts = dict(self._connection.execute("SELECT block, text FROM blocks WHERE site_id = ?", (site_id,)))
        sample.add_rows(records, texts)

    def _checked(self, record: PageRecord) -> PageRecord:
        """The record, if it is whole: what SQLite gives back it has not looked into."""
        try:
            record.block_keys()
            zlib.decompress(record.body)
        except (ValueError, zlib.error) as error:
            raise StoreError(_damaged(self.path, error)) from error
        return record

    def _write(self, site_id: int, merged: SiteSample, known: dict[int, PageRecord], known_texts: set[int]) -> None:
        """Bring the rows of a site from what is known to those of ``merged``."""
        execute = self._connection.executemany
        cut = [(site_id, page) for page in known.keys() - merged.records.keys()]
        execute("DELETE FROM pages WHERE site_id = ? AND page = ?", cut)
        new = [(site_id, page, *record) for page, record in merged.records.items() if known.get(page) != record]
        execute("INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?)", new)
        orphaned = [(site_id, key) for key in known_texts - merged.texts.keys()]
        execute("DELETE FROM blocks WHERE site_id = ? AND block = ?", orphaned)
        new_texts = [(site_id, key, text) for key, text in merged.texts.items() if key not in known_texts]
        execute("INSERT OR IGNORE INTO blocks VALUES (?, ?, ?)", new_texts)

    @contextmanager
    def _immediate(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn what SQLite and the file system say into a :class:`StoreError` that says what to do."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise StoreError(f"{self.path}: {error}. {_advice(str(error))}") from error
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # the latter: a message that quotes damaged text
            raise StoreError(_damaged(self.path, error)) from error
        except OSError as error:
            raise StoreError(
                f"{self.path} cannot be made: {error.strerror or error}. "
                "Set BLOCKFILTER_STORE to a path that can be written."
            ) from error


def _damaged(path: Path, error: Exception) -> str:
    return f"{path} is damaged or no store ({error}). Move the file away; the sites are learnt anew."


def _advice(message: str) -> str:
    if "locked" in message or "busy" in message:
        return "Another process holds it; what was learnt is kept in memory and written with the next change."
    if "readonly" in message or "read-only" in message:
        return "Make the file and its folder writable, or set BLOCKFILTER_STORE to a path that can be written."
    if "full" in message:
        return "Make room on the disk, or set BLOCKFILTER_STORE to a path on another one."
    if "decode" in message or "no such" in message or "no column" in message:
        return "The file is damaged. Move it away; the sites are learnt anew."
    return (
        "Make sure that BLOCKFILTER_STORE names a file that can be read and written, in a folder that can be written."
    )

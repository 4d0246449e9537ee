"""The tables of the store, as migrations make them. The first makes those of release 0.3, word for word."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from sqlite_utils import Database, Migrations

from scrapy_blockfilter.store.schema import CORRECTIONS, FIRST_VERSION, objects_of

migrations = Migrations("scrapy_blockfilter")

# Tables WITHOUT ROWID and with integer keys take a quarter of the space of text keys with an index. They are made by
# statements, because sqlite-utils has no option for that.
_TABLES = (
    """CREATE TABLE sites (
        id INTEGER PRIMARY KEY,
        site TEXT NOT NULL UNIQUE,
        first_seen TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
        last_seen TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
    ) STRICT""",
    """CREATE TABLE pages (
        site_id INTEGER NOT NULL REFERENCES sites(id) ON DELETE CASCADE,
        page INTEGER NOT NULL,
        blocks BLOB NOT NULL,
        record BLOB NOT NULL,
        PRIMARY KEY (site_id, page)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE models (
        site_id INTEGER NOT NULL REFERENCES sites(id) ON DELETE CASCADE,
        version INTEGER NOT NULL,
        method TEXT NOT NULL,
        pages INTEGER NOT NULL,
        digest TEXT NOT NULL,
        templates INTEGER NOT NULL,
        usual_kept REAL NOT NULL,
        fitted TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
        PRIMARY KEY (site_id, version)
    ) STRICT, WITHOUT ROWID""",
    # Items that crawls of 0.3 have left, which this release counts.
    """CREATE TABLE spooled_pages (
        id INTEGER PRIMARY KEY,
        job TEXT NOT NULL,
        owner TEXT NOT NULL,
        key TEXT NOT NULL,
        response TEXT NOT NULL,
        body BLOB NOT NULL
    ) STRICT""",
    """CREATE TABLE spooled_items (
        id INTEGER PRIMARY KEY,
        page_id INTEGER NOT NULL REFERENCES spooled_pages(id) ON DELETE CASCADE,
        item TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX spooled_items_by_page ON spooled_items (page_id)",
    """CREATE TABLE slots (
        site_id INTEGER NOT NULL REFERENCES sites(id) ON DELETE CASCADE,
        slot INTEGER NOT NULL,
        parent INTEGER NOT NULL,
        label TEXT NOT NULL,
        PRIMARY KEY (site_id, slot)
    ) STRICT, WITHOUT ROWID""",
    CORRECTIONS,
    "ALTER TABLE corrections ADD COLUMN by TEXT NOT NULL DEFAULT ''",
    """CREATE TABLE suspicious_pages (
        id INTEGER PRIMARY KEY,
        site_id INTEGER NOT NULL REFERENCES sites(id) ON DELETE CASCADE,
        url TEXT NOT NULL,
        reason TEXT NOT NULL,
        noted TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
        UNIQUE (site_id, url)
    ) STRICT""",
    # The newest rows have the largest ids.
    """CREATE TABLE fitted_models (
        id INTEGER PRIMARY KEY,
        site_id INTEGER NOT NULL REFERENCES sites(id) ON DELETE CASCADE,
        conditions TEXT NOT NULL,
        sample TEXT NOT NULL,
        model BLOB NOT NULL,
        UNIQUE (site_id, conditions)
    ) STRICT""",
)


@migrations()
def m009_tables(db: Database) -> None:
    for statement in _TABLES:
        db.execute(statement)


def foreign_objects(connection: sqlite3.Connection, version: int) -> list[str]:
    """Return the names of a few objects of a schema that differ from those that the migrations to ``version`` make."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        database = Database(fresh, execute_plugins=False)
        later = [migration.name for migration in migrations.pending(database)][version - FIRST_VERSION + 1 :]
        migrations.apply(database, stop_before=later[:1])
        ours = objects_of(fresh)
    theirs = objects_of(connection, most=2 * len(ours))
    return [f"{kind} {name!r}" for kind, name, *_ in sorted(theirs ^ ours, key=str)][:_FEW]


_FEW = 3

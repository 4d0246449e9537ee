"""Stores as older releases wrote them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database

from scrapy_blockfilter.store.migrations import migrations

_MADE_IN = {
    4: ("spooled_items", "spooled_pages"),
    5: ("slots", "corrections"),
    6: ("suspicious_pages",),
    7: ("fitted_models",),
}
# The table of texts, which version 8 dropped.
_BLOCKS = """CREATE TABLE blocks (
        site_id INTEGER NOT NULL REFERENCES sites(id) ON DELETE CASCADE,
        block INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (site_id, block)
    ) STRICT, WITHOUT ROWID"""


def make_older(path: Path, version: int) -> None:
    """Undo what versions after ``version`` changed in the tables of a store."""
    with closing(sqlite3.connect(path)) as connection, connection:
        if 5 <= version < 9:
            _without_teachers(connection)
        for made_in, tables in _MADE_IN.items():
            if made_in > version:
                for table in tables:
                    connection.execute(f"DROP TABLE {table}")
        connection.execute("DELETE FROM _sqlite_migrations WHERE name >= ?", (f"m{version + 1:03}",))
        connection.execute(f"PRAGMA user_version = {version}")
        if version < 8:
            connection.execute(_BLOCKS)


def _without_teachers(connection: sqlite3.Connection) -> None:
    """Make the table of corrections anew as it was before version 9."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        migrations.apply(Database(fresh, execute_plugins=False), stop_before="m009_who_corrected")
        (statement,) = fresh.execute("SELECT sql FROM sqlite_master WHERE name = 'corrections'").fetchone()
    rows = connection.execute("SELECT id, site, action, selector, made, undone FROM corrections").fetchall()
    connection.execute("DROP TABLE corrections")
    connection.execute(statement)
    connection.executemany("INSERT INTO corrections VALUES (?, ?, ?, ?, ?, ?)", rows)

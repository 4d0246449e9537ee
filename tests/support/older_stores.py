"""Stores as older releases wrote them."""

from __future__ import annotations

import json
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database

from scrapy_blockfilter.sample import PageRecord
from scrapy_blockfilter.sample.page_record import pack
from scrapy_blockfilter.store.sample_rows import seal, unseal
from scrapy_blockfilter.store.schema import migrations

_MADE_IN = {
    4: ("spooled_items", "spooled_pages"),
    5: ("slots", "corrections"),
    6: ("suspicious_pages",),
    7: ("fitted_models",),
}


def make_older(path: Path, version: int) -> None:
    """Undo what versions after ``version`` changed in a store: their tables, and the numbers that version 6 added to
    page records."""
    with closing(sqlite3.connect(path)) as connection, connection:
        if 5 <= version < 8:
            _without_teachers(connection)
        for made_in, tables in _MADE_IN.items():
            if made_in > version:
                for table in tables:
                    connection.execute(f"DROP TABLE {table}")
        connection.execute("DELETE FROM _sqlite_migrations WHERE name >= ?", (f"m{version + 1:03}",))
        connection.execute(f"PRAGMA user_version = {version}")
        if version >= 6:
            return
        rows = connection.execute("SELECT site_id, site, page, blocks, record FROM pages JOIN sites ON id = site_id")
        for site_id, site, page, keys, sealed in rows.fetchall():
            body = json.loads(zlib.decompress(unseal(site, page, keys, sealed).body))
            body["numbers"] = [row[:-1] for row in body["numbers"]]
            record = seal(site, page, PageRecord(keys, pack(body)))
            connection.execute("UPDATE pages SET record = ? WHERE site_id = ? AND page = ?", (record, site_id, page))


def _without_teachers(connection: sqlite3.Connection) -> None:
    """Make the table of corrections anew as it was before version 8."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        migrations.apply(Database(fresh, execute_plugins=False), stop_before="m008_who_corrected")
        (statement,) = fresh.execute("SELECT sql FROM sqlite_master WHERE name = 'corrections'").fetchone()
    rows = connection.execute("SELECT id, site, action, selector, made, undone FROM corrections").fetchall()
    connection.execute("DROP TABLE corrections")
    connection.execute(statement)
    connection.executemany("INSERT INTO corrections VALUES (?, ?, ?, ?, ?, ?)", rows)

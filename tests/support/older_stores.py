"""Stores as older releases wrote them."""

from __future__ import annotations

import json
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

from scrapy_blockfilter.sample import PageRecord
from scrapy_blockfilter.sample.page_record import pack
from scrapy_blockfilter.store.sample_rows import seal, unseal

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

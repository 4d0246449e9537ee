"""Stores as releases before 0.3 wrote them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from scrapy_blockfilter.store.schema import CORRECTIONS


def make_older(path: Path) -> None:
    """Undo what 0.3 changed in the table of corrections of a store, and give it the version of 0.2."""
    with closing(sqlite3.connect(path)) as connection, connection:
        rows = connection.execute("SELECT id, site, action, selector, made, undone FROM corrections").fetchall()
        connection.execute("DROP TABLE corrections")
        connection.execute(CORRECTIONS)
        connection.executemany("INSERT INTO corrections VALUES (?, ?, ?, ?, ?, ?)", rows)
        connection.execute("PRAGMA user_version = 7")

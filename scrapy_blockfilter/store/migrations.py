"""The tables of the store, as migrations make them. The first makes those of release 0.3, word for word."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from importlib.resources import files

from sqlite_utils import Database, Migrations

from scrapy_blockfilter.store.opening import CORRECTIONS, FIRST_VERSION, objects_of

migrations = Migrations("scrapy_blockfilter")

# Statements, because sqlite-utils has no option for tables WITHOUT ROWID.
_TABLES = files("scrapy_blockfilter.store") / "tables.sql"
_WHO = "ALTER TABLE corrections ADD COLUMN by TEXT NOT NULL DEFAULT ''"


@migrations()
def m009_tables(db: Database) -> None:
    for statement in (*_TABLES.read_text(encoding="utf-8").split(";\n")[:-1], CORRECTIONS, _WHO):
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

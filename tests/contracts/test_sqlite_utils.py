"""sqlite-utils: migrations, tables and rows over a connection that is ours, with no plugin of the machine."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from sqlite_utils import Database, Migrations


def test_migrations_are_applied_once_and_in_order() -> None:
    migrations = Migrations("contract")
    seen = []

    @migrations()
    def m001(database: Database) -> None:
        seen.append(1)
        database.execute("CREATE TABLE a (b INTEGER PRIMARY KEY) STRICT")

    @migrations()
    def m002(database: Database) -> None:
        seen.append(2)

    with closing(sqlite3.connect(":memory:")) as connection:
        for _ in range(2):
            migrations.apply(Database(connection, execute_plugins=False, recursive_triggers=False))
        assert seen == [1, 2]


def test_a_connection_of_ours_is_used_as_it_is() -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        database = Database(connection, execute_plugins=False, recursive_triggers=False)
        assert database.conn is connection
        assert connection.execute("PRAGMA recursive_triggers").fetchone() == (0,)
        database.table("made").insert({"name": "a"})
        assert list(database.table("made").rows) == [{"name": "a"}]
        assert database.table_names() == ["made"]

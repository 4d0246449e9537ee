"""The tables of the store."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database

from scrapy_blockfilter.storable import digest_of
from scrapy_blockfilter.store import SqliteStore
from scrapy_blockfilter.store.migrations import migrations
from scrapy_blockfilter.store.opening import is_newest, objects_of


def test_what_the_migrations_make_is_known_without_them() -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrations.apply(Database(connection, execute_plugins=False))
        assert is_newest(connection), f"_NEWEST is {digest_of(sorted(objects_of(connection)))}"
        connection.execute("CREATE INDEX sites_by_day ON sites (last_seen)")
        assert not is_newest(connection)


def test_a_store_of_the_newest_version_is_opened_without_sqlite_utils(tmp_path: Path) -> None:
    path = tmp_path / "blocks.db"
    SqliteStore(path).close()
    code = (
        "import sys; from scrapy_blockfilter.store import SqliteStore\n"
        "SqliteStore(sys.argv[1]).close(); print('sqlite_utils' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"

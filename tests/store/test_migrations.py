"""The tables of the store."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlite_utils import Database

from scrapy_blockfilter.storable import digest_of
from scrapy_blockfilter.store import SqliteStore
from scrapy_blockfilter.store.migrations import migrations
from scrapy_blockfilter.store.schema import is_newest, objects_of


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    migrations.apply(Database(connection, execute_plugins=False))
    yield connection
    connection.close()


def test_what_the_migrations_make_is_known_without_them(connection: sqlite3.Connection) -> None:
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


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO pages VALUES (1, 'a page', x'00', x'00')",
        "INSERT INTO pages VALUES (1, 1, 'text', x'00')",
        "INSERT INTO pages VALUES (1, 1, x'00', NULL)",
        "INSERT INTO slots VALUES (1, 9223372036854775808, 0, 'html')",
        "INSERT INTO models (site_id, version, method, pages, digest, templates, usual_kept) "
        "VALUES (1, 1, 'entropy', 'ten', '', 0, 0.5)",
        "INSERT INTO pages VALUES (99, 1, x'00', x'00')",
        "INSERT INTO suspicious_pages (site_id, url, reason) VALUES (99, 'http://a.example/', 'keeps 3%')",
        "INSERT INTO suspicious_pages (site_id, url, reason) VALUES (1, 'http://a.example/', NULL)",
        "INSERT INTO fitted_models (site_id, conditions, sample, model) VALUES (99, 'a', 'b', x'00')",
        "INSERT INTO fitted_models (site_id, conditions, sample, model) VALUES (1, 'a', 'b', 'text')",
        "INSERT INTO sites (site) VALUES ('news.example')",
        "INSERT INTO sites (site) VALUES (NULL)",
    ],
)
def test_values_of_another_kind_are_refused(connection: sqlite3.Connection, statement: str) -> None:
    connection.execute("INSERT INTO sites (id, site) VALUES (1, 'news.example')")
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(statement)


def test_all_of_a_site_goes_with_it(connection: sqlite3.Connection) -> None:
    for site in (1, 2):
        connection.execute("INSERT INTO sites (id, site) VALUES (?, ?)", (site, f"site{site}.example"))
        connection.execute("INSERT INTO pages VALUES (?, 1, x'00', x'00')", (site,))
        connection.execute("INSERT INTO slots VALUES (?, 1, 0, 'html')", (site,))
        connection.execute(
            "INSERT INTO models (site_id, version, method, pages, digest, templates, usual_kept) "
            "VALUES (?, 1, 'entropy', 10, '', 0, 0.5)",
            (site,),
        )
        connection.execute(
            "INSERT INTO suspicious_pages (site_id, url, reason) VALUES (?, 'http://a.example/', 'keeps 3%')", (site,)
        )
        connection.execute("INSERT INTO fitted_models VALUES (?, ?, 'conditions', 'sample', x'00')", (site, site))
    connection.execute("DELETE FROM sites WHERE id = 1")
    for table in ("pages", "slots", "models", "suspicious_pages", "fitted_models"):
        assert connection.execute(f"SELECT site_id FROM {table}").fetchall() == [(2,)]

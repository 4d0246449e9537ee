"""Opening a store: whose file it is, its mode, and that nothing in it runs."""

from __future__ import annotations

import logging
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from scrapy_blockfilter import SiteSample
from scrapy_blockfilter.store import SqliteStore, StoreError, opening
from stress.store_damage import SITES
from stress.store_pages import ADVICE, LIMIT, is_whole, make_store
from tests.support.sqlite_files import opened, run_sql
from tests.support.store_strangers import STRANGERS, make_stranger


@pytest.fixture
def written(path: Path) -> dict[str, SiteSample]:
    """What is in the store at ``path``."""
    return make_store(path, SITES)


def assert_as_written(path: Path, written: dict[str, SiteSample]) -> None:
    with closing(SqliteStore(path)) as store:
        for site, sample in written.items():
            assert store.load(site, LIMIT).records == sample.records
    assert is_whole(path)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(STRANGERS))
def test_strange_file_is_left_alone(path: Path, tmp_path: Path, written: dict[str, SiteSample], name: str) -> None:
    stranger = tmp_path / "stranger.db"
    make_stranger(path, stranger, STRANGERS[name])
    before = stranger.read_bytes()
    with pytest.raises(StoreError) as raised:
        SqliteStore(stranger, replaces=False)
    assert str(stranger) in str(raised.value)
    assert any(advice in str(raised.value) for advice in ADVICE)
    assert stranger.read_bytes() == before


def test_refusal_names_what_is_not_ours(path: Path, written: dict[str, SiteSample]) -> None:
    run_sql(path, "CREATE VIEW mine AS SELECT 1")
    with pytest.raises(StoreError, match=r"does not have this package's schema: view 'mine'\. Move it away"):
        SqliteStore(path)


def test_table_in_the_words_of_another_sqlite_utils_is_ours(path: Path, written: dict[str, SiteSample]) -> None:
    with opened(path) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        for name in ("_sqlite_migrations", "name"):
            statement = "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = '_sqlite_migrations'"
            connection.execute(statement, (f'"{name}"', f"[{name}]"))
        (form,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = '_sqlite_migrations'").fetchone()
        assert "[_sqlite_migrations]" in form
        assert "[name]" in form
    assert_as_written(path, written)


def test_what_a_file_asks_sqlite_to_cache_is_not_granted(path: Path, written: dict[str, SiteSample]) -> None:
    run_sql(path, "PRAGMA default_cache_size = 1000000000")
    with closing(opening.open_file(path)) as connection:
        assert connection.execute("PRAGMA cache_size").fetchone() == (-8000,)
        assert connection.execute("PRAGMA mmap_size").fetchone() == (0,)
        assert connection.execute("PRAGMA trusted_schema").fetchone() == (0,)
        assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_wal_mode_is_put_back(path: Path, written: dict[str, SiteSample], caplog: pytest.LogCaptureFixture) -> None:
    with opened(path) as connection:
        assert connection.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
        connection.execute("UPDATE sites SET last_seen = '2020-01-01 00:00:00'")
    assert_as_written(path, written)
    assert run_sql(path, "PRAGMA journal_mode") == ["delete"]
    assert not Path(f"{path}-wal").exists()
    assert caplog.messages == []


@pytest.mark.parametrize(
    ("version", "is_warned"), [((3, 40, 1), True), ((3, 51, 2), True), ((3, 51, 3), False), ((3, 53, 0), False)]
)
def test_file_that_another_process_keeps_in_wal_mode_is_used_with_a_warning_where_sqlite_has_the_bug(
    path: Path,
    written: dict[str, SiteSample],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    version: tuple[int, int, int],
    is_warned: bool,
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", version)
    caplog.set_level(logging.INFO)
    with opened(path) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("UPDATE sites SET last_seen = '2020-01-01 00:00:00'")
        with closing(SqliteStore(path)) as store:
            store.save("new.example", next(iter(written.values())))
            assert len(store.load("new.example", LIMIT)) == LIMIT
        assert connection.execute("SELECT count(*) FROM sites").fetchone() == (len(SITES) + 1,)
    lines = [line for line in caplog.messages if "WAL mode" in line]
    assert len(lines) == is_warned
    if is_warned:
        assert str(path) in lines[0]
        assert "upgrade to SQLite 3.51.3 or newer" in lines[0]
    # Once the other is gone the next crawl changes the mode.
    SqliteStore(path).close()
    assert run_sql(path, "PRAGMA journal_mode") == ["delete"]


def test_journal_of_a_process_that_died_is_rolled_back(path: Path, written: dict[str, SiteSample]) -> None:
    copy = path.with_name("copy.db")
    with opened(path) as connection:
        connection.execute("PRAGMA cache_size = 1")  # so that the file is written before the commit
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE pages SET record = zeroblob(2000)")
        copy.write_bytes(path.read_bytes())
        journal = Path(f"{path}-journal").read_bytes()
        connection.execute("ROLLBACK")
    Path(f"{copy}-journal").write_bytes(journal)
    alone = path.with_name("alone.db")
    alone.write_bytes(copy.read_bytes())
    with pytest.raises(StoreError, match="damaged"), closing(SqliteStore(alone, replaces=False)) as store:
        store.load(next(iter(SITES)), LIMIT)
    assert_as_written(copy, written)


def test_opening_takes_no_lock_from_another_connection_of_the_process(
    path: Path, written: dict[str, SiteSample], monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')"
    with opened(path) as connection:
        connection.execute("BEGIN IMMEDIATE")
        # As when another thread makes the file right after this one has looked for it.
        monkeypatch.setattr(Path, "exists", lambda _: False)
        SqliteStore(path).close()
        monkeypatch.undo()
        done = subprocess.run([sys.executable, "-c", attempt, str(path)], capture_output=True, text=True, timeout=120)
        assert "database is locked" in done.stderr
        connection.execute("ROLLBACK")
    assert_as_written(path, written)


def test_file_of_a_format_that_may_only_be_read_is_read(path: Path, written: dict[str, SiteSample]) -> None:
    with path.open("r+b") as file:
        file.seek(18)  # the version that is needed to write, in SQLite's header
        file.write(b"\x03")
    assert_as_written(path, written)
    with closing(SqliteStore(path)) as store, pytest.raises(StoreError, match="Make the file and its folder writable"):
        store.save("new.example", next(iter(written.values())))

"""Rebuilding a damaged store: a new one from all whole parts; the old one is set aside."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from scrapy_blockfilter import SiteSample
from scrapy_blockfilter.store import SqliteStore, StoreError
from scrapy_blockfilter.store.corrections import add
from scrapy_blockfilter.store.rebuild import main, rebuild
from stress.store_damage import SITES, cut_off, flip_bytes, wipe_page
from stress.store_pages import LIMIT, is_part_of, is_whole, make_store
from stress.store_strangers import STRANGERS, make_stranger
from tests.support.older_stores import make_older

ROOT = Path(__file__).parents[2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "templates.db"


@pytest.fixture
def written(path: Path) -> dict[str, SiteSample]:
    """What is in the store at ``path``."""
    return make_store(path, SITES)


def run(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(statement)


def change_type(path: Path, table: str, change: str) -> None:
    """Change values of a table to others of another type, which its form forbids, as a flipped byte can."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        (form,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    for now in (form.replace("STRICT, ", "").replace("STRICT", ""), form):
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (now, table))
        if now != form:
            run(path, f"UPDATE {table} SET {change}")


def loaded(path: Path) -> dict[str, SiteSample]:
    with closing(SqliteStore(path)) as store:
        return {site: store.load(site, LIMIT) for site in SITES}


def test_whole_store_is_the_same_afterwards(path: Path, written: dict[str, SiteSample]) -> None:
    before = path.read_bytes()
    done = rebuild(path)
    assert (done.sites, done.pages, done.lost) == (len(SITES), LIMIT * len(SITES), 0)
    assert done.aside == path.with_name("templates.db.damaged-1")
    assert done.aside.read_bytes() == before
    for site, sample in loaded(path).items():
        assert sample.records == written[site].records
        assert sample.texts == written[site].texts
    assert sorted(file.name for file in path.parent.iterdir() if file.stat().st_size) == [
        "templates.db",
        "templates.db.damaged-1",
    ]
    assert rebuild(path).aside == path.with_name("templates.db.damaged-2")


@pytest.mark.parametrize(
    ("table", "change", "pages"),
    [
        ("pages", "blocks = 'text' WHERE site_id = 1", LIMIT * (len(SITES) - 1)),
        ("pages", "record = 'text' WHERE site_id = 1", LIMIT * (len(SITES) - 1)),
        ("blocks", "text = x'ff' WHERE site_id = 1", LIMIT * len(SITES)),
        ("slots", "label = x'ff' WHERE site_id = 1", LIMIT * len(SITES)),
        ("sites", "site = x'ff' WHERE id = 1", LIMIT * (len(SITES) - 1)),
    ],
)
def test_a_value_of_another_type_than_its_column_is_left_out(
    path: Path, written: dict[str, SiteSample], table: str, change: str, pages: int
) -> None:
    change_type(path, table, change)
    with pytest.raises(StoreError, match=r"store\.rebuild"):
        SqliteStore(path)
    assert rebuild(path).pages == pages
    assert all(is_part_of(sample, written[site]) for site, sample in loaded(path).items())


def test_of_an_older_release_nothing_that_was_learnt_is_left_and_what_people_decided_is(
    path: Path, written: dict[str, SiteSample]
) -> None:
    with closing(SqliteStore(path)) as store:
        add(store, "site.example", [("drop", ".ad")])
    make_older(path, 5)
    done = rebuild(path)
    assert (done.sites, done.pages, done.lost) == (0, 0, len(SITES))
    with closing(SqliteStore(path)) as store:
        assert store.corrections()["site.example"].drop == (".ad",)


def test_damaged_record_is_left_out_and_the_rest_is_kept(path: Path, written: dict[str, SiteSample]) -> None:
    first, second, *others = SITES
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "UPDATE pages SET record = substr(record, 2) "
            "WHERE site_id = 1 AND page = (SELECT min(page) FROM pages WHERE site_id = 1)"
        )
        connection.execute("UPDATE pages SET blocks = substr(blocks, 9) WHERE site_id = 2")
    with closing(SqliteStore(path)) as store, pytest.raises(StoreError, match=r"store\.rebuild"):
        store.load(first, LIMIT)
    done = rebuild(path)
    assert (done.sites, done.pages, done.lost) == (len(SITES) - 1, LIMIT * (len(SITES) - 1) - 1, 1)
    found = loaded(path)
    assert len(found[first]) == LIMIT - 1
    assert is_part_of(found[first], written[first])
    assert len(found[second]) == 0
    assert all(found[site].records == written[site].records for site in others)
    assert is_whole(path)


@pytest.mark.parametrize("damage", [flip_bytes, wipe_page, cut_off])
def test_of_a_damaged_file_what_is_whole_is_kept(
    path: Path, written: dict[str, SiteSample], damage: Callable[[random.Random, Path], None]
) -> None:
    original = path.read_bytes()
    kept = 0
    for seed in range(24):
        path.write_bytes(original)
        damage(random.Random(seed), path)
        kept += rebuild(path).pages
        assert is_whole(path)
        assert all(is_part_of(sample, written[site]) for site, sample in loaded(path).items())
    # Of 24 times 32 pages, which all could not be read by an open of the store.
    assert kept > 60


@pytest.mark.parametrize("name", STRANGERS)
def test_of_a_file_made_by_someone_else_only_rows_of_our_tables_are_taken(
    path: Path, written: dict[str, SiteSample], name: str, tmp_path: Path
) -> None:
    stranger = tmp_path / "stranger.db"
    make_stranger(path, stranger, STRANGERS[name])
    if name == "newer version":
        with pytest.raises(StoreError, match="newer release"):
            rebuild(stranger)
        return
    done = rebuild(stranger)
    assert done.pages in (0, LIMIT * len(SITES))
    assert is_whole(stranger)
    for site, sample in loaded(stranger).items():
        assert sample.records in ({}, written[site].records)


def test_file_that_is_no_database_is_set_aside(path: Path) -> None:
    path.write_bytes(b"not a database, but a file of some length that stands in the place of one" * 100)
    done = rebuild(path)
    assert (done.sites, done.pages, done.lost) == (0, 0, 0)
    assert done.aside.read_bytes().startswith(b"not a database")
    assert all(len(sample) == 0 for sample in loaded(path).values())


def test_database_of_another_program_is_left_alone(path: Path) -> None:
    run(path, "CREATE TABLE things (id INTEGER)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program's file"):
        rebuild(path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_store_that_is_written_at_the_moment_is_left_alone(
    path: Path, written: dict[str, SiteSample], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrapy_blockfilter.store.rebuild._TIMEOUT", 0.05)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"is in use\. Stop the crawl"):
            rebuild(path)
    assert loaded(path).keys() == written.keys()
    assert not list(path.parent.glob("*rebuilding*"))


def test_crawl_that_has_the_file_open_learns_that_it_was_replaced(path: Path, written: dict[str, SiteSample]) -> None:
    with closing(SqliteStore(path)) as store:
        rebuild(path)
        with pytest.raises(StoreError, match="deleted or replaced"):
            store.save("new.example", next(iter(written.values())))
    assert is_whole(path)
    assert all(len(sample) == LIMIT for sample in loaded(path).values())


def test_command_of_the_error_message_does_it(path: Path, written: dict[str, SiteSample]) -> None:
    data = bytearray(path.read_bytes())
    data[-4096:] = bytes(4096)
    path.write_bytes(data)
    with pytest.raises(StoreError, match="is damaged") as raised:
        SqliteStore(path)
    command = str(raised.value).split("`")[1].split()
    assert command[:3] == ["python", "-m", "scrapy_blockfilter.store.rebuild"]
    done = subprocess.run(
        [sys.executable, *command[1:]], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert f"The old file is {path}.damaged-1." in done.stdout
    assert done.stderr == ""
    assert sum(map(len, loaded(path).values())) > 0


def test_command_says_what_is_wrong(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(path)]) == 1
    assert capsys.readouterr().err == f"{path} is not a file: there is nothing to rebuild.\n"

"""Rebuilding a damaged store: a new one with corrections and held items; the old one is set aside."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from scrapy_blockfilter.store import SqliteStore, StoreError
from scrapy_blockfilter.store.corrections import add, corrections_of, undo
from scrapy_blockfilter.store.rebuild import main, rebuild
from stress.store_damage import SITES, cut_off, flip_bytes, wipe_page
from stress.store_pages import LIMIT, is_whole, make_store
from stress.store_strangers import STRANGERS, make_stranger
from tests.support.older_stores import make_older

ROOT = Path(__file__).parents[2]
CORRECTIONS = [("drop", f".advert-{number}") for number in range(300)]
ITEMS = [f'{{"number": {number}}}' for number in range(40)]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of several sites, with corrections and held items."""
    path = tmp_path_factory.mktemp("made") / "templates.db"
    make_store(path, SITES)
    with closing(SqliteStore(path)) as store:
        add(store, "site.example", [*CORRECTIONS, ("keep", "main")])
        undo(store, "site.example")
        with store.transaction() as execute:
            for row, item in enumerate(ITEMS, 1):
                page = (row, "job", "", item, "response", b"\0body" * 1000)
                execute("INSERT INTO spooled_pages VALUES (?, ?, ?, ?, ?, ?)", page)
                execute("INSERT INTO spooled_items VALUES (?, ?, ?)", (row, row, item))
    return path


@pytest.fixture
def path(made: Path, tmp_path: Path) -> Path:
    """A copy of the store."""
    return Path(shutil.copy(made, tmp_path))


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


def taken_over(path: Path) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the corrections and held items of a store, and check that it has nothing else."""
    assert is_whole(path)
    with closing(SqliteStore(path)) as store:
        assert all(len(store.load(site, LIMIT)) == 0 for site in SITES)
        made = [(correction.action, correction.selector) for correction in corrections_of(store, "site.example")]
        with store.reading() as execute:
            items = [item for (item,) in execute("SELECT item FROM spooled_items ORDER BY id")]
    return made, items


def test_corrections_and_held_items_stay_and_sites_are_learnt_anew(path: Path) -> None:
    before = path.read_bytes()
    done = rebuild(path)
    assert (done.corrections, done.items) == (len(CORRECTIONS) + 1, len(ITEMS))
    assert done.aside == path.with_name("templates.db.damaged-1")
    assert done.aside.read_bytes() == before
    assert taken_over(path) == (CORRECTIONS, ITEMS)
    assert sorted(file.name for file in path.parent.iterdir() if file.stat().st_size) == [
        "templates.db",
        "templates.db.damaged-1",
    ]
    assert rebuild(path).aside == path.with_name("templates.db.damaged-2")
    assert taken_over(path) == (CORRECTIONS, ITEMS)


@pytest.mark.parametrize(
    ("table", "change", "corrections", "items"),
    [
        ("corrections", "selector = x'ff' WHERE id = 1", CORRECTIONS[1:], ITEMS),
        ("corrections", "action = 'other' WHERE id = 1", CORRECTIONS[1:], ITEMS),
        ("corrections", "selector = 'div[' WHERE id = 1", CORRECTIONS[1:], ITEMS),
        ("spooled_pages", "body = 'text' WHERE id = 1", CORRECTIONS, ITEMS[1:]),
        ("spooled_items", "item = x'ff' WHERE id = 1", CORRECTIONS, ITEMS[1:]),
    ],
)
def test_row_with_a_value_that_its_column_never_has_is_left_out(
    path: Path, table: str, change: str, corrections: list[tuple[str, str]], items: list[str]
) -> None:
    change_type(path, table, change)
    rebuild(path)
    assert taken_over(path) == (corrections, items)


def test_decisions_of_people_are_taken_from_an_older_release(path: Path) -> None:
    make_older(path, 5)
    rebuild(path)
    assert taken_over(path) == (CORRECTIONS, ITEMS)


@pytest.mark.slow
@pytest.mark.parametrize("damage", [flip_bytes, wipe_page, cut_off])
def test_whole_rows_of_a_damaged_file_are_taken_over(path: Path, damage: Callable[[random.Random, Path], None]) -> None:
    original = path.read_bytes()
    kept = 0
    for seed in range(12):
        path.write_bytes(original)
        damage(random.Random(seed), path)
        kept += sum(rebuild(path)[:2])
        corrections, items = taken_over(path)
        assert damage is flip_bytes or set(corrections) <= set(CORRECTIONS)
        assert damage is flip_bytes or set(items) <= set(ITEMS)
    # The store cannot be opened with most of these damages.
    assert kept > 3 * (len(CORRECTIONS) + len(ITEMS))


@pytest.mark.slow
@pytest.mark.parametrize("name", STRANGERS)
def test_of_a_file_made_by_someone_else_only_rows_of_our_tables_are_taken(
    path: Path, name: str, tmp_path: Path
) -> None:
    stranger = tmp_path / "stranger.db"
    make_stranger(path, stranger, STRANGERS[name])
    if name == "newer version":
        with pytest.raises(StoreError, match="newer release"):
            rebuild(stranger)
        return
    rebuild(stranger)
    corrections, items = taken_over(stranger)
    assert corrections in ([], CORRECTIONS)
    assert items in ([], ITEMS)


def test_file_that_is_no_database_is_set_aside(path: Path) -> None:
    path.write_bytes(b"not a database, but a file of some length that stands in the place of one" * 100)
    done = rebuild(path)
    assert (done.corrections, done.items) == (0, 0)
    assert done.aside.read_bytes().startswith(b"not a database")
    assert taken_over(path) == ([], [])


def test_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "things.db"
    run(path, "CREATE TABLE things (id INTEGER)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program's file"):
        rebuild(path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_store_that_is_written_at_the_moment_is_left_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_blockfilter.store.rebuild._TIMEOUT", 0.05)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"is in use\. Stop the crawl"):
            rebuild(path)
    assert not list(path.parent.glob("*rebuilding*"))


def test_crawl_that_has_the_file_open_learns_that_it_was_replaced(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        sample = store.load(next(iter(SITES)), LIMIT)
        rebuild(path)
        with pytest.raises(StoreError, match="deleted or replaced"):
            store.save("new.example", sample)
    assert taken_over(path) == (CORRECTIONS, ITEMS)


def test_command_of_the_error_message_does_it(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(StoreError, match="is damaged") as raised:
        SqliteStore(path)
    command = str(raised.value).split("`")[1].split()
    assert command[:3] == ["python", "-m", "scrapy_blockfilter.store.rebuild"]
    done = subprocess.run(
        [sys.executable, *command[1:]], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert f"The old file is {path}.damaged-1." in done.stdout
    assert done.stderr == ""
    assert taken_over(path)[0]


def test_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "templates.db"
    assert main([str(path)]) == 1
    assert capsys.readouterr().err == f"{path} is not a file: there is nothing to rebuild.\n"

"""A store that is damaged or of an older release is set aside; a new one has its corrections."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from scrapy_blockfilter.store import SqliteStore, StoreError
from scrapy_blockfilter.store.corrections import add, corrections_of, undo
from scrapy_blockfilter.store.errors import damaged
from scrapy_blockfilter.store.opening import CORRECTIONS as CORRECTIONS_BEFORE
from scrapy_blockfilter.store.set_aside import set_aside
from stress.store_damage import SITES, cut_off, flip_bytes, wipe_page
from stress.store_pages import LIMIT, is_whole, make_store
from tests.support.sqlite_files import locked, opened, run_sql
from tests.support.store_strangers import STRANGERS, make_stranger

CORRECTIONS = [("drop", f".advert-{number}") for number in range(300)]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of several sites, with corrections."""
    path = tmp_path_factory.mktemp("made") / "templates.db"
    with closing(SqliteStore(path)) as store:
        add(store, "site.example", [*CORRECTIONS, ("keep", "main")])
        undo(store, "site.example")
    make_store(path, SITES)
    return path


@pytest.fixture
def path(made: Path, tmp_path: Path) -> Path:
    """A copy of the store."""
    return Path(shutil.copy(made, tmp_path))


def change_type(path: Path, table: str, change: str) -> None:
    """Change values of a table to others of another type, which its form forbids, as a flipped byte can."""
    (form,) = run_sql(path, "SELECT sql FROM sqlite_master WHERE name = ?", table)
    for now in (form.replace("STRICT, ", "").replace("STRICT", ""), form):
        with opened(path) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (now, table))
        if now != form:
            run_sql(path, f"UPDATE {table} SET {change}")


def make_older(path: Path) -> None:
    """Undo what 0.3 changed in the table of corrections, and give the store the version of 0.2."""
    rows = run_sql(path, "SELECT id, site, action, selector, made, undone FROM corrections")
    with opened(path) as connection:
        connection.execute("DROP TABLE corrections")
        connection.execute(CORRECTIONS_BEFORE)
        connection.executemany("INSERT INTO corrections VALUES (?, ?, ?, ?, ?, ?)", rows)
        connection.execute("PRAGMA user_version = 7")


def old_file(path: Path) -> Path:
    return path.with_name(f"{path.name}.old-1")


def replaced(path: Path) -> None:
    set_aside(path, path.stat(), damaged(path, "as this test says"))


def taken_over(path: Path) -> list[tuple[str, str]]:
    """Return the corrections of a store, and check that it has nothing else."""
    assert is_whole(path)
    with closing(SqliteStore(path)) as store:
        assert all(len(store.load(site, LIMIT)) == 0 for site in SITES)
        return [(correction.action, correction.selector) for correction in corrections_of(store, "site.example")]


def test_corrections_stay_and_the_old_file_is_told(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    before = path.read_bytes()
    replaced(path)
    assert taken_over(path) == CORRECTIONS
    assert old_file(path).read_bytes() == before
    assert {file.name for file in path.parent.iterdir()} == {path.name, old_file(path).name}
    (line,) = caplog.messages
    assert "(as this test says)" in line
    assert f"its corrections ({len(CORRECTIONS)}); sites are learnt anew. The old file is {old_file(path)}." in line
    replaced(path)
    assert taken_over(path) == CORRECTIONS
    assert path.with_name(f"{path.name}.old-2").exists()


@pytest.mark.parametrize("change", ["selector = x'ff'", "action = 'other'", "selector = 'div['"])
def test_row_with_a_value_that_its_column_never_has_is_left_out(path: Path, change: str) -> None:
    change_type(path, "corrections", f"{change} WHERE id = 1")
    replaced(path)
    assert taken_over(path) == CORRECTIONS[1:]


@pytest.mark.parametrize(("name", "kept"), [(b'"migration_set"', CORRECTIONS), (b"selector TEXT", [])])
def test_store_whose_schema_is_no_text_is_replaced(path: Path, name: bytes, kept: list[tuple[str, str]]) -> None:
    data = path.read_bytes()
    assert name in data
    path.write_bytes(data.replace(name, name[:3] + b"\xff" + name[4:]))
    assert taken_over(path) == kept
    assert old_file(path).exists()


def test_store_of_a_release_before_is_replaced_when_it_is_opened_but_not_by_readers(path: Path) -> None:
    make_older(path)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"written by a release before 0\.3"):
        SqliteStore(path, replaces=False)
    assert path.read_bytes() == before
    assert taken_over(path) == CORRECTIONS
    assert old_file(path).read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize("damage", [flip_bytes, wipe_page, cut_off])
def test_whole_rows_of_a_damaged_file_are_taken_over(path: Path, damage: Callable[[random.Random, Path], None]) -> None:
    original = path.read_bytes()
    kept = 0
    for seed in range(12):
        path.write_bytes(original)
        damage(random.Random(seed), path)
        replaced(path)
        corrections = taken_over(path)
        kept += len(corrections)
        assert damage is flip_bytes or set(corrections) <= set(CORRECTIONS)
    # The store cannot be opened with most of these damages.
    assert kept > len(CORRECTIONS)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(STRANGERS.keys() - {"no application id"}))
def test_of_a_strange_file_only_corrections_in_our_table_are_taken(path: Path, name: str, tmp_path: Path) -> None:
    stranger = tmp_path / "stranger.db"
    make_stranger(path, stranger, STRANGERS[name])
    replaced(stranger)
    assert taken_over(stranger) in ([], CORRECTIONS)


@pytest.mark.parametrize("data", [b"not a database, but a file of some length " * 100, b"", None])
def test_file_that_is_no_store_of_ours_is_left_alone(tmp_path: Path, data: bytes | None) -> None:
    path = tmp_path / "things.db"
    if data is None:
        run_sql(path, "CREATE TABLE things (id INTEGER)")
    else:
        path.write_bytes(data)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"as this test says\)\. It does not begin as a store does, so"):
        replaced(path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_store_that_is_written_at_the_moment_is_left_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_blockfilter.store.set_aside._TIMEOUT", 0.05)
    with locked(path), pytest.raises(StoreError, match=r"while a crawl uses it\. Stop that crawl"):
        replaced(path)
    assert list(path.parent.iterdir()) == [path]


def test_crawl_that_has_the_file_open_learns_that_it_was_replaced(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        sample = store.load(next(iter(SITES)), LIMIT)
        replaced(path)
        with pytest.raises(StoreError, match="deleted or replaced"):
            store.save("new.example", sample)
    assert taken_over(path) == CORRECTIONS


@pytest.mark.slow
def test_of_processes_that_open_a_damaged_store_at_once_one_replaces_it(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with ThreadPoolExecutor(8) as pool:
        for store in pool.map(lambda _: SqliteStore(path), range(8)):
            store.close()
    assert set(taken_over(path)) <= set(CORRECTIONS)
    assert old_file(path).exists()
    assert not path.with_name(f"{path.name}.old-2").exists()

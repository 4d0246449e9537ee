"""The SQLite store: saved data comes back, whoever else writes, and whatever happens meanwhile."""

from __future__ import annotations

import os
import random
import stat
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store import ModelVersion, SqliteStore, StoreError
from scrapy_blockfilter.store.opening import SCHEMA_VERSION
from scrapy_blockfilter.store.sqlite import MAX_VERSIONS
from stress.store_crowds import CONTEXT, kill_writers
from stress.store_pages import is_whole, make_store
from tests.support.made_sites import make_site
from tests.support.pages import numbered, segmented
from tests.support.sqlite_files import locked, opened, run_sql

FORGET, ASIDE = "scrapy blockfilter forget news.example", "sets a damaged store aside"
PAGES = [segmented(page.html) for page in make_site(pages=12).pages]


def sample_of(numbers: Iterable[int]) -> SiteSample:
    return numbered(PAGES, numbers)


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(path, busy_timeout=0.05)) as store:
        yield store


def test_threads_take_turns_and_a_closed_store_is_not_called_damaged(store: SqliteStore) -> None:
    # `scrapy shell` opens the store in one thread and uses it in another.
    with ThreadPoolExecutor(4) as threads:
        for _ in threads.map(lambda number: store.save("example.com", sample_of([number])), range(12)):
            pass
        assert sorted(threads.submit(store.load, "example.com", 100).result().records) == list(range(12))
    store.close()
    with pytest.raises(StoreError, match=r"closed database; the file is not the cause") as raised:
        store.load("example.com", 10)
    assert raised.value.kind == "misused"


def test_model_versions_are_numbered_and_bounded_and_equal_ones_noted_once(store: SqliteStore, path: Path) -> None:
    version = ModelVersion("consensus", 10, "digest", 12, 0.75)
    store.note("unknown.example", version)
    assert run_sql(path, "SELECT * FROM models") == []
    store.save("news.example", sample_of([1]))
    for noted in (version, version, version._replace(method="entropy"), version, version):
        store.note("news.example", noted)
    statement = "SELECT version, method, pages, digest, templates, usual_kept FROM models ORDER BY version"
    assert run_sql(path, statement) == [(1, *version), (2, *version._replace(method="entropy")), (3, *version)]
    for number in range(4, 60):
        store.note("news.example", version._replace(digest=str(number)))
    assert [row[0] for row in run_sql(path, statement)] == list(range(60 - MAX_VERSIONS, 60))


@pytest.mark.skipif(os.name != "posix", reason="file modes of POSIX")
def test_file_is_readable_by_its_owner_alone(store: SqliteStore, path: Path) -> None:
    store.save("news.example", sample_of([1]))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_there_is_one_file_with_a_rollback_journal(store: SqliteStore, path: Path) -> None:
    store.save("news.example", sample_of([1]))
    store.close()
    with closing(SqliteStore(path)) as again:
        again.save("news.example", sample_of([2]))
        with again.reading() as execute:
            assert execute("PRAGMA journal_mode").fetchone() == ("truncate",)
            assert execute("PRAGMA synchronous").fetchone() == (2,)
    leftovers = [file for file in path.parent.iterdir() if file != path]
    assert [file.name for file in leftovers if file.stat().st_size or file.name != "templates.db-journal"] == []


@pytest.mark.parametrize("size", [0, 4096])
def test_empty_file_of_someone_is_made_a_store(path: Path, size: int) -> None:
    run_sql(path, "VACUUM" if size else "SELECT 1")
    assert path.stat().st_size == size
    with closing(SqliteStore(path)) as store:
        store.save("news.example", sample_of([1]))
    assert is_whole(path)


@pytest.mark.parametrize("version", [0, 1, 99])
def test_database_of_another_program_is_left_alone(path: Path, version: int) -> None:
    run_sql(path, "CREATE TABLE sites (id INTEGER)")
    run_sql(path, f"PRAGMA user_version = {version}")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"is another program's SQLite file. Set BLOCKFILTER_STORE to a file of its"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_store_of_a_newer_release_is_left_alone(store: SqliteStore, path: Path) -> None:
    store.save("news.example", sample_of([1]))
    store.close()
    run_sql(path, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=rf"newer release \(store version {SCHEMA_VERSION + 1}.*Upgrade"):
        SqliteStore(path)
    assert path.read_bytes() == before


@contextmanager
def failing(failed: list[StoreError]) -> Iterator[None]:
    try:
        yield
    except StoreError as error:
        failed.append(error)


@pytest.mark.parametrize("seed", range(10))
def test_damaged_file_raises_store_errors_only(store: SqliteStore, path: Path, seed: int) -> None:
    for site in ("news.example", "other.example"):
        store.save(site, sample_of(range(12)))
    store.close()
    chooser = random.Random(seed)
    data = bytearray(path.read_bytes())
    for _ in range(chooser.choice((1, 30, 400))):
        # Not in the header, most of which SQLite would take for another kind of file.
        data[chooser.randrange(100, len(data))] = chooser.randrange(256)
    path.write_bytes(data)

    failed: list[StoreError] = []
    with failing(failed), closing(SqliteStore(path, busy_timeout=0.05)) as damaged:
        for site in ("news.example", "other.example", "new.example"):
            with failing(failed):
                damaged.load(site, 100)
            with failing(failed):
                damaged.save(site, sample_of([1]))
            with failing(failed):
                damaged.note(site, ModelVersion("consensus", 1, "digest", 1, 0.5))
    for failure in map(str, failed):
        assert str(path) in failure
        assert any(advice in failure for advice in (FORGET.rpartition(" ")[0], "BLOCKFILTER_STORE"))


def test_damaged_record_says_so_and_what_to_do(store: SqliteStore, path: Path) -> None:
    store.save("news.example", sample_of([1, 2]))
    run_sql(path, "UPDATE pages SET record = substr(record, 2) WHERE page = 2")
    told = rf"is damaged .*'news.example' has a record.*{FORGET}"
    with pytest.raises(StoreError, match=told):
        store.load("news.example", 100)
    with pytest.raises(StoreError, match=told):
        store.save("news.example", sample_of([3]))
    assert run_sql(path, "SELECT page FROM pages") == [1, 2]
    # Another site is as before.
    store.save("other.example", sample_of([3]))
    assert len(store.load("other.example", 100)) == 1


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE slots SET label = CAST(x'ff' AS TEXT)",
        "ALTER TABLE pages RENAME COLUMN record TO body",
        "DROP TABLE slots",
        "UPDATE pages SET blocks = substr(blocks, 2)",
        "UPDATE pages SET blocks = (SELECT blocks FROM pages WHERE page = 1)",
        "UPDATE pages SET page = 3 WHERE page = 2",
        "UPDATE pages SET site_id = 1 WHERE site_id = 2",
        "UPDATE pages SET record = x''",
        "UPDATE pages SET record = zeroblob(8000000)",
        "UPDATE pages SET blocks = zeroblob(8000000)",
    ],
)
def test_tables_that_are_not_what_they_were_are_damage(store: SqliteStore, path: Path, damage: str) -> None:
    store.save("news.example", sample_of([1, 2]))
    store.save("other.example", sample_of([3]))
    run_sql(path, damage)
    with pytest.raises(StoreError, match=f"{FORGET}|{ASIDE}"):
        store.load("news.example", 100)


def test_page_hash_that_is_no_number_is_damage(store: SqliteStore, path: Path) -> None:
    store.save("news.example", sample_of([1, 2]))
    assert store.hashes("news.example", 1) == [1]
    with opened(path) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET sql = replace(sql, 'STRICT, ', '') WHERE name = 'pages'")
    run_sql(path, "UPDATE pages SET page = 'two' WHERE page = 2")
    with pytest.raises(StoreError, match=rf"'news.example' has a page without a hash.*{FORGET}"):
        store.hashes("news.example", 100)


def test_locked_store_says_so_and_takes_the_sample_later(store: SqliteStore, path: Path) -> None:
    store.save("news.example", sample_of([1]))
    with locked(path, "IMMEDIATE"):
        with pytest.raises(StoreError, match=r"locked.*Another process holds it"):
            store.save("news.example", sample_of([2]))
        with pytest.raises(StoreError, match=r"locked.*Another process holds it"):
            store.note("news.example", ModelVersion("consensus", 1, "digest", 1, 0.5))
        # A writer that has not begun to write disturbs no reader.
        assert len(store.load("news.example", 100)) == 1
    with locked(path, "EXCLUSIVE"):
        with pytest.raises(StoreError, match="locked"):
            store.load("news.example", 100)
        with pytest.raises(StoreError, match="locked"):
            SqliteStore(path, opening_timeout=0.05)
    assert len(store.save("news.example", sample_of([2]))) == 2
    assert is_whole(path)


def test_store_that_stays_locked_is_waited_for_once(path: Path) -> None:
    with closing(SqliteStore(path, busy_timeout=0.5)) as store:

        def patience() -> int:
            (milliseconds,) = store._connection.execute("PRAGMA busy_timeout").fetchone()
            return int(milliseconds)

        seen = [patience()]
        with locked(path, "IMMEDIATE"):
            for number in range(4):
                with pytest.raises(StoreError, match="locked"):
                    store.save("news.example", sample_of([number]))
                seen.append(patience())
        assert seen == [500, 50, 5, 0, 0]
        store.save("news.example", sample_of([1]))
        assert patience() == 500


def test_full_disk_says_so_and_loses_nothing(store: SqliteStore, path: Path) -> None:
    store.save("news.example", sample_of([1]))
    with store.reading() as execute:
        (pages,) = execute("PRAGMA page_count").fetchone()
        execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match=r"full.*Make room on the disk"):
        store.save("news.example", sample_of(range(2, 12)))
    assert store.load("news.example", 100).records == sample_of([1]).records
    assert is_whole(path)


def test_save_that_fails_half_way_changes_nothing(store: SqliteStore, path: Path) -> None:
    store.save("news.example", sample_of([1]))
    run_sql(path, "CREATE TRIGGER refuse BEFORE INSERT ON pages BEGIN SELECT RAISE(ABORT, 'refused'); END")
    for site in ("news.example", "new.example"):
        with pytest.raises(StoreError, match="refused"):
            store.save(site, sample_of([2]))
    assert run_sql(path, "SELECT page FROM pages") == [1]
    assert run_sql(path, "SELECT site FROM sites") == ["news.example"]
    assert is_whole(path)


@pytest.mark.parametrize("make", [Path.mkdir, *([os.mkfifo] if hasattr(os, "mkfifo") else [])])
def test_folder_or_pipe_in_place_of_the_file_is_refused(path: Path, make: Callable[[Path], None]) -> None:
    make(path)
    with pytest.raises(StoreError, match=r"is a folder, device, pipe or socket\. Name a file"):
        SqliteStore(path)
    assert list(path.parent.iterdir()) == [path]


def test_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"cannot be created.*Set BLOCKFILTER_STORE to a path that can be written"):
        SqliteStore(tmp_path / "file" / "templates.db")


@pytest.mark.slow
def test_eight_processes_may_be_the_first_to_open_a_store_and_save_pages_of_one_site(tmp_path: Path) -> None:
    # Most attempts would go well without any care, so there are many.
    paths = [tmp_path / str(attempt) / "templates.db" for attempt in range(20)]
    with ProcessPoolExecutor(8, CONTEXT) as processes:
        for path in paths:
            list(processes.map(make_store, [path] * 8, [{"news.example": [number]} for number in range(8)]))
    for path in paths:
        assert is_whole(path)
        assert run_sql(path, "SELECT name FROM _sqlite_migrations") == ["m009_tables"]
        assert run_sql(path, "SELECT count(DISTINCT page) FROM pages JOIN sites ON sites.id = site_id") == [8]


@pytest.mark.slow
def test_killed_process_leaves_a_whole_store_with_all_that_it_and_another_had_saved(tmp_path: Path) -> None:
    tally = kill_writers(tmp_path, rounds=6, seed=13)
    assert (tally.tried, tally.problems) == (6, [])
    assert tally.did_no_harm

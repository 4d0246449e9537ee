"""Held items in the store."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrapy_blockfilter.store import SqliteStore, StoreError
from scrapy_blockfilter.store.spool import LeftItem, Spool, SpooledPage

PAGE = SpooledPage("page", "response", b"\0body")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "templates.db")
    yield store
    store.close()


def kill(store: SqliteStore) -> None:
    """Make all rows those of an earlier process with our number, as in a container that was started again."""
    with store.transaction() as execute:
        execute("UPDATE spooled_pages SET owner = ?", (f"{platform.node()}:{os.getpid()}:{0:032}",))


def rows(store: SqliteStore, table: str) -> int:
    with store.transaction() as execute:
        return int(execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def test_items_of_a_page_share_it_and_the_last_takes_it_away(store: SqliteStore) -> None:
    spool = Spool(store, "job", is_ours=True)
    page, first = spool.add(PAGE, None, "one")
    same, second = spool.add(PAGE, page, "two")
    assert same == page
    assert (rows(store, "spooled_pages"), rows(store, "spooled_items")) == (1, 2)
    spool.remove([first])
    assert rows(store, "spooled_pages") == 1
    spool.remove([second])
    assert (rows(store, "spooled_pages"), rows(store, "spooled_items")) == (0, 0)
    # The callback goes on after its first items were released.
    _, third = spool.add(PAGE, page, "three")
    assert (rows(store, "spooled_pages"), rows(store, "spooled_items")) == (1, 1)
    kill(store)
    assert Spool(store, "job", is_ours=True).left == {"page": [[third]]}


def test_what_is_left_is_taken_in_order_and_stays_until_it_is_removed(store: SqliteStore) -> None:
    before = Spool(store, "job", is_ours=True)
    page, first = before.add(PAGE, None, "one")
    _, second = before.add(PAGE, page, "two")
    _, third = before.add(PAGE._replace(key="other"), None, "three")
    kill(store)
    spool = Spool(store, "job", is_ours=True)
    spool.add(PAGE, None, "of this crawl")
    assert list(spool.take_left()) == [
        (PAGE, [LeftItem(first, "one"), LeftItem(second, "two")]),
        (PAGE._replace(key="other"), [LeftItem(third, "three")]),
    ]
    assert spool.left == {}
    assert rows(store, "spooled_items") == 4


def test_each_page_that_comes_again_claims_one(store: SqliteStore) -> None:
    before = Spool(store, "job", is_ours=True)
    one, first = before.add(PAGE, None, "one")
    _, second = before.add(PAGE, one, "two")
    _, third = before.add(PAGE, None, "three")
    before.add(PAGE._replace(key="other"), None, "four")
    kill(store)
    spool = Spool(store, "job", is_ours=True)
    assert spool.claim("page") == [LeftItem(first, "one"), LeftItem(second, "two")]
    assert spool.claim("unknown") == []
    assert {key: len(of_key) for key, of_key in spool.left.items()} == {"page": 1, "other": 1}
    spool.unclaim("page", [second])
    claimed = [spool.claim("page") for _ in range(3)]
    assert claimed == [[LeftItem(second, "two")], [LeftItem(third, "three")], []]
    assert list(spool.left) == ["other"]
    assert rows(store, "spooled_items") == 4


def test_what_was_left_is_taken_by_one_of_two_crawls_that_start(store: SqliteStore) -> None:
    Spool(store, "job", is_ours=False).add(PAGE, None, "one")
    kill(store)
    assert list(Spool(store, "job", is_ours=False).left) == ["page"]
    assert list(Spool(store, "job", is_ours=False).left) == []


@pytest.mark.parametrize("is_ours", [True, False])
def test_rows_of_another_crawl_of_this_process_are_left_alone_until_it_has_closed(
    store: SqliteStore, is_ours: bool
) -> None:
    other = Spool(store, "job", is_ours=is_ours)
    _, row = other.add(PAGE, None, "one")
    assert Spool(store, "job", is_ours=is_ours).left == {}
    other.close()
    assert Spool(store, "job", is_ours=is_ours).left == {"page": [[row]]}


def test_jobs_are_apart(store: SqliteStore) -> None:
    Spool(store, "job", is_ours=True).add(PAGE, None, "one")
    kill(store)
    assert Spool(store, "another", is_ours=True).left == {}
    assert list(Spool(store, "job", is_ours=True).left) == ["page"]


def test_without_a_jobdir_rows_of_a_process_that_runs_are_left_alone(store: SqliteStore) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as running:
        spool = Spool(store, "job", is_ours=False)
        pids = {"ours": os.getpid(), "running": running.pid, "other host": os.getpid(), "bad": "x"}
        for key, pid in pids.items():
            host = "elsewhere.example" if key == "other host" else platform.node()
            page, _ = spool.add(PAGE._replace(key=key), None, "item")
            with store.transaction() as execute:
                execute("UPDATE spooled_pages SET owner = ? WHERE id = ?", (f"{host}:{pid}", page))
        # This very process cannot have been running a crawl before: the number is another's, who has ended.
        assert list(Spool(store, "job", is_ours=False).left) == ["ours"]
        running.communicate(b"\n")
    assert list(Spool(store, "job", is_ours=False).left) == ["running"]
    assert list(Spool(store, "job", is_ours=True).left) == ["other host", "bad"]


def test_store_that_fails_says_so(store: SqliteStore) -> None:
    spool = Spool(store, "job", is_ours=True)
    with store.transaction() as execute:
        execute("DROP TABLE spooled_items")
        execute("DROP TABLE spooled_pages")
    with pytest.raises(StoreError):
        spool.add(PAGE, None, "one")

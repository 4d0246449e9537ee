"""The quick parts of the long tests of stores and of broad crawls, and that they tell the faults they look for."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("scrapy_blockfilter.extras", reason="rule files are of an extra")

from scrapy_blockfilter.html.caches import PageCaches
from scrapy_blockfilter.store import SqliteStore
from stress.broad_crawl import MEMORY_BOUND, crawl_broadly
from stress.fault_stores import StoreFault, run
from stress.host_crawl import BYTES_PER_HOST, HostCrawl, crawl_hosts
from stress.shared_store import missing, share_store
from stress.store_damage import SITES, Tally, damage_files
from stress.store_pages import make_store, sample_of
from tests.support.crawls import Crawl

CrawlFunction = Callable[..., Crawl]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals, limits and file systems of POSIX")


@pytest.fixture(scope="module")
def faults() -> list[StoreFault]:
    return run(rounds=6, seed=7, processes=4)


@pytest.mark.slow
def test_no_fault_does_harm(faults: list[StoreFault]) -> None:
    assert len(faults) == 12
    for fault in faults:
        assert fault.did_no_harm, fault
        assert fault.tried >= 1


def test_page_that_was_never_written_does_not_pass_for_an_intact_store(tmp_path: Path) -> None:
    def forge(_: random.Random, path: Path) -> None:
        with closing(SqliteStore(path)) as store:
            store.save(next(iter(SITES)), sample_of("elsewhere.example", range(100, 130), PageCaches()))

    tally = damage_files(tmp_path, forge, rounds=2, seed=1)
    assert (tally.tried, tally.intact) == (2, 0)
    assert all("pages that were never written" in problem for problem in tally.problems)
    assert not StoreFault("forged", 2, tally.intact, 0, 0, 0).did_no_harm
    assert StoreFault("none", 2, 2, 0, 0, 0).did_no_harm
    for harm in ((2, 2, 1, 0, 0), (2, 2, 0, 1, 0), (2, 2, 0, 0, 1)):
        assert not StoreFault("some", *harm).did_no_harm


@pytest.mark.slow
def test_forty_processes_on_one_store_wait_for_each_other_and_lose_nothing(
    tmp_path: Path,
) -> None:
    tally = share_store(tmp_path, rounds=1, seed=3, patience=600.0)  # a busy machine may write slowly
    assert (tally.tried, tally.intact, tally.problems) == (1, 1, [])
    assert (tally.doubled, tally.errors, tally.hangs) == (0, 0, 0)
    (note,) = tally.notes
    assert note.startswith("40 processes on one store, 1 times: 83 sites")


def test_a_page_lost_in_a_crowd_is_told(tmp_path: Path) -> None:
    path = tmp_path / "shared.db"
    make_store(path, SITES)
    expected = {site: set(pages) for site, pages in SITES.items()}
    tally = Tally()
    assert missing(path, expected, tally) == []
    site = next(iter(SITES))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM pages WHERE page = (SELECT min(page) FROM pages)")
    (problem,) = missing(path, expected, tally)
    assert problem.split()[0] in SITES
    assert missing(path, {site: set(), "never.example": {1}}, tally) != []
    assert tally.doubled == 0


@pytest.mark.slow
def test_all_items_come_out_of_a_quick_crawl_of_many_hosts() -> None:
    crawled = crawl_hosts(hosts=120, seed=3)
    assert crawled.pages == crawled.items > 240
    assert (crawled.harmed, crawled.errors) == (0, 0)
    assert crawled.ready == crawled.ready_due == 2
    assert 0 < crawled.file_bytes < 10_000_000
    assert all(number > 0 for number in (*crawled.milliseconds, *crawled.megabytes))


def test_each_fault_of_a_crawl_of_many_hosts_is_told() -> None:
    good = HostCrawl(
        100, 200, 200, "finished", 200, 0, 1, 1, 0, 1.0, (1, 1, 1, 1), (90, 90, 90, 90), BYTES_PER_HOST, 1_000
    )
    assert good.problems == []
    for fault in (
        {"pages_due": 201},
        {"items": 199},
        {"harmed": 1},
        {"ready": 0},
        {"errors": 1},
        {"growth": BYTES_PER_HOST + 1},
        {"milliseconds": (1, 1, 1, 2)},
        {"file_bytes": 10**10},
    ):
        assert len(replace(good, **fault).problems) == 1


@pytest.mark.slow
def test_quick_broad_crawl_learns_every_site_and_fails_nowhere() -> None:
    broad = crawl_broadly(sites=30, seed=3)
    assert (broad.sites, broad.pages, broad.ready) == (30, 300, 30)
    assert broad.store_errors == 0
    assert 0 < broad.file_bytes < 10_000_000
    assert 0 < broad.peak_bytes < MEMORY_BOUND

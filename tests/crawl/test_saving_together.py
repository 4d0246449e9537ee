"""Sites are saved in few transactions, since each waits for the disk; and a site that cannot be saved fails alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scrapy_blockfilter.crawl import Sites
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store import SqliteStore, StoreError
from tests.support.made_crawler import CountingStats, teach
from tests.support.made_sites import make_site
from tests.support.pages import pages_of

N = 4
SITES = [f"site{number}.example" for number in range(25)]
PAGES = pages_of(make_site(pages=N))


class WatchedStore(SqliteStore):
    """Counts commits, and fails to save some sites, or to keep models."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.statements: list[str] = []
        self.fails: set[str] = set()
        self._connection.set_trace_callback(self.statements.append)

    @property
    def commits(self) -> int:
        return self.statements.count("COMMIT")

    def save(self, site: str, sample: SiteSample) -> SiteSample:
        merged = super().save(site, sample)
        if site in self.fails:
            raise StoreError(f"cannot save {site}", "other")
        return merged

    def save_model(self, site: str, limit: int, conditions: str, sample: str, data: bytes) -> None:
        super().save_model(site, limit, conditions, sample, data)
        if "models" in self.fails:
            raise StoreError("cannot keep models", "other")

    def model_rows(self) -> int:
        (count,) = self._connection.execute("SELECT count(*) FROM fitted_models").fetchone()
        return int(count)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[WatchedStore]:
    store = WatchedStore(tmp_path / "templates.db")
    yield store
    store.close()


def fill(sites: Sites) -> None:
    """Let each site show a page that the store lacks."""
    for site in SITES:
        teach(sites, PAGES[:1], site=site)


def test_pages_and_model_of_a_site_are_written_at_once(store: WatchedStore, stats: CountingStats) -> None:
    crawled = Sites(Options(pages=N), store, stats)
    teach(crawled, PAGES[:1], site="first.example")  # so that other processes notice this one
    store.statements.clear()
    teach(crawled, PAGES[:N], site="news.example")
    assert store.commits == 1
    assert store.count("news.example") == N
    assert store.model_rows() == 1


def test_pages_are_saved_if_their_model_cannot_be(store: WatchedStore, stats: CountingStats) -> None:
    store.fails = {"models"}
    crawled = Sites(Options(pages=N), store, stats)
    teach(crawled, PAGES[:N], site="news.example")
    assert crawled.named("news.example").model() is not None
    assert store.count("news.example") == N
    assert store.model_rows() == 0
    assert stats["blockfilter/store/errors"] == 1


def test_site_that_cannot_be_saved_costs_no_others(store: WatchedStore, stats: CountingStats, tmp_path: Path) -> None:
    sites = Sites(Options(pages=N), store, stats)
    fill(sites)
    store.fails = {SITES[3]}
    sites.close()
    assert stats["blockfilter/store/errors"] == 1
    assert counts(tmp_path) == [int(site != SITES[3]) for site in SITES]


def test_sites_stay_unsaved_if_that_fails_together(store: WatchedStore, stats: CountingStats, tmp_path: Path) -> None:
    sites = Sites(Options(pages=N), store, stats)
    fill(sites)
    reader = sqlite3.connect(tmp_path / "templates.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM sites").fetchall()
    store._connection.execute("PRAGMA busy_timeout = 1")
    teach(sites, PAGES[:N], site=SITES[0])
    assert stats["blockfilter/store/errors"] == 1
    reader.close()
    sites.close()
    assert counts(tmp_path) == [N, *[1] * (len(SITES) - 1)]


def test_sites_that_make_room_and_those_left_at_the_end_are_saved_twenty_at_a_time(
    store: WatchedStore, stats: CountingStats, tmp_path: Path
) -> None:
    sites = Sites(Options(pages=N), store, stats, max_sites=23)
    teach(sites, PAGES[:1], site=SITES[0])  # so that other processes notice this one
    store.statements.clear()
    fill(sites)
    assert store.commits == 1
    statements = store.statements
    sites.close()
    assert statements.count("COMMIT") == 2
    assert counts(tmp_path) == [1] * len(SITES)


def counts(folder: Path) -> list[int]:
    with closing(SqliteStore(folder / "templates.db")) as saved:
        return [saved.count(site) for site in SITES]

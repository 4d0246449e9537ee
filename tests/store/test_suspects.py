"""Pages that may have lost content, in the store: their number, and when they leave."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scrapy_blockfilter.crawl import Sites
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.store import MemoryStore, SqliteStore, StoreError, Suspect, TemplateStore
from scrapy_blockfilter.store.overview import forget, problems, site_summaries
from scrapy_blockfilter.store.template_store import MAX_SUSPECTS
from tests.support.command_line import pages_of
from tests.support.made_crawler import CountingStats
from tests.support.pages import sampled, segmented
from tests.support.sqlite_files import run_sql

SITE = "news.example"
PAGES = [segmented(html) for html in pages_of(8)]


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(path, busy_timeout=0.05)) as store:
        store.save(SITE, sampled(pages_of(3)))
        yield store


def suspects(*numbers: int, reason: str = "keeps 3% of its text") -> list[Suspect]:
    return [Suspect(f"http://{SITE}/{number}", reason) for number in numbers]


def told(store: TemplateStore, site: str = SITE) -> list[tuple[str, str]]:
    return [(suspect.url.rpartition("/")[2], suspect.reason) for suspect in store.suspects(site)]


def sites(store: TemplateStore, stats: CountingStats | None = None, max_sites: int = 1000) -> Sites:
    return Sites(Options(pages=4), store, stats if stats is not None else CountingStats(), max_sites=max_sites)


def count(path: Path) -> int:
    return len(run_sql(path, "SELECT url FROM suspicious_pages"))


def test_they_come_back_with_the_time_and_the_newest_last(store: SqliteStore, path: Path) -> None:
    store.note_suspects(SITE, suspects(1, 2), ())
    store.note_suspects(SITE, suspects(1, reason="keeps 5%"), ())
    with closing(SqliteStore(path)) as other:
        assert told(other) == told(store) == [("2", "keeps 3% of its text"), ("1", "keeps 5%")]
        assert all(len(suspect.noted) == 19 for suspect in other.suspects(SITE))
    assert store.suspects("other.example") == []


def test_of_a_site_the_newest_stay(store: SqliteStore, path: Path) -> None:
    store.save("other.example", sampled(pages_of(1)))
    store.note_suspects("other.example", suspects(0), ())
    store.note_suspects(SITE, suspects(*range(15)), ())
    store.note_suspects(SITE, suspects(*range(15, 30)), ())
    assert [number for number, _ in told(store)] == [str(number) for number in range(10, 30)]
    assert count(path) == MAX_SUSPECTS + 1


def test_those_that_are_cleared_go(store: SqliteStore) -> None:
    store.note_suspects(SITE, suspects(1, 2, 3), ())
    store.note_suspects(SITE, suspects(4), [f"http://{SITE}/2", f"http://{SITE}/9"])
    assert [number for number, _ in told(store)] == ["1", "3", "4"]


def test_they_go_with_their_site(store: SqliteStore, path: Path) -> None:
    store.note_suspects(SITE, suspects(1, 2), ())
    assert [summary.suspicious for summary in site_summaries(store)] == [2]
    assert problems(store)[2] == []
    forget(store, SITE)
    assert count(path) == 0


def test_a_learner_writes_them_with_the_pages_it_learns_and_before_a_site_leaves_memory(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        crawl = sites(store, max_sites=1)
        for number, page in enumerate(PAGES[:3]):
            crawl.named(SITE).learn(number, page)
        crawl.named(SITE).losses.note(f"http://{SITE}/1", "keeps 3%")
        crawl.named(SITE).learn(3, PAGES[3])
        assert told(store) == [("1", "keeps 3%")]
        crawl.named(SITE).losses.note(f"http://{SITE}/2", "keeps 4%")
        crawl.named("other.example").learn(0, PAGES[0])
        assert told(store) == [("1", "keeps 3%"), ("2", "keeps 4%")]


class FullStore(MemoryStore):
    """Has room for nothing of the kind."""

    def suspects(self, site: str) -> list[Suspect]:
        raise StoreError("the disk is broken", "full")

    def note_suspects(self, site: str, new: object, cleared: object) -> None:
        raise StoreError("the disk is full", "full")


def test_a_store_that_cannot_take_them_is_reported_once(caplog: pytest.LogCaptureFixture, stats: CountingStats) -> None:
    crawl = sites(FullStore(), stats)
    crawl.named(SITE).losses.note(f"http://{SITE}/1", "keeps 3%")
    crawl.close()
    assert stats["blockfilter/store/errors"] == 2
    (line,) = caplog.messages
    assert "the crawl goes on with what is in memory. the disk is broken" in line

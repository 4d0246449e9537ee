"""Processes that share a store learn a site together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from scrapy_blockfilter.crawl import Sites
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store import MemoryStore, SqliteStore
from tests.support.made_crawler import CountingStats, teach
from tests.support.made_sites import make_site
from tests.support.pages import pages_of

N = 10
HOST = "news.example"
PAGES = pages_of(make_site(pages=40))


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[[], Sites]]:
    """Makes crawls with connections of their own to one file, as processes have."""
    with ExitStack() as cleanup:

        def make() -> Sites:
            crawled = Sites(Options(pages=N), SqliteStore(tmp_path / "templates.db"), CountingStats())
            cleanup.callback(crawled.close)
            return crawled

        yield make


def test_model_is_fitted_to_the_pages_of_all(make: Callable[[], Sites]) -> None:
    crawls = [make() for _ in range(4)]
    for number in range(N + 4):
        teach(crawls[number % 4], [PAGES[number]], number)
    ready = next(crawled for crawled in crawls if crawled.named(HOST).model())
    assert ready.named(HOST).pages >= N


def test_process_takes_in_the_pages_of_others(make: Callable[[], Sites], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_blockfilter.crawl.sites.LOOK_EVERY", 0.0)
    waiting, busy = make(), make()
    told: list[str] = []
    waiting.on_ready = told.append
    teach(waiting, PAGES[:1])
    assert waiting.named(HOST).model() is None
    teach(busy, PAGES[1 : N + 1], 1)
    assert waiting.named(HOST).model() is not None
    assert told == [HOST]


class Busy(MemoryStore):
    """A store that others use, too."""

    def __init__(self) -> None:
        super().__init__()
        self.saved: list[int] = []
        self.read: list[float] = []
        self.now = 0.0

    def is_shared(self) -> bool:
        return True

    def save(self, site: str, sample: SiteSample) -> SiteSample:
        self.saved.append(len(sample))
        return super().save(site, sample)

    def news(self, site: str, sample: SiteSample) -> SiteSample:
        self.read.append(self.now)
        return sample


def test_every_page_is_written_at_once_while_others_use_the_store() -> None:
    store = Busy()
    teach(Sites(Options(pages=N), store, CountingStats()), PAGES[: 2 * N])
    assert store.saved == [*range(1, N + 1)]


def test_others_pages_are_read_once_in_a_while() -> None:
    store = Busy()
    sites = Sites(Options(pages=N), store, CountingStats(), clock=lambda: store.now)
    for store.now in (0.0, 0.5, 1.0, 1.5):
        sites.named(HOST)
        sites.named(HOST)
    assert store.read == [0.0, 1.0]

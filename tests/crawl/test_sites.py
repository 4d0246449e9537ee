"""The crawl: when a site has a model, and where its data is kept."""

from __future__ import annotations

import logging
from collections.abc import Callable

import pytest

from scrapy_blockfilter.crawl import Sites
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store import MemoryStore, ModelVersion, StoreError
from tests.support.made_crawler import CountingStats, teach
from tests.support.made_sites import make_site
from tests.support.pages import pages_of

PAGES = pages_of(make_site(pages=40))
Make = Callable[..., Sites]


class RecordingStore(MemoryStore):
    """Counts what is asked of it, and fails when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[str, str]] = []
        self.fails: set[str] = set()
        self.kind = ""
        self.versions: list[ModelVersion] = []

    def _call(self, what: str, site: str) -> None:
        self.calls.append((what, site))
        if what in self.fails:
            raise StoreError(f"cannot {what}{self.kind and f', it is {self.kind}'}", self.kind)

    def load(self, site: str, limit: int) -> SiteSample:
        self._call("load", site)
        return SiteSample(limit).merge(super().load(site, limit))

    def save(self, site: str, sample: SiteSample) -> SiteSample:
        self._call("save", site)
        return super().save(site, super().load(site, sample.limit).merge(sample))

    def note(self, site: str, version: ModelVersion) -> None:
        self._call("note", site)
        self.versions.append(version)

    def close(self) -> None:
        self._call("close", "")


@pytest.fixture
def store() -> RecordingStore:
    return RecordingStore()


@pytest.fixture
def make(store: RecordingStore, stats: CountingStats) -> Make:
    def make(pages: int = 4, max_sites: int = 1000) -> Sites:
        return Sites(Options(pages=pages), store, stats, max_sites=max_sites)

    return make


def fitted_to(crawled: Sites, site: str = "news.example") -> int:
    """Return the number of pages that the model of a site was fitted to, 0 without one."""
    model = crawled.named(site).model()
    return model.pages if model else 0


def test_site_has_a_model_from_its_nth_page_on(
    make: Make, stats: CountingStats, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    crawled = make(pages=4)
    for number in range(3):
        teach(crawled, [PAGES[number]], number)
        assert crawled.named("news.example").model() is None
    assert caplog.messages == []
    teach(crawled, PAGES[3:4], 3)
    model = crawled.named("news.example").model()
    assert model is not None
    assert model.pages == 4
    assert stats == {"blockfilter/pages/learnt": 4, "blockfilter/models/fitted": 1, "blockfilter/sites/ready": 1}
    (line,) = caplog.messages
    assert line == (
        f"news.example is ready: 4 pages learnt, {len(model.templates)} template blocks, "
        f"{100 * model.usual_kept:.0f} % of a page's text is kept"
    )


def test_site_that_is_being_learnt_has_a_provisional_model_of_the_pages_there_are(
    make: Make, store: RecordingStore, stats: CountingStats
) -> None:
    crawled = make(pages=4)
    assert crawled.named("news.example").at_hand() is None
    for pages, expected in ((1, 1), (2, 2), (3, 2)):
        teach(crawled, [PAGES[pages - 1]], pages - 1)
        model = crawled.named("news.example").at_hand()
        assert model is not None
        assert model.pages == expected
        assert crawled.named("news.example").at_hand() is model
        assert crawled.named("news.example").model() is None
    assert stats["blockfilter/models/provisional"] == 2
    assert store.versions == []
    teach(crawled, PAGES[3:4], 3)
    assert fitted_to(crawled) == 4


def test_provisional_models_take_work_in_proportion_to_pages(make: Make, stats: CountingStats) -> None:
    crawled = make(pages=1000)
    for number in range(len(PAGES)):
        teach(crawled, [PAGES[number]], number)
        crawled.named("news.example").at_hand()
    # At 1, 2, 4, 7, 11, 17, 26 and 40 pages.
    assert stats["blockfilter/models/provisional"] == 8


@pytest.mark.parametrize(
    ("copies", "fitted_at"), [(0, [4]), (1, [4]), (2, [4, 8]), (4, [4, 8]), (6, [4, 8, 16]), (40, [4, 8, 16])]
)
def test_site_is_learnt_once_unless_most_of_its_pages_are_copies_of_one(
    make: Make, stats: CountingStats, caplog: pytest.LogCaptureFixture, copies: int, fitted_at: list[int]
) -> None:
    caplog.set_level(logging.INFO)
    crawled = make(pages=4)
    seen = []
    for number in range(20):
        if crawled.named("news.example").wants(number):
            crawled.named("news.example").learn(number, PAGES[max(0, number - copies)])
        seen.append(fitted_to(crawled))
    assert sorted({0, *seen}) == [0, *fitted_at]
    assert stats["blockfilter/models/fitted"] == len(fitted_at)
    assert stats["blockfilter/pages/learnt"] == fitted_at[-1]
    assert stats["blockfilter/sites/ready"] == 1
    assert len(caplog.messages) == 1


def test_site_that_is_learnt_wants_no_more_pages(make: Make, stats: CountingStats) -> None:
    crawled = make(pages=2)
    teach(crawled, PAGES[20:28], 20)
    assert not crawled.named("news.example").wants(19)
    assert not crawled.named("news.example").wants(28)
    crawled.named("news.example").learn(28, PAGES[28])
    assert stats["blockfilter/pages/learnt"] == 2


def test_store_is_touched_on_state_changes_alone(make: Make, store: RecordingStore) -> None:
    crawled = make(pages=4)
    teach(crawled, PAGES[:12])
    for _ in range(50):
        crawled.named("news.example").model()
    assert store.calls == [(what, "news.example") for what in ("load", "save", "save", "note")]
    assert [version.pages for version in store.versions] == [4]
    crawled.close()
    assert store.calls[4:] == [("close", "")]


def test_least_recently_met_site_makes_room_and_comes_back(
    make: Make, store: RecordingStore, stats: CountingStats, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    crawled = make(pages=4, max_sites=2)
    teach(crawled, PAGES[:4], site="a.example")
    teach(crawled, PAGES[:3], site="b.example")
    crawled.named("a.example").model()
    crawled.named("c.example").model()
    assert ("save", "b.example") in store.calls
    teach(crawled, PAGES[3:4], 3, site="b.example")
    assert crawled.named("b.example").model() is not None
    assert crawled.named("a.example").model() is not None
    assert stats["blockfilter/sites/ready"] == 2
    assert stats["blockfilter/sites/known"] == 0
    assert stats["blockfilter/pages/learnt"] == 8
    assert [message.partition(" ")[0] for message in caplog.messages] == ["a.example", "b.example"]


@pytest.mark.parametrize("fails", ["load", "save", "note"])
def test_failing_store_is_told_once_and_costs_nothing(
    make: Make, store: RecordingStore, stats: CountingStats, caplog: pytest.LogCaptureFixture, fails: str
) -> None:
    store.fails = {fails}
    crawled = make(pages=4)
    for site in ("news.example", "other.example"):
        teach(crawled, PAGES[:9], site=site)
        assert fitted_to(crawled, site) == 4
    crawled.close()
    assert store.calls[-1] == ("close", "")
    assert stats["blockfilter/store/errors"] == {"load": 2, "save": 5, "note": 2}[fails]
    (record,) = caplog.records
    assert record.levelname == "ERROR"
    assert record.getMessage().endswith(f"goes on with what is in memory. cannot {fails}")


def test_site_that_the_store_does_not_take_stays_in_memory_and_is_saved_later(
    make: Make, store: RecordingStore, stats: CountingStats
) -> None:
    store.fails = {"load", "save"}
    crawled = make(pages=4, max_sites=2)
    sites = ("a.example", "b.example", "c.example", "d.example")
    for site in sites:
        teach(crawled, PAGES[:5], site=site)
    assert [fitted_to(crawled, site) for site in sites] == [4] * len(sites)
    assert stats["blockfilter/sites/forgotten"] == 0
    store.fails = set()
    crawled.close()
    assert [sorted(store.load(site, 100).records) for site in sites] == [list(range(4))] * len(sites)


def test_sites_that_the_store_does_not_take_do_not_fill_the_memory(
    make: Make, store: RecordingStore, stats: CountingStats
) -> None:
    store.fails = {"save"}
    crawled = make(pages=4, max_sites=2)
    for number in range(9):
        teach(crawled, PAGES[:4], site=f"{number}.example")
    # Twice as many as there is room for stay, and what has gone is learnt anew.
    assert stats["blockfilter/sites/forgotten"] == 5
    store.calls.clear()
    assert all(crawled.named(f"{number}.example").model() is not None for number in range(5, 9))
    assert store.calls == []
    assert crawled.named("0.example").model() is None
    teach(crawled, PAGES[:4], site="0.example")
    assert crawled.named("0.example").model() is not None


def test_each_kind_of_failure_is_told_once(make: Make, store: RecordingStore, caplog: pytest.LogCaptureFixture) -> None:
    crawled = make(pages=4)
    for kind in ("locked", "full", "locked", "full"):
        store.kind = kind
        store.fails = {"save"}
        teach(crawled, PAGES[:4], site=f"{len(store.calls)}.example")
    assert [record.getMessage().rpartition(" ")[2] for record in caplog.records] == ["locked", "full"]


def test_sites_that_grow_make_room_for_each_other(store: RecordingStore, stats: CountingStats) -> None:
    now = [0.0]
    crawled = Sites(Options(pages=4), store, stats, max_bytes=400_000, clock=lambda: now[0])
    saved = []
    for number in range(3):
        for site in ("a.example", "b.example", "c.example"):
            now[0] += 2
            teach(crawled, [PAGES[number]], number, site=site)
        saved.append([site for what, site in store.calls[1:] if what == "save"])
    assert saved[0] == ["a.example"]  # the first page of a crawl is written for others
    assert {*saved[2]} == {"a.example", "b.example", "c.example"}
    assert [crawled.named(site).pages for site in ("a.example", "b.example", "c.example")] == [3, 3, 3]

"""A crawl whose store knows the site: the model is there at once, and the sample is read when it is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scrapy_blockfilter.crawl import Sites
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store import MemoryStore, SqliteStore
from scrapy_blockfilter.store.corrections import add
from tests.support.made_crawler import CountingStats, MakeFilter, teach
from tests.support.made_sites import make_site
from tests.support.pages import pages_of
from tests.support.sqlite_files import locked, run_sql

SITE = "news.example"
PAGES = pages_of(make_site(pages=20))


class WatchedStore(SqliteStore):
    """Counts the samples that are read."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.loaded: list[str] = []

    def load(self, site: str, limit: int) -> SiteSample:
        self.loaded.append(site)
        return super().load(site, limit)


class Crawler:
    """A crawl of one site, with its store and statistics."""

    def __init__(self, path: Path, **options: object) -> None:
        self.store = WatchedStore(path)
        self.stats = CountingStats()
        self.crawled = Sites(Options(**{"pages": 4, **options}), self.store, self.stats)  # type: ignore[arg-type]

    def teach(self, pages: list[Page], first: int = 0) -> None:
        teach(self.crawled, pages, first, judges=True)

    def digest(self) -> str:
        model = self.crawled.named(SITE).model(1)
        assert model is not None
        return model.digest

    def count(self, name: str) -> int:
        return self.stats[f"blockfilter/{name}"]


@pytest.fixture
def crawl(tmp_path: Path) -> Iterator[Callable[..., Crawler]]:
    made = []

    def crawl(**options: object) -> Crawler:
        made.append(Crawler(tmp_path / "templates.db", **options))
        return made[-1]

    yield crawl
    for crawler in made:
        crawler.store.close()


@pytest.mark.parametrize("pages", [4, 13])
def test_next_crawl_of_a_site_fits_and_reads_nothing(crawl: Callable[..., Crawler], pages: int) -> None:
    first = crawl()
    first.teach(PAGES[:pages])
    first.crawled.close()
    second = crawl()
    second.teach(PAGES[:pages])
    second.crawled.close()
    assert second.store.loaded == []
    assert (second.count("models/fitted"), second.count("models/loaded")) == (0, 1)
    assert (second.count("sites/known"), second.count("sites/ready")) == (1, 1)
    assert second.count("pages/learnt") == 0


@pytest.mark.parametrize("pages_before_it_ends", [1, 3, 6])
def test_store_that_is_held_when_a_crawl_begins_is_used_as_soon_as_it_is_not(
    make_filter: MakeFilter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pages_before_it_ends: int
) -> None:
    path, site = tmp_path / "templates.db", make_site(pages=7)
    with closing(SqliteStore(path)) as store:
        add(store, SITE, [("drop", "h1")])
    monkeypatch.setitem(SqliteStore.__init__.__kwdefaults__ or {}, "opening_timeout", 0.05)
    monkeypatch.setattr("scrapy_blockfilter.crawl.soft_store.LOOK_EVERY", 0.0)
    with locked(path, "EXCLUSIVE"):
        filtering = make_filter(unchanged="drop")
        while_held = [filtering.meet(page.url_path, page.html) for page in site.pages[:pages_before_it_ends]]
    later = [filtering.meet(page.url_path, page.html) for page in site.pages[pages_before_it_ends:]]
    filtering.close()
    assert ["<h1" in html for html in (*while_held, *later)] == [True] * len(while_held) + [False] * len(later)
    assert filtering.stats["blockfilter/store/errors"] > filtering.stats["blockfilter/errors"] == 0
    assert len(run_sql(path, "SELECT page FROM pages")) >= 4


def test_new_pages_of_a_site_that_knows_copies_join_those_that_were_not_read(crawl: Callable[..., Crawler]) -> None:
    first = crawl()
    first.teach([PAGES[0]] * 3 + PAGES[:1])
    first.crawled.close()
    second = crawl()
    second.teach(PAGES[2:7], 2)
    assert second.store.loaded == []
    assert second.crawled.named(SITE).pages == 7
    assert second.count("models/fitted") == 0
    second.teach(PAGES[7:12], 7)
    assert second.count("models/fitted") == 1
    second.crawled.close()
    third = crawl()
    third.teach(PAGES)
    assert third.crawled.named(SITE).pages == 8
    assert third.count("models/fitted") == 0


def test_model_of_the_next_crawl_is_that_of_all_pages(crawl: Callable[..., Crawler], tmp_path: Path) -> None:
    for part in (PAGES[:2], PAGES[:3], PAGES[:14]):
        crawler = crawl()
        crawler.teach(part)
        crawler.crawled.close()
    last = crawl()
    stored = last.digest()
    assert last.count("models/loaded") == 1
    with closing(SqliteStore(tmp_path / "templates.db")) as store:
        sample = store.load(SITE, 16)
    assert len(sample) == 4
    memory = MemoryStore()
    memory.save(SITE, sample)
    fitted = Sites(Options(pages=4), memory, CountingStats()).named(SITE).model()
    assert fitted is not None
    assert fitted.digest == stored


def test_crawls_with_other_options_do_not_take_each_others_models(crawl: Callable[..., Crawler]) -> None:
    digests = []
    for round_ in range(2):
        for strip in ("boilerplate", "template"):
            crawler = crawl(strip=strip)
            crawler.teach(PAGES[:4])
            digests.append(crawler.digest())
            assert crawler.count("models/loaded") == round_
            crawler.crawled.close()
    assert digests[:2] == digests[2:]
    assert digests[0] != digests[1]


def test_sites_that_take_turns_in_memory_are_fitted_as_if_they_had_stayed(tmp_path: Path) -> None:
    sites = ("one.example", "other.example")
    found = []
    for max_sites in (1, 2):
        stats = CountingStats()
        crawled = Sites(Options(), SqliteStore(tmp_path / f"{max_sites}.db"), stats, max_sites=max_sites)
        digests = []
        for page_hash, page in enumerate(PAGES[:15]):
            for site in sites:
                teach(crawled, [page], page_hash, site)
                model = crawled.named(site).at_hand()
                digests.append((model.pages, model.digest) if model else None)
        assert stats["blockfilter/models/fitted"] == 2
        assert stats["blockfilter/models/provisional"] == 2 * len((1, 2, 4, 7))
        found.append(digests)
        crawled.close()
    assert found[0] == found[1]


def test_sites_that_take_turns_in_memory_are_read_when_they_are_fitted(tmp_path: Path) -> None:
    sites = ["one.example", "other.example"]
    store = WatchedStore(tmp_path / "templates.db")
    crawled = Sites(Options(pages=4), store, CountingStats(), max_sites=1)
    for page_hash in range(4):
        assert store.loaded == []
        for site in sites:
            crawled.named(site).learn(page_hash, PAGES[page_hash])
    assert store.loaded == sites
    crawled.close()


def test_damaged_pages_do_not_count_as_learnt(crawl: Callable[..., Crawler], tmp_path: Path) -> None:
    first = crawl()
    first.teach(PAGES[:3])
    first.crawled.close()
    run_sql(tmp_path / "templates.db", "UPDATE pages SET record = substr(record, 2) WHERE page < 2")
    second = crawl()
    second.teach(PAGES[3:6], 3)
    assert second.crawled.named(SITE).model() is None
    assert second.crawled.named(SITE).pages == 3
    assert second.count("store/errors") > 0
    second.teach(PAGES[6:7], 6)
    model = second.crawled.named(SITE).model()
    assert model is not None
    assert model.pages == 4

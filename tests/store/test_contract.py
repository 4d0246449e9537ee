"""What every store does, wherever it keeps samples."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store import MemoryStore, ModelVersion, ReadOnlyStore, SqliteStore, Suspect, TemplateStore
from tests.support.made_sites import make_site
from tests.support.pages import numbered, segmented

# N of the crawls: what a store on a server keeps of a site.
N = 10
PAGES = [segmented(page.html) for page in make_site(pages=N + 6).pages]
VERSION = ModelVersion("consensus", 10, "digest", 12, 0.75)

# A store, and another one as another process has it.
Open = Callable[[], TemplateStore]


def sample_of(numbers: Sequence[int], limit: int = 4 * N) -> SiteSample:
    return numbered(PAGES, numbers, limit)


@pytest.fixture
def open_store(tmp_path: Path) -> Iterator[Open]:
    """Opens a store that processes share, and closes it after the test."""
    with ExitStack() as opened:
        yield lambda: opened.enter_context(closing(SqliteStore(tmp_path / "templates.db")))


@pytest.fixture(params=["memory", "sqlite", "frozen"])
def store(request: pytest.FixtureRequest, open_store: Open) -> TemplateStore:
    """Any store."""
    if request.param == "memory":
        return MemoryStore()
    return ReadOnlyStore(open_store()) if request.param == "frozen" else open_store()


@pytest.fixture
def site(request: pytest.FixtureRequest) -> str:
    """A site that no other test has."""
    return f"{request.node.name}.example"


def test_unknown_site_is_empty_and_save_returns_what_was_given(store: TemplateStore, site: str) -> None:
    loaded = store.load(site, 7)
    assert (len(loaded), loaded.limit, loaded.texts, store.count(site)) == (0, 7, {}, 0)
    sample = sample_of(range(4))
    saved = store.save(site, sample)
    assert (saved.records, saved.texts, saved.limit) == (sample.records, sample.texts, sample.limit)


def test_store_takes_every_call_of_a_crawl(store: TemplateStore, site: str) -> None:
    store.save(site, sample_of([1]))
    store.touch(site)
    store.note(site, VERSION)
    store.note_suspects(site, [Suspect("http://a.example/", "lost all")], [])
    store.save_model(site, 40, "conditions", "digest", b"model")
    assert store.load_model(site, 40, "conditions") is None  # of another sample
    assert [suspect.url for suspect in store.suspects(site)] in ([], ["http://a.example/"])
    assert store.corrections() is store.corrections()
    assert store.news(site, sample_of([1])).records == sample_of([1]).records
    assert store.is_shared() in (True, False)
    store.retry()


def test_saved_sample_comes_back_in_another_process(open_store: Open, site: str) -> None:
    sample = sample_of(range(N))
    open_store().save(site, sample)
    other = open_store()
    loaded = other.load(site, 4 * N)
    assert (loaded.records, loaded.texts, loaded.steps) == (sample.records, sample.texts, sample.steps)
    assert other.count(site) == N
    assert len(other.load(f"other-{site}", 4 * N)) == 0


def test_processes_that_save_get_the_pages_of_each_other(open_store: Open, site: str) -> None:
    one, other = open_store(), open_store()
    one.save(site, sample_of([1, 3, 5]))
    merged = other.save(site, sample_of([5, 6]))
    assert merged.records == sample_of([1, 3, 5, 6]).records
    assert merged.texts == sample_of([1, 3, 5, 6]).texts
    assert one.save(site, sample_of([1, 3, 5])).records == merged.records


def test_news_are_the_pages_of_others_and_nothing_is_written_for_them(open_store: Open, site: str) -> None:
    one, other = open_store(), open_store()
    assert len(one.news(site, sample_of([]))) == 0
    other.save(site, sample_of([2, 3]))
    news = one.news(site, sample_of([1, 2]))
    assert news.records == sample_of([1, 2, 3]).records
    assert set(news.texts) == set(sample_of([1, 2, 3]).texts)
    assert other.count(site) == 2
    assert one.is_shared()


@pytest.mark.parametrize("seed", range(3))
def test_any_order_of_saves_any_of_them_twice_leaves_the_same_pages(open_store: Open, site: str, seed: int) -> None:
    chooser = random.Random(seed)
    parts = [chooser.sample(range(N + 6), chooser.randint(1, 6)) for _ in range(6)]
    everything = sorted({number for part in parts for number in part})
    stores = [open_store(), open_store(), open_store()]
    for part in (*parts, parts[0], parts[-1]):
        chooser.choice(stores).save(site, sample_of(part, limit=N))
    expected = sample_of(everything[:N], limit=N)
    for store in stores:
        loaded = store.load(site, N)
        assert (loaded.records, loaded.texts) == (expected.records, expected.texts)


def test_of_two_contents_of_a_page_the_same_one_stays_in_every_order(open_store: Open, site: str) -> None:
    for name, numbers in ((f"a-{site}", (0, 1)), (f"b-{site}", (1, 0))):
        for number in numbers:
            sample = SiteSample(4 * N)
            sample.add(7, PAGES[number])
            open_store().save(name, sample)
    one, other = (open_store().load(f"{letter}-{site}", 4 * N).records for letter in "ab")
    assert one == other


def test_crawl_that_remembers_fewer_pages_takes_none_away(open_store: Open, site: str) -> None:
    open_store().save(site, sample_of(range(2, N + 2)))
    merged = open_store().save(site, sample_of([1, N + 3], limit=3))
    assert (merged.limit, sorted(merged.records)) == (3, [1, 2, 3])
    assert sorted(open_store().load(site, 4 * N).records)[:N] == list(range(1, N + 1))


@pytest.mark.parametrize(
    "site",
    ["'; DROP TABLE sites; --", '"quoted" } {', "..", "%s {0} \\", "x" * 3_000, "", "a\0b\r\n", "новости.example", "*"],
)
def test_site_key_is_data_and_nothing_else(open_store: Open, site: str) -> None:
    store = open_store()
    store.save("plain.example", sample_of([2]))
    store.save(site, sample_of([1, 3]))
    store.note(site, VERSION)
    assert open_store().load(site, 4 * N).records == sample_of([1, 3]).records
    assert open_store().load("plain.example", 4 * N).records == sample_of([2]).records


def test_sites_saved_last_are_kept_in_memory() -> None:
    store = MemoryStore(max_sites=2)
    samples = {site: SiteSample(5) for site in "abc"}
    for site in "ab":
        assert store.save(site, samples[site]) is samples[site]
    store.save("a", samples["a"])
    store.save("c", samples["c"])
    assert store.load("a", 5) is samples["a"]
    assert store.load("c", 5) is samples["c"]
    assert store.load("b", 5) is not samples["b"]
    assert len(store.load("b", 7)) == 0
    assert store.load("b", 7).limit == 7

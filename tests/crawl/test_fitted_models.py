"""Fitted models in the store: when they are valid, when they go, and what happens if they are damaged."""

from __future__ import annotations

import logging
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scrapy_blockfilter.crawl import Sites
from scrapy_blockfilter.crawl.stored_models import FittedModels
from scrapy_blockfilter.html import Reader
from scrapy_blockfilter.model import SiteModel, fit, restoring
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import PageRecord, SiteSample
from scrapy_blockfilter.storable import StateError, pack, unpack
from scrapy_blockfilter.store import ReadOnlyStore, SqliteStore, StoreError, TemplateStore
from scrapy_blockfilter.store.model_rows import MAX_MODELS, about
from scrapy_blockfilter.store.overview import forget, problems, site_summaries
from scrapy_blockfilter.store.sample_rows import seal
from tests.support.command_line import pages_of
from tests.support.made_crawler import CountingStats
from tests.support.pages import sampled
from tests.support.sqlite_files import locked, run_sql

SITE = "news.example"
OPTIONS = Options(pages=4)
HTML = pages_of(8)
SAMPLE = sampled(HTML[:5], limit=16)
MODEL = fit(SAMPLE, Reader(OPTIONS))


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    """A store with a site and its model."""
    with closing(SqliteStore(path, busy_timeout=0.05)) as store:
        keep(store)
        yield store


def keep(store: SqliteStore, site: str = SITE) -> None:
    saved = store.save(site, SAMPLE)
    models(store).keep(site, saved, MODEL)


def models(store: TemplateStore, options: Options = OPTIONS) -> FittedModels:
    return FittedModels(store, Reader(options))


def stored(store: TemplateStore, options: Options = OPTIONS, site: str = SITE) -> SiteModel | None:
    model, _ = models(store, options).load(site) or (None, ())
    return model


def rows(path: Path) -> list[str]:
    return run_sql(path, "SELECT site FROM fitted_models JOIN sites ON sites.id = site_id")


def cleaned(store: TemplateStore, stats: CountingStats | None = None) -> list[str]:
    """Clean pages as a crawl that has just begun."""
    crawled = Sites(OPTIONS, store, CountingStats() if stats is None else stats)
    model = crawled.named(SITE).model()
    assert model is not None
    return [model.clean(html).html for html in HTML]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("model.restoring.FIT_VERSION", restoring.FIT_VERSION + 1),
        ("model.restoring.__version__", "99.0"),
        ("consensus.Consensus.weights", lambda method: "other weights"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_after_other_weights_fits_or_releases_there_is_none(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    assert stored(store) is not None
    monkeypatch.setattr(f"scrapy_blockfilter.{name}", value)
    assert stored(store) is None


def test_model_of_fewer_pages_than_are_stored_is_none(store: SqliteStore) -> None:
    store.save(SITE, sampled(HTML[:6], limit=16))
    assert stored(store) is None


def test_model_of_a_sample_that_has_changed_since_is_not_kept(store: SqliteStore, path: Path) -> None:
    store.save(SITE, sampled(HTML[:6], limit=16))
    run_sql(path, "DELETE FROM fitted_models")
    models(store).keep(SITE, SAMPLE, MODEL)
    assert rows(path) == []


def test_page_changed_by_other_hands_makes_the_model_invalid(store: SqliteStore, path: Path) -> None:
    run_sql(path, "UPDATE pages SET record = (SELECT record FROM pages WHERE page = 1) WHERE page = 0")
    assert rows(path) == [SITE]
    assert stored(store) is None
    with pytest.raises(StoreError, match=r"scrapy blockfilter forget news\.example"):
        store.load(SITE, 16)


def test_models_of_several_options_are_kept_but_not_of_ever_more(store: SqliteStore, path: Path) -> None:
    every = [Options(pages=4, method_args={"df_share": share / 10}) for share in range(1, MAX_MODELS + 2)]
    for options in every:
        models(store, options).keep(SITE, SAMPLE, fit(SAMPLE, Reader(options)))
    assert [stored(store, options) is not None for options in every] == [False] + [True] * MAX_MODELS
    assert len(rows(path)) == MAX_MODELS


def test_summary_counts_the_models_of_all_layouts(store: SqliteStore) -> None:
    keep(store, f"{SITE}\tlayout 2")
    other = Options(pages=4, strip="safe")
    models(store, other).keep(SITE, SAMPLE, fit(SAMPLE, Reader(other)))
    (summary,) = site_summaries(store)
    assert (summary.layouts, summary.stored_models) == (2, 3)


def test_site_that_is_forgotten_takes_its_models_along(store: SqliteStore, path: Path) -> None:
    keep(store, f"{SITE}\tlayout 2")
    keep(store, "other.example")
    forget(store, SITE)
    assert rows(path) == ["other.example"]


def test_models_of_other_sites_go_before_any_site_does(path: Path) -> None:
    sites = [f"site{number}.example" for number in range(6)]
    with closing(SqliteStore(path)) as store:
        for site in sites:
            keep(store, site)
            run_sql(path, "UPDATE sites SET last_seen = datetime(last_seen, '-1 hour')")
    run_sql(path, "VACUUM")
    with closing(SqliteStore(path, max_bytes=path.stat().st_size - 1)) as store:
        store.save(sites[-1], SAMPLE)
        assert len(rows(path)) == 1 < len(sites) == store.count(sites[0]) + 1
        assert rows(path) == sites[-1:]
        models(store).keep(sites[0], SAMPLE, MODEL)
        assert len(run_sql(path, "SELECT * FROM sites")) == len(sites)


def test_site_is_seen_when_its_model_is_used(store: SqliteStore, path: Path) -> None:
    recently = "SELECT count(*) FROM sites WHERE last_seen > datetime('now', '-1 hour')"
    run_sql(path, "UPDATE sites SET last_seen = datetime('now', '-3 days')")
    cleaned(ReadOnlyStore(store))
    assert run_sql(path, recently) == [0]
    cleaned(store)
    assert run_sql(path, recently) == [1]


DAMAGES = {
    "cut off": "model = substr(model, 1, length(model) / 2)",
    "empty": "model = x''",
    "of zeros": "model = zeroblob(length(model))",
    "of another version": "model = CAST(substr(model, 1, 4) || x'63000000' || substr(model, 9) AS BLOB)",
    "of another site": "model = (SELECT model FROM fitted_models WHERE site_id = 2)",
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damaged_model_is_fitted_anew_and_told_once(
    store: SqliteStore, path: Path, name: str, caplog: pytest.LogCaptureFixture, stats: CountingStats
) -> None:
    keep(store, "other.example")
    expected = cleaned(store)
    run_sql(path, f"UPDATE fitted_models SET {DAMAGES[name]} WHERE site_id = 1")
    assert any("1 damaged model" in problem for problem in problems(store)[2])
    with pytest.raises(StateError):
        stored(store)
    caplog.clear()
    assert cleaned(store, stats) == expected
    assert (stats["blockfilter/models/fitted"], stats["blockfilter/store/errors"]) == (1, 0)
    (line,) = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert line.startswith(f"The stored model of {SITE} cannot be used (")
    assert problems(store)[2] == []
    again = CountingStats()
    assert cleaned(store, again) == expected
    assert (again["blockfilter/models/fitted"], again["blockfilter/models/loaded"]) == (0, 1)


@pytest.mark.parametrize(
    "change", ["sample = 'x'", "sample = '' || zeroblob(9)", "conditions = 'x'", "model = zeroblob(5000000)"]
)
def test_row_of_nothing_or_with_too_large_a_model_is_passed_over(store: SqliteStore, path: Path, change: str) -> None:
    run_sql(path, f"UPDATE fitted_models SET {change}")
    assert stored(store) is None
    stats = CountingStats()
    cleaned(store, stats)
    assert stats["blockfilter/models/fitted"] == 1


def test_store_that_only_looks_keeps_models_if_told_to(path: Path) -> None:
    with closing(SqliteStore(path, busy_timeout=0.05)) as store:
        store.save(SITE, SAMPLE)
        cleaned(ReadOnlyStore(store))
        assert rows(path) == []
        with locked(path):
            cleaned(ReadOnlyStore(store, keeps_models=True))  # nobody is told
        assert rows(path) == []
        cleaned(ReadOnlyStore(store, keeps_models=True))
        assert rows(path) == [SITE]


def test_digest_of_a_sample_tells_every_record() -> None:
    digests = {sampled(HTML[:pages], limit=16).digest() for pages in range(6)}
    assert len(digests) == 6
    mixed = SiteSample(16)
    mixed.add_rows(reversed(SAMPLE.records.items()))
    assert mixed.digest() == SAMPLE.digest()
    swapped = SiteSample(16)
    one, other, *rest = SAMPLE.records.items()
    swapped.add_rows([(one[0], other[1]), (other[0], one[1]), *rest])
    assert swapped.digest() != SAMPLE.digest()


def test_forged_model_of_ever_more_pages_takes_no_memory(store: SqliteStore, path: Path, stats: CountingStats) -> None:
    """Whoever makes a file can also make its checksum."""
    expected = cleaned(store)
    ((conditions, sample, data),) = run_sql(path, "SELECT conditions, sample, model FROM fitted_models")
    assert isinstance(data, bytes)
    owner = about(SITE, str(conditions), str(sample))
    values = dict(unpack(zlib.decompress(data), owner)._values)
    values["learnt.pages"] = values["learnt.different"] = len(SAMPLE) + 1
    run_sql(path, "UPDATE fitted_models SET model = ?", zlib.compress(pack(values, owner)))
    with pytest.raises(StateError):
        stored(store)
    assert cleaned(store, stats) == expected
    assert stats["blockfilter/models/fitted"] == 1


def test_record_that_inflates_without_end_is_damage_that_stops_no_crawl(store: SqliteStore, path: Path) -> None:
    page, record = next(iter(SAMPLE.records.items()))
    bomb = PageRecord(record.keys, zlib.compress(bytes(200_000_000), 9))
    assert len(bomb.body) < 250_000
    run_sql(path, "UPDATE pages SET record = ? WHERE page = ?", seal(SITE, page, bomb), page)
    tracemalloc.start()
    with pytest.raises(StoreError, match=r"more than 4,194,304 bytes\).*blockfilter forget"):
        store.load(SITE, 16)
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()
    stats = CountingStats()
    crawled = Sites(OPTIONS, store, stats)
    assert crawled.named(SITE).model() is None
    assert stats["blockfilter/store/errors"] >= 1

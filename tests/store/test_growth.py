"""The bound of the file: the sites seen longest ago make room for new ones."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store import ModelVersion, SqliteStore
from stress.store_pages import is_whole
from tests.support.pages import sampled
from tests.support.sqlite_files import run_sql

BOUND = 400_000
SITES = [f"site{number}.example" for number in range(40)]


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(path, max_bytes=BOUND)) as store:
        yield store


def said(page: int, part: int) -> str:
    """Return words that take their room even if they are compressed."""
    return hashlib.sha512(f"{page} {part}".encode()).hexdigest()


def sample_of(site: str) -> SiteSample:
    """The sample of a site, which takes some 37 KB of the file."""
    parts = [[f"<p>{said(page, part)} of {site}</p>" for part in range(20)] for page in range(8)]
    return sampled(map("".join, parts))


def fill(store: SqliteStore, path: Path) -> None:
    """Save the sites one after the other, an hour between them."""
    for site in SITES:
        store.save(site, sample_of(site))
        run_sql(path, "UPDATE sites SET last_seen = datetime(last_seen, '-1 hour')")


@pytest.mark.slow
def test_full_file_keeps_the_sites_seen_last(store: SqliteStore, path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    fill(store, path)
    left = run_sql(path, "SELECT site FROM sites ORDER BY id")
    assert 1 < len(left) < len(SITES)
    assert left == SITES[-len(left) :]
    # What a save adds is there before it is known to be too much.
    assert path.stat().st_size < 1.2 * BOUND
    for site in left:
        assert store.load(site, 40).records == sample_of(site).records
    assert len(store.load(SITES[0], 40)) == 0
    assert is_whole(path)
    (line,) = caplog.messages
    assert line.startswith(f"{path} has reached 400,000 bytes: the sites not seen for longest make room")
    assert "BLOCKFILTER_STORE_MAX_BYTES" in line


@pytest.mark.slow
def test_file_that_had_another_bound_shrinks_in_use(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        fill(store, path)
        assert len(run_sql(path, "SELECT site FROM sites")) == len(SITES)
        size = path.stat().st_size
    with closing(SqliteStore(path, max_bytes=BOUND)) as store:
        store.save("new.example", sample_of("new.example"))
        left = run_sql(path, "SELECT site FROM sites ORDER BY id")
        assert left[-1] == "new.example"
        assert len(left) < len(SITES) * 2 * BOUND / size
        assert len(store.load("new.example", 40)) == 8
        # What was freed is used again before the file grows.
        size = path.stat().st_size
        for number in range(8):
            store.save(f"newer{number}.example", sample_of(f"newer{number}.example"))
    assert path.stat().st_size == size


def test_site_larger_than_the_bound_is_kept_while_it_is_saved(path: Path) -> None:
    with closing(SqliteStore(path, max_bytes=1)) as store:
        for site in SITES[:2]:
            assert len(store.save(site, sample_of(site))) == 8
            assert run_sql(path, "SELECT site FROM sites") == [site]


def test_site_that_is_used_is_seen_though_nothing_is_added_to_it(store: SqliteStore, path: Path) -> None:
    for site in SITES[:2]:
        store.save(site, sample_of(site))
    run_sql(path, "UPDATE sites SET last_seen = datetime('now', '-3 days')")
    store.note(SITES[0], ModelVersion("consensus", 8, "digest", 1, 0.5))
    recently = "SELECT site FROM sites WHERE last_seen > datetime('now', '-1 hour')"
    assert run_sql(path, recently) == [SITES[0]]
    store.save(SITES[1], sample_of(SITES[1]))
    assert run_sql(path, recently) == SITES[:2]


def test_site_seen_by_a_clock_ahead_of_time_is_seen_now_when_it_is_used(store: SqliteStore, path: Path) -> None:
    store.save(SITES[0], sample_of(SITES[0]))
    run_sql(path, "UPDATE sites SET last_seen = datetime('now', '+365 days')")
    store.touch(SITES[0])
    assert run_sql(path, "SELECT site FROM sites WHERE last_seen < datetime('now', '+1 hour')") == [SITES[0]]

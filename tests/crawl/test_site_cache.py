"""The sites in memory: bounded in number and bytes; the least recently met go first."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scrapy_blockfilter.crawl.layouts import LayoutState, SitePages
from scrapy_blockfilter.crawl.site_cache import SiteStates
from scrapy_blockfilter.sample import PageRecord, SiteSample
from scrapy_blockfilter.store import MemoryStore, StoreError
from tests.support.made_crawler import CountingStats


class FullStore(MemoryStore):
    """Saves nothing."""

    def save(self, site: str, sample: SiteSample) -> SiteSample:
        raise StoreError("the disk is full", "full")


@pytest.fixture(params=[MemoryStore, FullStore])
def states(request: pytest.FixtureRequest) -> SiteStates:
    make: Callable[[], MemoryStore] = request.param
    return SiteStates(make(), CountingStats(), max_sites=3, max_bytes=1_000)


def put(states: SiteStates, site: str, size: int = 0) -> None:
    """Add a state that the store lacks, whose page records have so many bytes."""
    sample = SiteSample(10)
    sample.add_rows([(1, PageRecord(b"", bytes(size // 2))), (2, PageRecord(b"", bytes(size - size // 2)))])
    state = LayoutState(SitePages(sample), 10, 1)
    state.is_unsaved = True
    states.put(site, state)


def sites(states: SiteStates) -> str:
    return "".join(states)


@pytest.mark.parametrize("states", [MemoryStore], indirect=True)
def test_least_recently_met_have_to_go_when_there_are_too_many(states: SiteStates) -> None:
    for site in "abc":
        put(states, site)
    assert states.get("a") is not None
    put(states, "d")
    put(states, "e")
    assert sites(states) == "ade"
    assert states.get("b") is None


@pytest.mark.parametrize("states", [MemoryStore], indirect=True)
def test_large_samples_have_to_go_before_there_are_many(states: SiteStates) -> None:
    put(states, "a", 400)
    put(states, "b", 600)
    assert sites(states) == "ab"
    put(states, "c", 400)
    assert sites(states) == "bc"
    put(states, "d", 1)
    assert sites(states) == "cd"


@pytest.mark.parametrize("states", [MemoryStore], indirect=True)
def test_site_met_last_stays_however_large_it_is(states: SiteStates) -> None:
    put(states, "a", 10)
    put(states, "b", 5_000)
    assert sites(states) == "b"


@pytest.mark.parametrize("states", [FullStore], indirect=True)
def test_twice_as_many_stay_if_the_store_cannot_save_them(states: SiteStates) -> None:
    for site in "abcdefg":
        put(states, site)
    assert sites(states) == "bcdefg"
    put(states, "h", 2_001)
    assert sites(states) == "h"

"""The store in memory, for one crawl: bounded like the file."""

from __future__ import annotations

from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store import MemoryStore


def test_sites_saved_last_are_kept() -> None:
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

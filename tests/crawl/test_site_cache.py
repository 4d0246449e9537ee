"""The sites in memory: bounded in number and bytes; the least recently seen go first."""

from __future__ import annotations

from scrapy_blockfilter.crawl.site_cache import SiteCache
from scrapy_blockfilter.sample import PageRecord, SiteSample


def sample_of_bytes(size: int) -> SiteSample:
    """A sample whose records have so many bytes."""
    sample = SiteSample(10)
    sample.add_rows([(1, PageRecord(b"", bytes(size // 2))), (2, PageRecord(b"", bytes(size - size // 2)))], {})
    return sample


def put(residents: SiteCache[str], site: str, size: int = 0) -> None:
    residents.put(site, f"state of {site}")
    residents.resize(site, sample_of_bytes(size))


def make_room(residents: SiteCache[str], *, with_grace: bool = False) -> list[str]:
    """The sites that had to go."""
    gone = []
    while (excess := residents.excess(with_grace=with_grace)) is not None:
        site, state = excess
        assert state == f"state of {site}"
        residents.remove(site)
        gone.append(site)
    return gone


def test_what_was_put_is_there_until_it_is_removed() -> None:
    residents: SiteCache[str] = SiteCache()
    assert residents.get("a") is None
    put(residents, "a")
    put(residents, "b")
    assert residents.get("a") == "state of a"
    residents.remove("a")
    assert residents.get("a") is None
    assert list(residents.items()) == [("b", "state of b")]


def test_least_recently_met_have_to_go_when_there_are_too_many() -> None:
    residents: SiteCache[str] = SiteCache(max_sites=3)
    for site in "abc":
        put(residents, site)
    assert residents.excess() is None
    residents.get("a")
    put(residents, "d")
    put(residents, "e")
    assert make_room(residents) == ["b", "c"]
    assert [site for site, _ in residents.items()] == ["a", "d", "e"]


def test_large_samples_have_to_go_before_there_are_many() -> None:
    residents: SiteCache[str] = SiteCache(max_sites=100, max_bytes=1_000)
    for site in "abcd":
        put(residents, site, 250)
    assert make_room(residents) == []
    residents.resize("d", sample_of_bytes(600))
    assert make_room(residents) == ["a", "b"]
    residents.resize("d", sample_of_bytes(10))
    put(residents, "e", 740)
    assert make_room(residents) == []


def test_site_met_last_stays_however_large_it_is() -> None:
    residents: SiteCache[str] = SiteCache(max_sites=10, max_bytes=1_000)
    put(residents, "a", 10)
    put(residents, "b", 5_000)
    assert make_room(residents) == ["a"]
    assert residents.get("b") == "state of b"


def test_with_grace_there_may_be_twice_as_many() -> None:
    residents: SiteCache[str] = SiteCache(max_sites=2, max_bytes=1_000)
    for site in "abcde":
        put(residents, site, 100)
    assert make_room(residents, with_grace=True) == ["a"]
    residents.resize("e", sample_of_bytes(1_701))
    assert make_room(residents, with_grace=True) == ["b"]
    assert make_room(residents) == ["c", "d"]

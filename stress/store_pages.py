"""Small pages, their records, and checks that a store is as written: shared by all faults of stores."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

from scrapy_blockfilter import Options, SiteSample
from scrapy_blockfilter.crawl import Sites
from scrapy_blockfilter.html import Reader
from scrapy_blockfilter.sample import SAMPLE_GROWTH
from scrapy_blockfilter.storable import hash64
from scrapy_blockfilter.store import SqliteStore

# N. A model is fitted and the store written at 2 pages; of several processes, 8 pages stay.
OPTIONS = Options(pages=2)
LIMIT = SAMPLE_GROWTH * OPTIONS.pages
# A message with one of these tells the user what to do.
ADVICE = (
    "scrapy blockfilter forget",
    "Move it away",
    "takes over its corrections",
    "BLOCKFILTER_STORE",
    "Upgrade scrapy-blockfilter",
    "Let no crawl run",
    "is kept in memory and written",
)


def html_of(site: str, number: int) -> str:
    """Return page ``number`` of a site, the same in every process."""
    stories = "".join(f"<p>Part {part} of story {number} of {site}, told nowhere else.</p>" for part in range(4))
    return f"<html><title>{number}</title><nav>Home News {site}</nav><h1>Story {number}</h1>{stories}<p>(c) {site}</p>"


def sample_of(site: str, numbers: Iterable[int], limit: int = LIMIT) -> SiteSample:
    sample, reader = SiteSample(limit), Reader(OPTIONS)
    for number in numbers:
        sample.add(hash64(str(number).encode()), reader.read(html_of(site, number)))
    return sample


def learn(crawled: Sites, site: str, numbers: Iterable[int]) -> None:
    """Learn pages as the downloader middleware does."""
    for number in numbers:
        page_hash = hash64(str(number).encode())
        if crawled.named(site).wants(page_hash):
            crawled.named(site).learn(page_hash, crawled.reader.read(html_of(site, number)))


def make_store(path: Path, sites: Mapping[str, Iterable[int]]) -> dict[str, SiteSample]:
    """Make a store with pages of sites, and return what it holds."""
    with closing(SqliteStore(path)) as store:
        return {site: store.save(site, sample_of(site, numbers)) for site, numbers in sites.items()}


def is_whole(path: Path) -> bool:
    """Tell whether SQLite's full check finds nothing wrong."""
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("PRAGMA integrity_check").fetchall()
        return found == [("ok",)] and not connection.execute("PRAGMA foreign_key_check").fetchall()


def doubled(sample: SiteSample) -> int:
    """Count the pages that are more than once in a sample."""
    return len(sample.records) - len({record.body for record in sample.records.values()})


def is_part_of(sample: SiteSample, written: SiteSample) -> bool:
    """Tell whether a sample holds only what was written, unchanged."""
    return sample.records.items() <= written.records.items()


def is_clear(message: str) -> bool:
    """Tell whether a message says what to do."""
    return any(advice in message for advice in ADVICE)

"""Memory and store size of a crawl of many sites, a dozen pages each.

It uses the sites and the store of a crawl without Scrapy, whose own time and memory would hide theirs. Pages come in
the order of a broad crawl, from more sites at a time than stay in memory.
"""

from __future__ import annotations

import multiprocessing
import random
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from benchmarks.generate import GeneratedSite
from benchmarks.process_memory import peak_bytes
from scrapy_blockfilter import Options
from scrapy_blockfilter.crawl.sites import Sites
from scrapy_blockfilter.html import parse, segment
from scrapy_blockfilter.storable.hashing import hash64
from scrapy_blockfilter.store import SqliteStore
from stress.store_pages import Counted

PAGES = 12
# Sites under way at a time: one and a half times as many as a crawl keeps in memory.
UNDER_WAY = 1_500
# Characters of a page, about 8,000 of them template.
CHARACTERS = 9_000
# Bytes of memory that the process may take: 0.4 MB for each site in memory, and what Python and the libraries take.
MEMORY_BOUND = 500_000_000


@dataclass(frozen=True)
class BroadCrawl:
    """Figures of a crawl of many sites.

    Attributes:
        ready: sites with a model at the end.
        fitted: models fitted, including models of sites that came back from the store.
        store_errors: number of times the store failed.
        peak_bytes: peak memory of the process.
        file_bytes: size of the store.
    """

    sites: int
    pages: int
    ready: int
    fitted: int
    store_errors: int
    seconds: float
    peak_bytes: int
    file_bytes: int

    def in_words(self) -> str:
        return (
            f"Broad crawl: {self.sites:,} sites, {self.pages:,} pages, {UNDER_WAY:,} sites under way at a time: "
            f"{self.ready:,} sites ready, {self.fitted:,} models fitted, {self.store_errors} store errors, "
            f"{self.peak_bytes / 1e6:,.0f} MB of memory at the most (bound: {MEMORY_BOUND / 1e6:,.0f}), "
            f"{self.file_bytes / 1e6:,.0f} MB of store, {self.seconds:,.0f} s."
        )


def crawl_broadly(sites: int, seed: int) -> BroadCrawl:
    """Learn generated sites in a process of its own."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_crawl, sites, seed).result()


def _crawl(sites: int, seed: int) -> BroadCrawl:
    start = perf_counter()
    stats = Counted()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "templates.db"
        crawled = Sites(Options(), SqliteStore(path), stats)
        for site, number in _visits(sites, random.Random(seed)):
            html = GeneratedSite(site).page(number, CHARACTERS).html
            key, page_hash = f"site-{site}.example", hash64(html.encode())
            if crawled.named(key).wants(page_hash):
                crawled.named(key).learn(page_hash, segment(parse(html), crawled.reader.known))
            crawled.named(key).model()
        crawled.close()
        return BroadCrawl(
            sites,
            stats["blockfilter/pages/learnt"],
            stats["blockfilter/sites/ready"],
            stats["blockfilter/models/fitted"],
            stats["blockfilter/store/errors"],
            perf_counter() - start,
            peak_bytes(),
            path.stat().st_size,
        )


def _visits(sites: int, chooser: random.Random) -> Iterator[tuple[int, int]]:
    """Yield numbers of sites and pages: any site under way at a time, each site's pages in order."""
    waiting = iter(range(sites))
    under_way = [(site, 0) for _, site in zip(range(UNDER_WAY), waiting, strict=False)]
    while under_way:
        place = chooser.randrange(len(under_way))
        site, page = under_way[place]
        yield site, page
        if page + 1 < PAGES:
            under_way[place] = (site, page + 1)
        elif (following := next(waiting, None)) is not None:
            under_way[place] = (following, 0)
        else:
            under_way[place] = under_way[-1]
            under_way.pop()

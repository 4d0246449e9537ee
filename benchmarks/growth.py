"""Cost by the size of a page and by the number of sites, on generated pages."""

from __future__ import annotations

import gc
import multiprocessing
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.generate import GeneratedSite, listing
from benchmarks.process_memory import resident_bytes
from benchmarks.timing import Stopwatch, clock, lxml_parse, lxml_serialise, without_collector
from scrapy_blockfilter import Options, SiteModel, SiteSample, learn
from scrapy_blockfilter.crawl import stats
from scrapy_blockfilter.crawl.sites import Sites
from scrapy_blockfilter.html import parse, segment
from scrapy_blockfilter.html.caches import PageCaches
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.model import fit
from scrapy_blockfilter.storable.hashing import hash64
from scrapy_blockfilter.store import MemoryStore, SqliteStore

# Pages per site: ten that a model is fitted to, and two that only join the sample.
PAGES_OF_SITE = 12
STORES = ("memory", "sqlite")
# Characters of a page where there are many sites.
SITE_PAGE = 20_000


def cost_by_size(sizes: Sequence[int], methods: Sequence[str], rounds: int) -> list[dict[str, Any]]:
    """Measure milliseconds per 100 KB of pages of growing size: parse + serialise, learning, and cleaning to HTML."""
    site = GeneratedSite(0)
    learnt = [site.page(number).html for number in range(Options().pages)]
    models = {method: learn(learnt, Options(method=method)) for method in methods}
    watch = Stopwatch()
    known = PageCaches()
    pages = [site.page(len(learnt) + number, size).html for number, size in enumerate(sizes)]
    for _ in range(rounds):
        for number, html in enumerate(pages):
            with without_collector():
                watch.baseline(number, html)
                watch.measure("learn", number, partial(_take_in, html, known))
                for method, model in models.items():
                    watch.measure(method, number, partial(_clean, model, html))
    names = watch.names()
    return [
        {
            "bytes": len(html.encode()),
            "ms_for_100_kb": {
                name: 1000 * watch.seconds(name)[number] * 100_000 / len(html.encode()) for name in names
            },
        }
        for number, html in enumerate(pages)
    ]


def cost_by_rows(numbers: Sequence[int], methods: Sequence[str]) -> list[dict[str, Any]]:
    """Measure milliseconds to fit a model to catalogue pages and to clean another, by the near-equal rows of a page.

    If each row were compared with each other, the time would grow with the square of the rows.
    """
    results = []
    for rows in numbers:
        watch = Stopwatch()
        known = PageCaches()
        sample = SiteSample(Options().pages)
        for page in range(sample.limit):
            sample.add(page, segment(parse(listing(page, rows)), known))
        html = listing(sample.limit, rows)
        for method in methods:
            model = watch.measure("fit", method, partial(fit, sample, Reader(Options(method=method))))
            watch.measure("clean", method, partial(_clean, model, html))
        milliseconds = {
            what: {method: 1000 * seconds for method, seconds in watch.seconds(what).items()} for what in watch.names()
        }
        results.append({"rows": rows, "bytes": len(html.encode()), "ms": milliseconds})
    return results


def cost_by_sites(counts: Sequence[int]) -> list[dict[str, Any]]:
    """Measure the cost of learning many sites, with a process for each number of sites and each store."""
    results = []
    for count in counts:
        for store in STORES:
            with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
                results.append(dict(pool.submit(learn_sites, count, SITE_PAGE, store).result()))
    return results


def learn_sites(count: int, characters: int, store: str) -> Mapping[str, Any]:
    """Learn generated sites, a page of each in turn; with a store file, also load them again from it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "templates.db"
        sites = [GeneratedSite(number) for number in range(count)]
        counted = _Stats()
        crawled = Sites(Options(), MemoryStore() if store == "memory" else SqliteStore(path), counted)
        _learn(crawled, "warm-up", GeneratedSite(-1).page(0, characters).html)
        before = _resident()
        base, learning = _Times(), _Times()
        for page in range(PAGES_OF_SITE):
            for number, site in enumerate(sites):
                html = site.page(page, characters).html
                with base:
                    lxml_serialise(lxml_parse(html))
                with learning:
                    _learn(crawled, f"site-{number}", html)
        after = _resident()
        with learning:
            crawled.close()
        pages = count * PAGES_OF_SITE
        result = {
            "sites": count,
            "store": store,
            "pages": pages,
            "sites_ready": counted.values[stats.SITES_READY],
            "ms_a_page": 1000 * learning.passed / pages,
            "ratio": learning.worked / base.worked,
            "resident_bytes_a_site": None if before is None or after is None else (after - before) / count,
        }
        if store == "sqlite":
            result["file_bytes_a_site"] = path.stat().st_size / count
            result["ms_a_known_site"] = 1000 * _meet_again(path, count) / count
        return result


def _take_in(html: str, known: PageCaches) -> None:
    SiteSample(1).add(0, segment(parse(html), known))


def _clean(model: SiteModel, html: str) -> str:
    return model.clean(html).html


class _Times:
    """Adds up the wall and processor seconds inside ``with``."""

    def __init__(self) -> None:
        self.passed = self.worked = 0.0

    def __enter__(self) -> None:
        self._start = perf_counter(), clock()

    def __exit__(self, *exception: object) -> None:
        self.passed += perf_counter() - self._start[0]
        self.worked += clock() - self._start[1]


class _Stats:
    def __init__(self) -> None:
        self.values: Counter[str] = Counter()

    def inc_value(self, key: str, count: int = 1) -> None:
        self.values[key] += count


def _learn(crawled: Sites, site: str, html: str) -> None:
    page_hash = hash64(html.encode("utf-8", "replace"))
    if crawled.named(site).wants(page_hash):
        crawled.named(site).learn(page_hash, segment(parse(html), crawled.reader.known))


def _meet_again(path: Path, count: int) -> float:
    """Return the seconds that a later crawl takes to load the models of known sites."""
    crawled = Sites(Options(), SqliteStore(path), _Stats())
    start = perf_counter()
    for number in range(count):
        assert crawled.named(f"site-{number}").model() is not None
    seconds = perf_counter() - start
    crawled.close()
    return seconds


def _resident() -> int | None:
    gc.collect()
    return resident_bytes()

"""``python -m stress.fault_crawls``: crawls that are stopped, killed, starved and disturbed while items wait.

Each round runs every fault once, on sites and settings drawn from the seed: many items per page, slow pipelines, ...
"""

from __future__ import annotations

import argparse
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.tables import table
from stress.kill_shapes import SHAPES, serve_detours, shape
from tests.support.crawls import SELECT_REACTOR, CrawlHangs, Running, start_crawl
from tests.support.mockserver import MockServer
from tests.support.waiting_crawls import EXPORTED, SETTINGS, TAKEN, Web, chain, feed_items, item_key, serve, wide

HANG = 180.0  # seconds; the longest crawl takes a few


@dataclass(frozen=True)
class CrawlFault:
    """Counts of the crawls with one fault.

    Attributes:
        crawls: number of crawls; a restart after a stop is not counted.
        items_in: items that should come out: taken from callbacks, and not dropped by a pipeline.
        items_out: items among them that came out of the last pipeline.
        doubled: items that came out too often.
        raw: items that came out with a template block of their site.
        hangs: crawls that did not end.
    """

    fault: str
    crawls: int = 0
    items_in: int = 0
    items_out: int = 0
    doubled: int = 0
    raw: int = 0
    hangs: int = 0

    def plus(self, expected: Sequence[str], items: Sequence[dict[str, Any]], web: Web) -> CrawlFault:
        """Add a crawl: the keys of the items that should have come out, and of those that did."""
        wanted, counted = Counter(expected), Counter(map(item_key, items))
        return replace(
            self,
            crawls=self.crawls + 1,
            items_in=self.items_in + wanted.total(),
            items_out=self.items_out + (wanted & counted).total(),
            doubled=self.doubled + (counted - wanted).total(),
            raw=self.raw + sum(not web.is_clean(item) for item in items),
        )

    @property
    def is_good(self) -> bool:
        return self.items_in == self.items_out and not (self.doubled or self.raw or self.hangs)


@dataclass(frozen=True)
class _Setup:
    """Web, spider and settings of one crawl."""

    server: MockServer
    folder: Path
    chance: random.Random
    web: Web
    per_page: int
    settings: dict[str, Any]

    def spider(self, after_items: str = "pass", *, shape: Callable[..., str] | None = None) -> str:
        shape = shape or self.chance.choice((chain, wide))
        return shape(self.web, self.per_page, after_items, "note(response, n)")

    def start(self, spider: str, **settings: Any) -> Running:
        return start_crawl(self.folder, spider, {**self.settings, **settings}, proxy=self.server.url)

    def run(self, spider: str, **settings: Any) -> None:
        self.start(spider, **settings).finish(HANG)

    def signal(self, running: Running, number: signal.Signals) -> None:
        """Send a signal at a random moment of the second after the first item was taken."""
        deadline = time.monotonic() + HANG
        while not (self.folder / TAKEN).exists() and running.process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(self.chance.uniform(0, 1))
        running.process.send_signal(number)

    @property
    def taken(self) -> list[str]:
        path = self.folder / TAKEN
        return path.read_text("utf-8").splitlines() if path.exists() else []

    @property
    def out(self) -> list[dict[str, Any]]:
        return feed_items(self.folder, EXPORTED)


_Outcome = tuple[Sequence[str], Sequence[dict[str, Any]]]


def run(rounds: int, seed: int, kills: int = 1) -> list[CrawlFault]:
    """Run every fault ``rounds`` times, on sites, settings and moments drawn from ``seed``.

    Args:
        kills: how often crawls of each shape are killed and resumed.
    """
    rows = {name: CrawlFault(name) for name in (*_FAULTS, *_KILLS)}
    with MockServer() as server, tempfile.TemporaryDirectory() as folder:
        for number in range(max(rounds, kills)):
            faults = {**(_FAULTS if number < rounds else {}), **(_KILLS if number < kills else {})}
            for index, (name, fault) in enumerate(faults.items()):
                chance = random.Random(f"{seed}/{number}/{name}")
                fewest = 8 if name in _KILLS else 2  # pages of a site
                setup = _setup(server, Path(folder) / f"{number}-{index}", chance, fewest)
                row = rows[name]
                try:
                    rows[name] = row.plus(*fault(setup), setup.web)
                except CrawlHangs:
                    rows[name] = replace(row, crawls=row.crawls + 1, hangs=row.hangs + 1)
    return [row for row in rows.values() if row.crawls]


def _setup(server: MockServer, folder: Path, chance: random.Random, fewest: int) -> _Setup:
    pipelines = {**SETTINGS["ITEM_PIPELINES"], "tests.support.waiting_crawls.NoteAtOnce": 950}
    if chance.random() < 0.3:
        pipelines["tests.support.waiting_crawls.Slow"] = 300
    settings = {
        **SETTINGS,
        "BLOCKFILTER_PAGES": chance.choice((2, 4, 10)),
        "CONCURRENT_ITEMS": chance.choice((1, 5, 100)),
        "CONCURRENT_REQUESTS": chance.choice((1, 4, 16)),
        "ITEM_PIPELINES": pipelines,
    }
    if chance.random() < 0.3:
        settings["TWISTED_REACTOR"] = SELECT_REACTOR
    web = serve(server, sites=chance.randint(1, 5), pages=chance.randint(fewest, 14), paragraphs=2)
    serve_detours(server, web)
    return _Setup(server, folder, chance, web, chance.choice((1, 1, 3, 20)), settings)


def _all(setup: _Setup, **settings: Any) -> _Outcome:
    """Crawl to the end: all items of all pages must come out."""
    setup.run(setup.spider(), **settings)
    return setup.web.keys(setup.per_page), setup.out


def _stopped(setup: _Setup, after_items: str = "pass", **settings: Any) -> _Outcome:
    """Stop a crawl early: all items that were taken from callbacks must come out."""
    setup.run(setup.spider(after_items), **settings)
    return setup.taken, setup.out


def _errors(setup: _Setup) -> _Outcome:
    pipelines = {**setup.settings["ITEM_PIPELINES"], "tests.support.waiting_crawls.Picky": 400}
    fails = f"if self.seen % {setup.chance.randint(1, 8)} == 0: raise ValueError"
    setup.run(setup.spider(fails), ITEM_PIPELINES=pipelines)
    return [key for key in setup.taken if not key.endswith((" 1", " 2"))], setup.out


def _interrupted(setup: _Setup) -> _Outcome:
    running = setup.start(setup.spider())
    setup.signal(running, signal.SIGINT)
    running.finish(HANG)
    return setup.taken, setup.out


def _resumed(setup: _Setup) -> _Outcome:
    """Interrupt a crawl and resume it: over both, all items of all pages must come out."""
    spider = setup.spider(shape=wide).replace("start_urls", "urls").replace("    def parse", _ASKED_ONCE)
    running = setup.start(spider, JOBDIR="job")
    setup.signal(running, signal.SIGINT)
    running.finish(HANG)
    setup.run(spider, JOBDIR="job")
    return setup.web.keys(setup.per_page), setup.out


def _replayed(setup: _Setup) -> _Outcome:
    cache = {"HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": "cache"}
    spider = setup.spider()
    setup.run(spider, **cache)
    (setup.folder / EXPORTED).unlink()
    setup.run(spider, **cache, BLOCKFILTER_STORE="another.db")
    return setup.web.keys(setup.per_page), setup.out


def _killed_and_asked_again(setup: _Setup) -> _Outcome:
    """Kill a crawl, and start it again with the same URLs: all items taken in the second crawl must come out."""
    spider = setup.spider(shape=wide)
    job = {"JOBDIR": "job", "BLOCKFILTER_WARMUP_SPOOL": False}
    running = setup.start(spider, **job)
    setup.signal(running, signal.SIGKILL)
    running.finish(HANG)
    for name in (EXPORTED, TAKEN):
        (setup.folder / name).unlink(missing_ok=True)
    setup.run(spider, **job)
    return setup.taken, setup.out  # Scrapy's queue now repeats some requests, and has lost others


def _killed_with_spool(setup: _Setup) -> _Outcome:
    """Kill a crawl while it learns all its sites, and start it with nothing to fetch: all items taken must come out."""
    spool = {"BLOCKFILTER_PAGES": 1000, "JOBDIR": "job"}
    # Pages that are never served keep the crawl from ending before it is killed.
    gone = "".join(f"'http://gone.example/{number}', " for number in range(12))
    spider = setup.spider(shape=wide).replace("start_urls = [", f"start_urls = [{gone}")
    running = setup.start(spider, **spool, DOWNLOAD_DELAY=0.3, CONCURRENT_REQUESTS_PER_DOMAIN=1)
    setup.signal(running, signal.SIGKILL)
    running.finish(HANG)
    taken = setup.taken
    setup.run("import scrapy\n\n\nclass Wide(scrapy.Spider):\n    name = 'wide'\n", **spool)
    return taken, [item for item in setup.out if item_key(item) in taken]


def _killed_and_resumed(setup: _Setup, kind: str) -> _Outcome:
    """Kill a crawl while it learns all its sites, and resume it with some of its requests made again.

    All items taken in either crawl must come out once: those of a request that was made again in place of the old ones.
    """
    spiders = [shape(kind, setup.web, setup.per_page, number) for number in range(2 if kind == "two spiders" else 1)]
    pages = range(len(setup.web.urls))
    settings = {"BLOCKFILTER_PAGES": 1000, "CONCURRENT_REQUESTS_PER_DOMAIN": 1}
    for number, spider in enumerate(spiders):
        running = setup.start(
            spider, **settings, JOBDIR=f"job{number}", ASKED=list(pages), WAITS=True, DOWNLOAD_DELAY=0.1
        )
        setup.signal(running, signal.SIGKILL)
        running.finish(HANG)
    # Pages of each site, enough to clean by; Scrapy's queue would make some requests twice.
    again = sorted({*pages[: 4 * len(setup.web.sites)], *setup.chance.sample(pages, len(pages) // 2)})
    for number, spider in enumerate(spiders):
        shutil.rmtree(setup.folder / f"job{number}" / "requests.queue", ignore_errors=True)
        setup.run(spider, **settings, JOBDIR=f"job{number}", ASKED=again)
    taken = sorted(set(setup.taken))
    return taken, [item for item in setup.out if item_key(item) in taken]


_ASKED_ONCE = """    async def start(self):
        for url in self.urls:
            yield scrapy.Request(url)

    def parse"""

_FAULTS: dict[str, Callable[[_Setup], _Outcome]] = {
    "none": _all,
    "one item at a time": partial(_all, CONCURRENT_ITEMS=1),
    "room for one response": partial(_all, SCRAPER_SLOT_MAX_ACTIVE_SIZE=1),
    "60 KB of memory": partial(_all, BLOCKFILTER_WARMUP_MAX_BYTES=60_000),
    "no memory": partial(_all, BLOCKFILTER_WARMUP_MAX_BYTES=0),
    "timeout of 0.1 s": partial(_all, BLOCKFILTER_WARMUP_TIMEOUT=0.1),
    "replay of a cache": _replayed,
    "page count reached": partial(_stopped, CLOSESPIDER_PAGECOUNT=5),
    "item count reached": partial(_stopped, CLOSESPIDER_ITEMCOUNT=5),
    "CloseSpider in a callback": partial(_stopped, after_items="if self.seen == 4: raise CloseSpider('enough')"),
    "errors and DropItem": _errors,
    "SIGINT": _interrupted,
    "SIGINT, resumed": _resumed,
    "SIGKILL, asked again": _killed_and_asked_again,
    "SIGKILL, spooled": _killed_with_spool,
}
_KILLS: dict[str, Callable[[_Setup], _Outcome]] = {
    f"SIGKILL, resumed: {kind}": partial(_killed_and_resumed, kind=kind) for kind in SHAPES
}


def main(arguments: Sequence[str] | None = None) -> int:
    header = ["fault", "crawls", "items in", "items out", "doubled", "raw", "hangs"]
    parser = argparse.ArgumentParser("python -m stress.fault_crawls", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often each fault is run")
    parser.add_argument("--kills", type=int, default=10, help="how often crawls of each shape are killed and resumed")
    parser.add_argument("--seed", type=int, default=0, help="seed of the sites, settings and moments")
    options = parser.parse_args(arguments)
    rows = run(options.rounds, options.seed, options.kills)
    print(table(header, [[str(value) for value in astuple(row)] for row in rows]))
    return 0 if all(row.is_good for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

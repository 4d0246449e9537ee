"""One crawl to disturb: its web, spider and settings, drawn from a seed, and the counts of what came out of it."""

from __future__ import annotations

import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.support.crawls import SELECT_REACTOR, Crawl, Running, start_crawl
from tests.support.mockserver import MockServer
from tests.support.waiting_crawls import EXPORTED, SETTINGS, Web, chain, feed_items, item_key, noted, serve, wide

HANG = 180.0  # seconds; the longest crawl takes a few


@dataclass(frozen=True)
class CrawlFault:
    """Counts of the crawls with one fault."""

    fault: str
    crawls: int = 0  # number of crawls; a restart after a stop is not counted
    items_in: int = 0  # items that should come out: taken from callbacks, and not dropped by a pipeline
    items_out: int = 0  # items among them that came out of the last pipeline
    doubled: int = 0  # items that came out too often
    raw: int = 0  # items that came out with a template block of their site
    hangs: int = 0  # crawls that did not end

    def plus(self, expected: Sequence[str], items: Sequence[dict[str, Any]], web: Web) -> CrawlFault:
        """Add a crawl: the keys of the items that should have come out, and the items that did."""
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
class Setup:
    """Web, spider and settings of one crawl."""

    server: MockServer
    folder: Path
    chance: random.Random
    web: Web
    per_page: int
    settings: dict[str, Any]
    stop_seconds: float = 5  # how long a crawl is stopped that is to go on afterwards

    def spider(self, after_items: str = "pass", *, shape: Callable[..., str] | None = None) -> str:
        shape = shape or self.chance.choice((chain, wide))
        return shape(self.web, self.per_page, after_items, "note(response, n)")

    def start(self, spider: str, **settings: Any) -> Running:
        return start_crawl(self.folder, spider, {**self.settings, **settings}, proxy=self.server.url)

    def run(self, spider: str, **settings: Any) -> Crawl:
        return self.start(spider, **settings).finish(HANG)

    def await_moment(self, running: Running) -> None:
        """Wait for a random moment within a second after the crawl's first item was taken."""
        deadline = time.monotonic() + HANG
        while not self.taken and running.process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(self.chance.uniform(0, 1))

    def signal(self, running: Running, number: signal.Signals) -> None:
        """Send a signal at such a moment."""
        self.await_moment(running)
        running.process.send_signal(number)

    @property
    def taken(self) -> list[str]:
        return noted(self.folder)

    @property
    def out(self) -> list[dict[str, Any]]:
        return feed_items(self.folder, EXPORTED)


Outcome = tuple[Sequence[str], Sequence[dict[str, Any]]]


class CannotTry(Exception):  # noqa: N818 - no error of the program's
    """This machine does not let a fault be made."""


def asked_once(spider: str) -> str:
    """Return the source of a spider whose first requests are not made again by the next start of its job."""
    return spider.replace("start_urls", "urls").replace("    def parse", _ASKED_ONCE, 1)


_ASKED_ONCE = """    async def start(self):
        for url in self.urls:
            yield scrapy.Request(url)

    def parse"""


def set_up(server: MockServer, folder: Path, chance: random.Random) -> Setup:
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
    web = serve(server, sites=chance.randint(1, 5), pages=chance.randint(2, 14), paragraphs=2)
    return Setup(server, folder, chance, web, chance.choice((1, 1, 3, 20)), settings)

"""One run of the soak in this process: a crawl of made hosts with a JOBDIR, and what it notes minute by minute."""

from __future__ import annotations

import json
import os
import random
import signal
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from statistics import median
from time import monotonic, process_time
from typing import Any, NamedTuple, TextIO

import scrapy
from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.http import Response, TextResponse
from scrapy.utils.asyncio import call_later

from benchmarks.process_memory import resident_bytes
from stress.made_hosts import MadeHosts, Place, Plan, is_raw, is_wall, is_whole, page_of, place_of, url_of
from stress.soak_notes import ASKED, OUT, STORE, note_file, reached

# Seconds between two firings of the timer whose delay is taken.
TICK = 0.05
# Bytes of held items. Those of the first pages of all hosts fit, so that no item comes out before its host is learnt.
_HELD_BYTES = 512 * 2**20
# In the notes of a run: its minutes, and errors of its log.
MINUTES, LOG = "minutes.jsonl", "log.txt"
# How a page that comes once may compare with what was shown before: walls of a host say the same at each address.
_NEWS = ("new", "moved")
# Bytes of pages under way, beyond which Scrapy takes no more: those of a second, fewer than come while a pause lasts.
_UNDER_WAY_BYTES = 500_000


class Minute(NamedTuple):
    """What was measured since the last minute, and the state of the process at its end."""

    pages: int  # pages made
    worked: float  # seconds of processor time
    memory: int  # bytes
    # Median of the seconds that the process itself worked while a timer was late, as others make a timer late, too.
    own_delay: float
    worst_own: float  # the most


class Job(NamedTuple):
    """What a run of the crawl is given."""

    folder: Path  # of the store
    notes: Path  # folder of the queue and the notes
    number: int  # of the run
    pages: Sequence[int]  # of each host
    changes: Sequence[int]  # for each host the first page that has its second template
    end: signal.Signals | None  # the signal that the process gets, None for none
    most: int  # pages of this run after which it gets it
    seconds: float  # time after which it gets it too, or, if it gets none, asks for no more pages
    minute: float  # seconds of a minute; tests have shorter ones
    first: Sequence[Place]  # the pages to begin with
    settings: dict[str, Any]  # more settings of Scrapy


class Timed(Plan):
    """The plan of a run, which ends by time, too."""

    def __init__(self, job: Job) -> None:
        super().__init__(job.pages)
        self.job = job
        self.end = monotonic() + job.seconds

    @property
    def is_over(self) -> bool:
        """Whether no more pages are to be asked for."""
        return self.job.end is None and monotonic() > self.end

    def page(self, host: int, number: int) -> str:
        return page_of(host, number, changed=number >= self.job.changes[host])


class LongCrawl(scrapy.Spider):
    """Asks for the pages of a host one after the other, of all hosts at the same time.

    The last page of a host that was asked for leads to the next, so that a resumed crawl goes on where it was. All
    hosts are met in turn: with more of them than stay in memory, the store is asked about most pages.
    """

    name = "long-crawl"
    plan: Timed
    asked: TextIO
    reached: dict[int, int]

    @classmethod
    def from_crawler(cls, crawler: Crawler, *arguments: Any, **named: Any) -> LongCrawl:
        spider = super().from_crawler(crawler, *arguments, **named)
        spider.plan = crawler.settings["PLAN"]
        notes = spider.plan.job.notes
        spider.reached = reached(notes)
        spider.asked = note_file(notes, ASKED)
        return spider

    async def start(self) -> AsyncIterator[Any]:
        # Scrapy takes start requests one by one, and few hosts would be under way.
        assert self.crawler.engine is not None
        for place in self.plan.job.first:
            self.crawler.engine.crawl(self._ask(*place))
        return
        yield

    def parse(self, response: Response, **_: Any) -> Iterator[Any]:
        assert isinstance(response, TextResponse)
        host, number = place_of(response.url)
        yield {"url": response.url, "html": response.text}
        leads_on = number == self.reached[host]
        if leads_on and number + 1 < self.plan.pages[host] and not self.plan.is_over:
            yield self._ask(host, number + 1)

    def _ask(self, host: int, number: int) -> scrapy.Request:
        print(host, number, file=self.asked)
        self.reached[host] = max(number, self.reached.get(host, 0))
        # Scrapy need not remember a fingerprint, which would let memory grow.
        return scrapy.Request(url_of(host, number), dont_filter=True)

    def closed(self, reason: str) -> None:
        self.asked.close()


class NoteOut:
    """Last pipeline: writes a line for each item.

    The line has its place, whether its content is whole and its template there, in HTML or in Markdown, and whether
    the page is told for what it is: new, as each comes once, and a wall or content.
    """

    def __init__(self, job: Job) -> None:
        self._file = note_file(job.notes, OUT)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> NoteOut:
        return cls(crawler.settings["PLAN"].job)

    def process_item(self, item: dict[str, Any]) -> dict[str, Any]:
        place = place_of(item["url"])
        texts = (item["html"], item["markdown"])
        whole = all(is_whole(text, place) for text in texts)
        raw = any(is_raw(text, place) for text in texts) or "<p" in item["markdown"]
        told = item["state"] == ("wall" if is_wall(place) else "content") and item["change"] in _NEWS
        print(*place, int(whole), int(raw), int(told), file=self._file)
        return item

    def close_spider(self) -> None:
        self._file.close()


class Meter:
    """Extension: takes the state of the process each minute, and ends it when its time has come."""

    def __init__(self, crawler: Crawler) -> None:
        self._plan: Timed = crawler.settings["PLAN"]
        self._file = note_file(self._plan.job.notes, f"{self._plan.job.number}-{MINUTES}")
        self._own: list[float] = []

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Meter:
        meter = cls(crawler)
        crawler.signals.connect(meter.started, signals.engine_started)
        crawler.signals.connect(meter.stopped, signals.spider_closed)
        return meter

    def started(self) -> None:
        self._from = monotonic()
        self._made, self._worked, self._has_ended = self._plan.made, process_time(), False
        self._wait()

    def stopped(self) -> None:
        self._timer.cancel()
        self._file.close()

    def _wait(self) -> None:
        self._done = process_time() + TICK
        self._timer = call_later(TICK, self._tick)

    def _tick(self) -> None:
        now, job = monotonic(), self._plan.job
        self._own.append(max(0.0, process_time() - self._done))
        self._wait()
        if now - self._from >= job.minute:
            self._take(now)
        if job.end and not self._has_ended and (self._plan.made >= job.most or now > self._plan.end):
            self._has_ended = True
            _end(job.end, job.minute)

    def _take(self, now: float) -> None:
        worked, made = process_time(), self._plan.made
        minute = Minute(
            made - self._made, worked - self._worked, resident_bytes() or 0, median(self._own), max(self._own)
        )
        print(json.dumps(minute._asdict()), file=self._file)
        self._from, self._made, self._worked, self._own = now, made, worked, []


def _end(by: signal.Signals, minute: float) -> None:
    """Send a signal to this process: SIGKILL from a thread, amid whatever the process does in the next second."""
    if by == signal.SIGINT:
        os.kill(os.getpid(), by)
        return
    killer = threading.Timer(random.random() * minute / 60, os.kill, (os.getpid(), by))
    killer.daemon = True
    killer.start()


def crawl(job: Job) -> dict[str, Any]:
    """Crawl in this process, which can do so once, and return Scrapy's numbers and why the crawl ended."""
    process = AsyncCrawlerProcess(
        {
            "ADDONS": {"scrapy_blockfilter.Addon": 500},
            "BLOCKFILTER_OUTPUT_FIELDS": {"markdown": "markdown", "state": "page_state", "change": "change"},
            "BLOCKFILTER_STORE": str(job.folder / f"{STORE}.db"),
            "BLOCKFILTER_WARMUP": "hold",
            "BLOCKFILTER_WARMUP_MAX_BYTES": _HELD_BYTES,
            "BLOCKFILTER_WARMUP_TIMEOUT": 24 * 3600,
            "DOWNLOAD_HANDLERS": {"http": MadeHosts},
            "EXTENSIONS": {Meter: 0},
            "ITEM_PIPELINES": {NoteOut: 900},
            "JOBDIR": str(job.notes / "job"),
            "LOG_FILE": str(job.notes / LOG),
            "LOG_LEVEL": "ERROR",
            "PLAN": Timed(job),
            # In the order they were asked for, so that all hosts under way get on.
            "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
            "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.ScrapyPriorityQueue",
            "SCRAPER_SLOT_MAX_ACTIVE_SIZE": _UNDER_WAY_BYTES,
            "TELNETCONSOLE_ENABLED": False,
            **job.settings,
        }
    )
    crawler = process.create_crawler(LongCrawl)
    process.crawl(crawler)
    process.start()
    assert crawler.stats is not None
    stats = crawler.stats.get_stats()
    return {name: value for name, value in stats.items() if isinstance(value, int | str)}

"""One run of the soak in this process: a crawl of made hosts with a JOBDIR, and what it notes minute by minute."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Iterator
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
from stress.made_hosts import MadeHosts, Place, Plan, is_raw, is_whole, place_of, url_of

# Seconds between two firings of the timer whose delay is taken.
TICK = 0.05
# Bytes of held items. Those of the first pages of all hosts fit, so that no item comes out before its host is learnt.
_HELD_BYTES = 512 * 2**20
# In the folder of a crawl: the store, a line for each page asked for, and a line for each item that came out.
STORE, ASKED, OUT = "templates.db", "asked.txt", "out.txt"


class Minute(NamedTuple):
    """What was measured since the last minute, and the state of the process at its end.

    Attributes:
        seconds: since the start of the run.
        length: seconds of this minute.
        pages: pages made.
        worked: seconds of processor time.
        memory: bytes.
        file_bytes: size of the store, with what SQLite has not moved into the file yet.
        delay: median of the seconds by which a timer fired late.
        worst_delay: the latest.
        own_delay: median of the seconds that the process itself worked while the timer was late. Other processes make a
            timer late, too.
        worst_own: the most.
    """

    seconds: float
    length: float
    pages: int
    worked: float
    memory: int
    file_bytes: int
    delay: float
    worst_delay: float
    own_delay: float
    worst_own: float


class Run(NamedTuple):
    """A run of the crawl, as its process tells it."""

    reason: str
    minutes: list[Minute]
    stats: dict[str, int]


class Job(NamedTuple):
    """What a run of the crawl is given.

    Attributes:
        folder: of the store, the queue and the notes.
        interrupt_at: share of the pages of all hosts after which the process gets SIGINT, None for never.
        seconds: time after which it gets SIGINT too, or, where it gets none, asks for no more pages.
        minute: seconds of a minute; tests have shorter ones.
        settings: more settings of Scrapy, for tests that plant a fault.
    """

    folder: Path
    pages: list[int]
    interrupt_at: float | None
    seconds: float
    minute: float
    settings: dict[str, Any]


class Timed(Plan):
    """The plan of a run, which ends by time, too."""

    def __init__(self, job: Job) -> None:
        super().__init__(job.pages)
        self.job = job
        self.end = monotonic() + job.seconds
        self.minutes: list[Minute] = []

    @property
    def is_over(self) -> bool:
        """Whether no more pages are to be asked for."""
        return self.job.interrupt_at is None and monotonic() > self.end


class LongCrawl(scrapy.Spider):
    """Asks for the pages of a host one after the other, of all hosts at the same time.

    The first page of all leads to the first pages of the other hosts: Scrapy takes start requests one by one, and few
    hosts would be under way. What follows a page depends on that page alone, so a resumed crawl goes on where it was.
    All hosts are met in turn: with more of them than stay in memory, the store is asked about most pages.
    """

    name = "long-crawl"
    plan: Timed
    asked: TextIO

    @classmethod
    def from_crawler(cls, crawler: Crawler, *arguments: Any, **named: Any) -> LongCrawl:
        spider = super().from_crawler(crawler, *arguments, **named)
        spider.plan = crawler.settings["PLAN"]
        spider.asked = (spider.plan.job.folder / ASKED).open("a", encoding="ascii")
        return spider

    async def start(self) -> AsyncIterator[Any]:
        yield self._ask(0, 0)

    def parse(self, response: Response, **_: Any) -> Iterator[Any]:
        assert isinstance(response, TextResponse)
        yield {"url": response.url, "html": response.text}
        host, number = place_of(response.url)
        if (host, number) == (0, 0):
            yield from (self._ask(other, 0) for other in range(1, len(self.plan.pages)))
        if number + 1 < self.plan.pages[host] and not self.plan.is_over:
            yield self._ask(host, number + 1)

    def _ask(self, host: int, number: int) -> scrapy.Request:
        print(host, number, file=self.asked)
        # The first is asked for by each run, and Scrapy must know it again. Of all others it need not remember a
        # fingerprint, which would let memory grow.
        return scrapy.Request(url_of(host, number), dont_filter=(host, number) != (0, 0))

    def closed(self, reason: str) -> None:
        self.asked.close()


class NoteOut:
    """Last pipeline: writes a line for each item: its place, whether its content is whole and its template gone."""

    def __init__(self, folder: Path) -> None:
        self._file = (folder / OUT).open("a", encoding="ascii")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> NoteOut:
        return cls(crawler.settings["PLAN"].job.folder)

    def process_item(self, item: dict[str, Any]) -> dict[str, Any]:
        place: Place = place_of(item["url"])
        print(*place, int(is_whole(item["html"], place)), int(is_raw(item["html"], place)), file=self._file)
        return item

    def close_spider(self) -> None:
        self._file.close()


class Meter:
    """Extension: takes the state of the process each minute, and interrupts it when its time has come."""

    def __init__(self, plan: Timed) -> None:
        self._plan = plan
        self._delays: list[float] = []
        self._own: list[float] = []

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Meter:
        meter = cls(crawler.settings["PLAN"])
        crawler.signals.connect(meter.started, signals.engine_started)
        crawler.signals.connect(meter.stopped, signals.spider_closed)
        return meter

    def started(self) -> None:
        self._start = self._from = monotonic()
        self._made, self._worked, self._is_interrupted = self._plan.made, process_time(), False
        self._wait()

    def stopped(self) -> None:
        self._timer.cancel()

    def _wait(self) -> None:
        self._due, self._done = monotonic() + TICK, process_time() + TICK
        self._timer = call_later(TICK, self._tick)

    def _tick(self) -> None:
        now, job = monotonic(), self._plan.job
        self._delays.append(max(0.0, now - self._due))
        self._own.append(max(0.0, process_time() - self._done))
        self._wait()
        if now - self._from >= job.minute:
            self._take(now)
        is_enough = job.interrupt_at is not None and self._plan.made >= job.interrupt_at * self._plan.total
        if job.interrupt_at is not None and (is_enough or now > self._plan.end) and not self._is_interrupted:
            self._is_interrupted = True
            os.kill(os.getpid(), signal.SIGINT)

    def _take(self, now: float) -> None:
        worked, made = process_time(), self._plan.made
        minute = Minute(
            now - self._start,
            now - self._from,
            made - self._made,
            worked - self._worked,
            resident_bytes() or 0,
            sum(path.stat().st_size for path in self._plan.job.folder.glob(f"{STORE}*")),
            median(self._delays),
            max(self._delays),
            median(self._own),
            max(self._own),
        )
        self._plan.minutes.append(minute)
        self._from, self._made, self._worked, self._delays, self._own = now, made, worked, [], []


def crawl(job: Job) -> Run:
    """Crawl in this process, which can do so once."""
    plan = Timed(job)
    process = AsyncCrawlerProcess(
        {
            "ADDONS": {"scrapy_blockfilter.Addon": 500},
            "BLOCKFILTER_STORE": str(job.folder / STORE),
            "BLOCKFILTER_WARMUP_MAX_BYTES": _HELD_BYTES,
            "BLOCKFILTER_WARMUP_TIMEOUT": 24 * 3600,
            "DOWNLOAD_HANDLERS": {"http": MadeHosts},
            "EXTENSIONS": {Meter: 0},
            "ITEM_PIPELINES": {NoteOut: 900},
            "JOBDIR": str(job.folder / "job"),
            "LOG_LEVEL": "ERROR",
            "PLAN": plan,
            # In the order they were asked for, so that all hosts under way get on.
            "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
            "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.ScrapyPriorityQueue",
            "TELNETCONSOLE_ENABLED": False,
            **job.settings,
        }
    )
    crawler = process.create_crawler(LongCrawl)
    process.crawl(crawler)
    process.start()
    assert crawler.stats is not None
    stats = crawler.stats.get_stats()
    kept = {name: count for name, count in stats.items() if isinstance(count, int)}
    return Run(stats.get("finish_reason", ""), plan.minutes, kept)

"""``python -m stress.fault_crawls``: crawls that are stopped, killed, starved and disturbed while items wait.

Each round runs every fault once, on drawn sites and settings: many items per page, slow pipelines, ...
Some faults are of the surroundings: a full disk, a clock that jumps, a process that stops. A fault that did not happen,
or that was not told as it should be, ends the run with an AssertionError.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider

from benchmarks.tables import print_made_with, table
from stress.crawl_setup import HANG, CannotTry, CrawlFault, Outcome, Setup, asked_once, set_up
from tests.support.crawls import CrawlHangs
from tests.support.mockserver import MockServer
from tests.support.waiting_crawls import EXPORTED, TAKEN, item_key, wide

ASYNCIO_REACTOR = "twisted.internet.asyncioreactor.AsyncioSelectorReactor"
_HOUR = 3600.0
_DISK = 2  # MB
# Seconds in which an item is through all pipelines. The slow pipeline takes a twentieth of one for each item of a page.
_THROUGH = 5.0


class StaysOpen:
    """Scrapy extension: keeps a crawl open, so that it does not end before it is killed."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> StaysOpen:
        extension = cls()
        crawler.signals.connect(extension.spider_idle, signals.spider_idle)
        return extension

    def spider_idle(self) -> None:
        raise DontCloseSpider


class ClockJumps:
    """Scrapy extension: sets the clock back by an hour at the third page, and right again at the eighth."""

    def __init__(self) -> None:
        self.pages = 0
        self.clock = time.time

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ClockJumps:
        extension = cls()
        crawler.signals.connect(extension.response_received, signals.response_received)
        return extension

    def response_received(self) -> None:
        self.pages += 1
        if self.pages == 3:
            time.time = lambda: self.clock() - _HOUR
        elif self.pages == 8:
            time.time = self.clock


def run(rounds: int, stop_seconds: float) -> list[CrawlFault]:
    """Run every fault ``rounds`` times, on drawn sites, settings and moments, the same ones each time.

    Args:
        stop_seconds: how long SIGSTOP stops a crawl.
    """
    rows = {name: CrawlFault(name) for name in _FAULTS}
    with MockServer() as server, tempfile.TemporaryDirectory() as folder:
        for number, (index, name) in product(range(rounds), enumerate(rows)):
            chance = random.Random(f"0/{number}/{name}")
            setup = set_up(server, Path(folder) / f"{number}-{index}", chance)
            setup = replace(setup, stop_seconds=stop_seconds)
            try:
                rows[name] = rows[name].plus(*_FAULTS[name](setup), setup.web)
            except CrawlHangs:
                rows[name] = replace(rows[name], crawls=rows[name].crawls + 1, hangs=rows[name].hangs + 1)
            except CannotTry as error:
                print(f"Left out: {name}, as {error}.", file=sys.stderr)
    return [row for row in rows.values() if row.crawls]


def _all(setup: Setup, **settings: Any) -> Outcome:
    """Crawl to the end: all items of all pages must come out."""
    setup.run(setup.spider(), **settings)
    return setup.web.keys(setup.per_page), setup.out


def _stopped(setup: Setup, after_items: str = "pass", **settings: Any) -> Outcome:
    """Stop a crawl early: all items that were taken from callbacks must come out."""
    setup.run(setup.spider(after_items), **settings)
    return setup.taken, setup.out


def _errors(setup: Setup) -> Outcome:
    pipelines = {**setup.settings["ITEM_PIPELINES"], "tests.support.waiting_crawls.Picky": 400}
    fails = f"if self.seen % {setup.chance.randint(1, 8)} == 0: raise ValueError"
    setup.run(setup.spider(fails), ITEM_PIPELINES=pipelines)
    return [key for key in setup.taken if not key.endswith((" 1", " 2"))], setup.out


def _interrupted(setup: Setup) -> Outcome:
    running = setup.start(setup.spider())
    setup.signal(running, signal.SIGINT)
    running.finish(HANG)
    return setup.taken, setup.out


def _resumed(setup: Setup, *, by_signal: bool = True) -> Outcome:
    """Interrupt a job, or close it by its number of items, and resume it: all items of all pages must come out."""
    spider = asked_once(setup.spider(shape=wide))
    job = {"JOBDIR": "job", "BLOCKFILTER_WARMUP": setup.chance.choice(("hold", "once"))}
    running = setup.start(spider, **job, CLOSESPIDER_ITEMCOUNT=0 if by_signal else setup.chance.randint(1, 8))
    if by_signal:
        setup.signal(running, signal.SIGINT)
    running.finish(HANG)
    setup.run(spider, **job)
    return setup.web.keys(setup.per_page), setup.out


def _killed_and_asked_again(setup: Setup) -> Outcome:
    """Kill a job that holds items, and start it with the same URLs: all items of the second start must come out."""
    spider = setup.spider(shape=wide)
    job = {"JOBDIR": "job", "BLOCKFILTER_WARMUP": "hold"}
    running = setup.start(spider, **job)
    setup.signal(running, signal.SIGKILL)
    running.finish(HANG)
    for name in (EXPORTED, TAKEN):
        (setup.folder / name).unlink(missing_ok=True)
    setup.run(spider, **job)
    return setup.taken, setup.out  # Scrapy's queue now repeats some requests, and has lost others


def _killed_at_once(setup: Setup) -> Outcome:
    """Kill a job that holds nothing: all items that were taken seconds before must be out."""
    stays = {"tests.support.crawls.Recorder": 0, "stress.fault_crawls.StaysOpen": 0}
    running = setup.start(setup.spider(), JOBDIR="job", EXTENSIONS=stays)
    setup.await_moment(running)
    taken = setup.taken
    time.sleep(_THROUGH)
    running.process.send_signal(signal.SIGKILL)
    ended = running.finish(HANG)
    assert ended.exit_code == -signal.SIGKILL, ended.log
    return taken, [item for item in setup.out if item_key(item) in taken]


def _disk_full(setup: Setup) -> Outcome:
    """Fill the disk of the store in a crawl: all items must come out, and one line must tell each kind of trouble."""
    full = f"if self.seen == {setup.chance.randint(1, 4)}: os.system('cat /dev/zero > disk/ballast 2> cat.txt')"
    with _small_disk(setup.folder / "disk"):
        crawl = setup.run(setup.spider(full), BLOCKFILTER_STORE="disk/templates.db")
    lines = crawl.log_lines(level="ERROR") + crawl.log_lines(level="WARNING")
    told = [line for line in lines if "full" in line]
    assert crawl.stat("store/errors"), "no error of the store was counted"
    assert told, "no line tells of the full disk"
    assert len(told) == len({line[:40] for line in told}), told
    assert not crawl.stat("errors"), lines
    return setup.web.keys(setup.per_page), setup.out


@contextmanager
def _small_disk(folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={_DISK}m", "tmpfs", str(folder)]
    try:
        subprocess.run(mount, check=True, capture_output=True, encoding="utf-8")
    except (OSError, subprocess.CalledProcessError) as error:
        raise CannotTry(f"no tmpfs may be mounted here ({error})") from error
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def _clock_jumps(setup: Setup) -> Outcome:
    """Set the clock back in a crawl that learns no site to the end: the warm-up must end by its timeout.

    Reactors of Twisted's own go by this clock, and their timers stand still until it has caught up.
    """
    crawl = setup.run(
        setup.spider(),
        EXTENSIONS={"tests.support.crawls.Recorder": 0, "stress.fault_crawls.ClockJumps": 0},
        TWISTED_REACTOR=ASYNCIO_REACTOR,
        BLOCKFILTER_PAGES=1000,
        BLOCKFILTER_WARMUP_TIMEOUT=0.2,
        CONCURRENT_REQUESTS=1,
        DOWNLOAD_DELAY=0.2,
    )
    assert crawl.stat("warmup/released/timeout"), "no item was released by the timeout"
    return setup.web.keys(setup.per_page), setup.out


def _stopped_for_a_while(setup: Setup) -> Outcome:
    """Stop the process while items wait, and let it go on: all items of all pages must come out."""
    running = setup.start(setup.spider(), BLOCKFILTER_PAGES=1000, DOWNLOAD_DELAY=0.3)
    setup.signal(running, signal.SIGSTOP)
    _, status = os.waitpid(running.process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status), "the crawl had ended before it was stopped"
    time.sleep(setup.stop_seconds)
    running.process.send_signal(signal.SIGCONT)
    crawl = running.finish(HANG)
    assert crawl.stat("warmup/held"), "no item waited"
    return setup.web.keys(setup.per_page), setup.out


_FAULTS: dict[str, Callable[[Setup], Outcome]] = {
    "none": _all,
    "one item at a time": partial(_all, CONCURRENT_ITEMS=1),
    "room for one response": partial(_all, SCRAPER_SLOT_MAX_ACTIVE_SIZE=1),
    "60 KB of memory": partial(_all, BLOCKFILTER_WARMUP_MAX_BYTES=60_000),
    "no memory": partial(_all, BLOCKFILTER_WARMUP_MAX_BYTES=0),
    "timeout of 0.1 s": partial(_all, BLOCKFILTER_WARMUP_TIMEOUT=0.1),
    "page count reached": partial(_stopped, CLOSESPIDER_PAGECOUNT=5),
    "item count reached": partial(_stopped, CLOSESPIDER_ITEMCOUNT=5),
    "CloseSpider in a callback": partial(_stopped, after_items="if self.seen == 4: raise CloseSpider('enough')"),
    "errors and DropItem": _errors,
    "SIGINT": _interrupted,
    "SIGINT, resumed": _resumed,
    "SIGKILL in a job that holds, asked again": _killed_and_asked_again,
    "SIGKILL in a job, at once": _killed_at_once,
    "item count reached, resumed": partial(_resumed, by_signal=False),
    "disk full": _disk_full,
    "clock back an hour, and right again": _clock_jumps,
    "SIGSTOP, SIGCONT": _stopped_for_a_while,
}


def main(arguments: Sequence[str] | None = None) -> int:
    header = ["fault", "crawls", "items in", "items out", "doubled", "raw", "hangs"]
    parser = argparse.ArgumentParser("python -m stress.fault_crawls", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often each fault is run")
    parser.add_argument("--stop-seconds", type=float, default=5, help="how long SIGSTOP stops a crawl")
    options = parser.parse_args(arguments)
    rows = run(options.rounds, options.stop_seconds)
    print(table(header, [[str(value) for value in astuple(row)] for row in rows]))
    print_made_with()
    return 0 if all(row.is_good for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Crawls whose surroundings disturb them: a full disk, a clock that jumps, a process that stops.

A fault that did not happen, or that was not told as it should be, ends the run with an AssertionError.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from scrapy import signals
from scrapy.crawler import Crawler

from stress.crawl_setup import HANG, CannotTry, Outcome, Setup, asked_once
from tests.support.waiting_crawls import wide

ASYNCIO_REACTOR = "twisted.internet.asyncioreactor.AsyncioSelectorReactor"
_HOUR = 3600.0
_DISK = 2  # MB


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


def _item_count_resumed(setup: Setup) -> Outcome:
    """Close a job by its number of items, and resume it: over both, all items of all pages must come out."""
    spider = asked_once(setup.spider(shape=wide))
    job = {"JOBDIR": "job", "BLOCKFILTER_WARMUP": setup.chance.choice(("hold", "once"))}
    setup.run(spider, **job, CLOSESPIDER_ITEMCOUNT=setup.chance.randint(1, 8))
    setup.run(spider, **job)
    return setup.web.keys(setup.per_page), setup.out


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
        EXTENSIONS={"tests.support.crawls.Recorder": 0, "stress.crawl_surroundings.ClockJumps": 0},
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


SURROUNDINGS: dict[str, Callable[[Setup], Outcome]] = {
    "item count reached, resumed": _item_count_resumed,
    "disk full": _disk_full,
    "clock back an hour, and right again": _clock_jumps,
    "SIGSTOP, SIGCONT": _stopped_for_a_while,
}

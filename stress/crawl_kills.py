"""Jobs that are killed: what a crawl with a JOBDIR must still give, whether it holds items or not."""

from __future__ import annotations

import signal
import time

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider

from stress.crawl_setup import HANG, Outcome, Setup
from tests.support.waiting_crawls import EXPORTED, TAKEN, item_key, wide

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


def killed_and_asked_again(setup: Setup) -> Outcome:
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


def killed_at_once(setup: Setup) -> Outcome:
    """Kill a job that holds nothing: all items that were taken seconds before must be out."""
    stays = {"tests.support.crawls.Recorder": 0, "stress.crawl_kills.StaysOpen": 0}
    running = setup.start(setup.spider(), JOBDIR="job", EXTENSIONS=stays)
    setup.await_moment(running)
    taken = setup.taken
    time.sleep(_THROUGH)
    running.process.send_signal(signal.SIGKILL)
    ended = running.finish(HANG)
    assert ended.exit_code == -signal.SIGKILL, ended.log
    return taken, [item for item in setup.out if item_key(item) in taken]

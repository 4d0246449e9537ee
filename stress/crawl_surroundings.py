"""Crawls whose surroundings disturb them: other parts of Scrapy, a full disk, a clock that jumps, a process that stops.

A fault that did not happen, or that was not told as it should be, ends the run with an AssertionError.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from scrapy import signals
from scrapy.crawler import Crawler

from stress.crawl_setup import HANG, CannotTry, Outcome, Setup, asked_once
from tests.support.crawls import ADDON, CrawlHangs, run_script
from tests.support.mockserver import GIF, Reply
from tests.support.waiting_crawls import EXPORTED, chain, wide

FILES_PIPELINE = "scrapy.pipelines.files.FilesPipeline"
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


def _two_spiders(setup: Setup) -> Outcome:
    """Run two spiders over the same sites in one process, with one store: each item must come out twice."""
    setup.folder.mkdir(parents=True)
    for shape in (chain, wide):
        (setup.folder / f"{shape.__name__}.py").write_text(setup.spider(shape=shape), encoding="utf-8")
    settings = {
        **setup.settings,
        "ADDONS": ADDON,
        "AUTOTHROTTLE_ENABLED": True,
        "AUTOTHROTTLE_START_DELAY": 0.2,
        "FEEDS": {},
        "HTTPPROXY_ENABLED": True,
        "TELNETCONSOLE_ENABLED": False,
    }
    source = f"""
from scrapy.crawler import CrawlerProcess
import chain, wide

process = CrawlerProcess({settings!r})
process.crawl(chain.Chain)
process.crawl(wide.Wide)
process.start()
"""
    try:
        ended = run_script(setup.folder, source, proxy=setup.server.url)
    except subprocess.TimeoutExpired as error:
        raise CrawlHangs("the process did not end") from error
    assert ended.returncode == 0, ended.stderr
    assert "Traceback" not in ended.stderr, ended.stderr
    return 2 * setup.web.keys(setup.per_page), setup.out


def _replayed(setup: Setup, **second: Any) -> Outcome:
    """Crawl once more from Scrapy's cache alone: all items must come out again."""
    cache = {"HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": "cache"}
    spider = setup.spider()
    setup.run(spider, **cache)
    (setup.folder / EXPORTED).unlink()
    requests = len(setup.server.requests)
    setup.run(spider, **cache, **second)
    assert len(setup.server.requests) == requests, "the second crawl was not from the cache alone"
    return setup.web.keys(setup.per_page), setup.out


def _slow_files(setup: Setup, order: int) -> Outcome:
    """Download a slow file per item: all items must come out, with all files that the server has."""
    slow = Reply(GIF, "image/gif", seconds=0.2)
    images = [url.replace("/page/", "/image/") + ".0" for url in setup.web.urls]
    for image in images:
        host, _, path = image.removeprefix("http://").partition("/")
        setup.server.add(host, f"/{path}", slow)
    pipelines = {**setup.settings["ITEM_PIPELINES"], FILES_PIPELINE: order}
    setup.run(setup.spider(), FILES_STORE="files", ITEM_PIPELINES=pipelines)
    with_files = {item["url"] for item in setup.out if item["n"] == 0 and item["files"]}
    assert with_files == set(setup.web.urls), "files are missing"
    return setup.web.keys(setup.per_page), setup.out


def _of_json(setup: Setup) -> Outcome:
    """Make an item of each page and one of its JSON: both must come out, and clean."""
    for url in setup.web.urls:
        host, _, path = url.removeprefix("http://").partition("/")
        page = next(page for page in setup.web.sites[host].pages if page.url_path == f"/{path}")
        setup.server.add(host, f"/{path}/json", Reply(json.dumps({"html": page.html}), "application/json"))
    setup.run(_JSON.format(urls=setup.web.urls))
    return setup.web.keys(2), setup.out


_JSON = """
import scrapy

class Json(scrapy.Spider):
    name = "json"
    start_urls = {urls!r}

    def parse(self, response):
        yield {{"url": response.url, "n": 0, "html": response.text}}
        yield scrapy.Request(response.url + "/json", self.parse_json, cb_kwargs={{"url": response.url}})

    def parse_json(self, response, url):
        yield {{"url": url, "n": 1, **response.json()}}
"""


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
    "two spiders in a process, AutoThrottle": _two_spiders,
    "replay of a cache": partial(_replayed, BLOCKFILTER_STORE="another.db"),
    "replay of a cache, known store": _replayed,
    "slow files before the filter": partial(_slow_files, order=20),
    "slow files after the filter": partial(_slow_files, order=200),
    "items of JSON": _of_json,
    "item count reached, resumed": _item_count_resumed,
    "disk full": _disk_full,
    "clock back an hour, and right again": _clock_jumps,
    "SIGSTOP, SIGCONT": _stopped_for_a_while,
}

"""Crawls that are killed while items wait, and what the next start must give back."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable
from functools import partial

from stress.crawl_setup import HANG, Outcome, Setup
from stress.kill_shapes import SHAPES, shape
from tests.support.waiting_crawls import EXPORTED, TAKEN, item_key, wide


def killed_and_asked_again(setup: Setup) -> Outcome:
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


def killed_with_spool(setup: Setup) -> Outcome:
    """Kill a crawl while it learns all its sites, and start it with nothing to fetch: all items taken must come out."""
    spool = {"BLOCKFILTER_PAGES": 1000, "JOBDIR": "job"}
    # Pages that are never served keep the crawl from ending before it is killed.
    gone = "".join(f"'http://gone.example/{number}', " for number in range(12))
    spider = setup.spider(shape=wide).replace("start_urls = [", f"start_urls = [{gone}")
    setup.kill(spider, **spool, DOWNLOAD_DELAY=0.3, CONCURRENT_REQUESTS_PER_DOMAIN=1)
    taken = setup.taken
    setup.run("import scrapy\n\n\nclass Wide(scrapy.Spider):\n    name = 'wide'\n", **spool)
    return taken, [item for item in setup.out if item_key(item) in taken]


def _killed_and_resumed(setup: Setup, kind: str) -> Outcome:
    """Kill a crawl while it learns all its sites, and resume it with some of its requests made again.

    All items taken in either crawl must come out once: those of a request that was made again in place of the old ones.
    """
    spiders = [shape(kind, setup.web, setup.per_page, number) for number in range(2 if kind == "two spiders" else 1)]
    pages = range(len(setup.web.urls))
    settings = {"BLOCKFILTER_PAGES": 1000, "CONCURRENT_REQUESTS_PER_DOMAIN": 1}
    for number, spider in enumerate(spiders):
        setup.kill(spider, **settings, JOBDIR=f"job{number}", ASKED=list(pages), WAITS=True, DOWNLOAD_DELAY=0.1)
    # Pages of each site, enough to clean by; Scrapy's queue would make some requests twice.
    again = sorted({*pages[: 4 * len(setup.web.sites)], *setup.chance.sample(pages, len(pages) // 2)})
    for number, spider in enumerate(spiders):
        shutil.rmtree(setup.folder / f"job{number}" / "requests.queue", ignore_errors=True)
        setup.run(spider, **settings, JOBDIR=f"job{number}", ASKED=again)
    taken = sorted(set(setup.taken))
    return taken, [item for item in setup.out if item_key(item) in taken]


KILLS: dict[str, Callable[[Setup], Outcome]] = {
    f"SIGKILL, resumed: {kind}": partial(_killed_and_resumed, kind=kind) for kind in SHAPES
}

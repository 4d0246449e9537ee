"""Crawls that are killed while items wait, and what the next start must give back."""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from stress.crawl_setup import HANG, Outcome, Setup
from stress.kill_shapes import SHAPES, shape
from tests.support.waiting_crawls import EXPORTED, MADE, TAKEN, item_key, noted, wide

STORE = ".scrapy/blockfilter/templates.db"


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
    spool: dict[str, Any] = {"BLOCKFILTER_PAGES": 1000, "JOBDIR": "job"}
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
    settings: dict[str, Any] = {"BLOCKFILTER_PAGES": 1000, "CONCURRENT_REQUESTS_PER_DOMAIN": 1}
    for number, spider in enumerate(spiders):
        setup.kill(spider, **settings, JOBDIR=f"job{number}", ASKED=list(pages), WAITS=True, DOWNLOAD_DELAY=0.1)
    # Pages of each site, enough to clean by; Scrapy's queue would make some requests twice.
    again = sorted({*pages[: 4 * len(setup.web.sites)], *setup.chance.sample(pages, len(pages) // 2)})
    for number, spider in enumerate(spiders):
        _forget_requests(setup, f"job{number}")
        setup.run(spider, **settings, JOBDIR=f"job{number}", ASKED=again)
    taken = sorted(set(setup.taken))
    return taken, [item for item in setup.out if item_key(item) in taken]


def killed_thrice(setup: Setup) -> Outcome:
    """Kill three starts of a job whose pipelines are slow, each with requests of its own, and let the fourth end.

    All items of the first start must come out, as must those that a kill finds in the spool, whichever pages are asked
    for later. No item may come out more often than Scrapy made it after it was out, but for those whose rows a kill has
    left though they were out.
    """
    spider = shape("one request a page", setup.web, min(3, setup.per_page))
    settings: dict[str, Any] = {
        "JOBDIR": "job",
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "RETRY_ENABLED": False,
        "ITEM_PIPELINES": {**setup.settings["ITEM_PIPELINES"], "tests.support.waiting_crawls.Slow": 300},
        "SLOW": setup.chance.uniform(0.1, 2),
        "CONCURRENT_ITEMS": setup.chance.choice((20, 100)),
    }
    pages = range(len(setup.web.urls))
    made, out, left, cut, allowed = (Counter[str]() for _ in range(5))
    held: set[str] = set()
    for start in range(4):
        # All items of the first start wait. Later most sites are soon known, so that items made anew do not.
        settings["BLOCKFILTER_PAGES"] = 2 if start else 1000
        if start == 3 or setup.chance.random() < 0.5:  # or else Scrapy's queue asks for most pages again
            _forget_requests(setup, "job")
        if start < 3:
            asked = setup.chance.sample(pages, 2 * len(pages) // 3)
            setup.kill(spider, within=3, **settings, ASKED=asked, WAITS=True, DOWNLOAD_DELAY=0.05)
        else:
            setup.run(spider, **settings, ASKED=list(pages[: 2 * len(setup.web.sites)]))
        made_before, out_before = made, out
        made, out = Counter(noted(setup.folder, MADE)), Counter(map(item_key, setup.out))
        # An item made anew takes the place of one that was left.
        most, came = left | (made - made_before), out - out_before
        twice = (came - most) & cut
        setup.cut.extend(twice.elements())
        allowed += (came & most) + twice
        left = most - came
        rows = spooled(setup.folder)
        cut = rows - left
        held |= {*rows, *setup.taken} if not start else {*rows}
    return list((allowed | Counter(held)).elements()), setup.out


def _forget_requests(setup: Setup, job: str) -> None:
    shutil.rmtree(setup.folder / job / "requests.queue", ignore_errors=True)


def spooled(folder: Path) -> Counter[str]:
    """Return the keys of the items in the spool of a crawl that has ended."""
    with closing(sqlite3.connect(folder / STORE)) as connection:
        items = connection.execute("SELECT item FROM spooled_items").fetchall()
        return Counter(item_key(json.loads(text)) for (text,) in items)


KILLS: dict[str, Callable[[Setup], Outcome]] = {
    f"SIGKILL, resumed: {kind}": partial(_killed_and_resumed, kind=kind) for kind in SHAPES
}
KILLS["SIGKILL thrice, slow pipelines"] = killed_thrice

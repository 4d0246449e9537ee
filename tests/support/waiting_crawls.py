"""Crawls whose items wait for their site to be learnt: spiders, counting pipelines, and checks of the items."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from scrapy.exceptions import DropItem
from scrapy.http import Response
from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from tests.support.crawls import Crawl
from tests.support.made_sites import GeneratedSite, make_site
from tests.support.mockserver import GIF, MockServer, Reply

FEED = "items.jsonl"
# A line per item taken from a callback.
TAKEN = "taken.txt"
# Images served per page, for as many items.
_IMAGES = 4
# Like a user's pipeline that writes to a database: it notes each item at once, so that it is known even after a kill.
EXPORTED = "exported.txt"


def item_key(item: Any) -> str:
    return f"{item['url']} {item['n']}"


def note(response: Response, n: int) -> None:
    """Note that an item was taken from a callback."""
    with Path(TAKEN).open("a", encoding="utf-8") as file:
        file.write(f"{response.url} {n}\n")


def noted(folder: Path) -> list[str]:
    """Return the keys of the items that were noted."""
    path = folder / TAKEN
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


class Before:
    """Pipeline before the filter's: counts the passes of each item."""

    name = "before"

    def __init__(self) -> None:
        self.passes: Counter[str] = Counter()

    def process_item(self, item: Any) -> Any:
        self.passes[item_key(item)] += 1
        return item

    def close_spider(self) -> None:
        Path(f"{self.name}.json").write_text(json.dumps(self.passes), encoding="ascii")


class After(Before):
    """Pipeline after the filter's."""

    name = "after"


class Picky:
    """Pipeline that drops the second item of a page, and fails on the third."""

    def process_item(self, item: Any) -> Any:
        if item["n"] == 1:
            raise DropItem("not this one")
        if item["n"] == 2:
            raise RuntimeError("pipeline")
        return item


class Slow:
    """Slow pipeline, which must stay open while it has items."""

    closed = False

    async def process_item(self, item: Any) -> Any:
        assert not self.closed
        waited: Deferred[None] = Deferred()
        call_later(0.05, waited.callback, None)
        await maybe_deferred_to_future(waited)
        assert not self.closed
        return item

    def close_spider(self) -> None:
        self.closed = True


class NoteAtOnce:
    """Last pipeline: writes a line per item, on disk before the next item."""

    def open_spider(self) -> None:
        self.file = Path(EXPORTED).open("a", buffering=1, encoding="utf-8")  # noqa: SIM115 - closed by close_spider

    def process_item(self, item: Any) -> Any:
        print(json.dumps(dict(item)), file=self.file)
        return item

    def close_spider(self) -> None:
        self.file.close()


SETTINGS: dict[str, Any] = {
    "FEEDS": {FEED: {"format": "jsonlines", "encoding": "utf-8"}},
    "ITEM_PIPELINES": {"tests.support.waiting_crawls.Before": 10, "tests.support.waiting_crawls.After": 900},
    "LOG_LEVEL": "INFO",
}


@dataclass(frozen=True)
class Web:
    """Served sites to crawl."""

    sites: dict[str, GeneratedSite]

    @property
    def urls(self) -> list[str]:
        """The URLs of all pages: the first of each site, then the second of each, and so on."""
        longest = max(len(site.pages) for site in self.sites.values())
        return [
            f"http://{host}{site.pages[number].url_path}"
            for number in range(longest)
            for host, site in self.sites.items()
            if number < len(site.pages)
        ]

    def keys(self, per_page: int = 1) -> list[str]:
        return [f"{url} {number}" for url in self.urls for number in range(per_page)]

    def is_clean(self, item: dict[str, Any]) -> bool:
        """Tell whether an item has all of its page's content and none of its template."""
        host, _, path = item["url"].removeprefix("http://").partition("/")
        page = next(page for page in self.sites[host].pages if page.url_path == f"/{path}")
        return not (page.missing(item["html"]) or page.left(item["html"]))


def serve(server: MockServer, sites: int = 1, pages: int = 12, paragraphs: int = 3) -> Web:
    """Serve a number of sites; each page has images at ``/image/PAGE.NUMBER``."""
    made = {}
    for seed in range(sites):
        site = make_site("div", pages, seed, paragraphs=paragraphs)
        host = server.add_site(site)
        for number, image in product(range(pages), range(_IMAGES)):
            server.add(host, f"/image/{number}.{image}", Reply(GIF, "image/gif"))
        made[host] = site
    return Web(made)


def chain(web: Web, per_page: int = 1, after_items: str = "pass", after_item: str = "pass") -> str:
    """Return the source of a spider that knows each page only from the one before.

    Args:
        after_items: a statement that is run in the callback of each page when its items have been yielded.
        after_item: one that is run when an item has been taken from the callback.
    """
    first = [f"http://{host}/page/0" for host in web.sites]
    following = "yield from response.follow_all(css='a.next')"
    return _spider("chain", first, per_page, after_items, after_item) + f"        {following}\n"


def wide(web: Web, per_page: int = 1, after_items: str = "pass", after_item: str = "pass") -> str:
    """Return the source of a spider that knows all pages from the start; see :func:`chain`."""
    return _spider("wide", web.urls, per_page, after_items, after_item)


def _spider(name: str, urls: Sequence[str], per_page: int, after_items: str, after_item: str) -> str:
    return f"""
import os, signal
import scrapy
from scrapy.exceptions import CloseSpider
from tests.support.waiting_crawls import note

class {name.title()}(scrapy.Spider):
    name = {name!r}
    start_urls = {urls!r}
    seen = 0

    def parse(self, response):
        self.seen += 1
        number = int(response.url.rpartition("/")[2])
        image = response.url.replace("/page/", "/image/")
        for n in range({per_page}):
            yield {{"url": response.url, "n": n, "html": response.text, "file_urls": [f"{{image}}.{{n}}"]}}
            {after_item}
        {after_items}
"""


def feed_items(folder: Path, name: str = FEED) -> list[dict[str, Any]]:
    """Return the items of a feed, without a line that a kill has cut short."""
    path = folder / name
    items = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            items.append(json.loads(line))
        except ValueError:
            continue
    return items


def check_once(result: Crawl, web: Web, keys: Sequence[str] | None = None) -> None:
    """Assert that the crawl exported each item once and clean, and each went once through every pipeline.

    Args:
        keys: keys of the items that must come out; None for all items that the callbacks yielded.
    """
    exported = feed_items(result.folder)
    counted = Counter(map(item_key, exported))
    if keys is not None:
        assert counted == Counter(keys)
    assert set(counted.values()) == {1}
    assert [item["url"] for item in exported if not web.is_clean(item)] == []
    for name in ("before", "after"):
        assert json.loads((result.folder / f"{name}.json").read_text(encoding="ascii")) == counted
    assert not result.stats.get("log_count/ERROR"), result.log
    result.check_sums()

"""Made hosts of few pages each, the spider that crawls them in the order of a broad crawl, and what is noted of it.

Responses are made in the process by a download handler, so that time and memory are those of Scrapy and of the filter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from random import Random
from time import process_time
from typing import Any, NamedTuple

import scrapy
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response, TextResponse

from benchmarks.process_memory import resident_bytes

# Hosts under way at a time: one and a half times as many as the learner keeps in memory.
UNDER_WAY = 1_500
# One host in so many has enough pages to be learnt; the others have up to ``_FEW``.
_LEARNT_OF, ENOUGH, _FEW = 100, 12, 3
# Points of the crawl at which time and memory are taken.
POINTS = 40


class Point(NamedTuple):
    """The state of the process after so many pages."""

    pages: int
    seconds: float
    memory: int


class Plan:
    """The pages of each host, what has come out, and the points at which time and memory were taken."""

    def __init__(self, hosts: int, seed: int) -> None:
        chooser = Random(seed)
        self.pages = [ENOUGH if host % _LEARNT_OF == 0 else chooser.randint(1, _FEW) for host in range(hosts)]
        self.total = sum(self.pages)
        self.out: Counter[tuple[int, int]] = Counter()
        self.points = [Point(0, process_time(), resident_bytes() or 0)]
        self._counted = 0

    def __deepcopy__(self, _: object) -> Plan:
        """Return the plan itself, which settings would copy."""
        return self

    def count(self) -> None:
        self._counted += 1
        if self._counted * POINTS >= len(self.points) * self.total:
            self.points.append(Point(self._counted, process_time(), resident_bytes() or 0))


class MadeHosts:
    """Download handler: makes the pages of hosts, and takes time and memory as it is asked for them."""

    lazy = False

    def __init__(self, crawler: Crawler) -> None:
        self._plan: Plan = crawler.settings["PLAN"]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> MadeHosts:
        return cls(crawler)

    async def download_request(self, request: scrapy.Request) -> Response:
        self._plan.count()
        body = _page(*_place(request.url)).encode()
        return HtmlResponse(request.url, body=body, encoding="utf-8", headers={"Content-Type": "text/html"})

    async def close(self) -> None:
        pass


class ManyHosts(scrapy.Spider):
    """Asks for the pages of a host one after the other, and then for those of the next host."""

    name = "many-hosts"

    async def start(self) -> AsyncIterator[Any]:
        self.plan: Plan = self.settings["PLAN"]
        self.waiting = iter(range(len(self.plan.pages)))
        for _, host in zip(range(UNDER_WAY), self.waiting, strict=False):
            yield scrapy.Request(_url(host, 0))

    def parse(self, response: Response, **_: Any) -> Iterator[Any]:
        assert isinstance(response, TextResponse)
        yield {"url": response.url, "html": response.text}
        host, number = _place(response.url)
        if number + 1 < self.plan.pages[host]:
            yield scrapy.Request(_url(host, number + 1))
        elif (following := next(self.waiting, None)) is not None:
            yield scrapy.Request(_url(following, 0))


class CountOut:
    """Last pipeline: counts the items that have the content of their page."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> CountOut:
        counter = cls()
        counter._plan = crawler.settings["PLAN"]
        return counter

    def __init__(self) -> None:
        self._plan: Plan

    def process_item(self, item: dict[str, Any]) -> dict[str, Any]:
        place = _place(item["url"])
        is_whole = all(text in item["html"] for text in _content(*place))
        self._plan.out[place] += 1 if is_whole else 2  # 2 is as bad as an item that came twice
        return item


def _url(host: int, number: int) -> str:
    return f"http://host-{host}.example/{number}"


def _place(url: str) -> tuple[int, int]:
    """Return the host and the number of a page."""
    host, _, number = url.removeprefix("http://host-").partition(".example/")
    return int(host), int(number)


def _content(host: int, number: int) -> list[str]:
    return [
        f"Part {part} of story {number} of host {host}: nobody else tells it, and it goes on for a sentence or two, "
        f"as {host * 7 + number * 3 + part} people have found."
        for part in range(6)
    ]


def _page(host: int, number: int) -> str:
    links = "".join(f'<li><a href="/{place}">Section {place} of {host}</a></li>' for place in range(20))
    story = "".join(f"<p>{text}</p>" for text in _content(host, number))
    return (
        f'<!DOCTYPE html><html lang="en"><head><title>Story {number}</title></head><body>'
        f'<header><p>The paper of host {host}</p></header><nav><ul class="menu">{links}</ul></nav>'
        f'<main><article class="story"><h1>Story {number} of {host}</h1>{story}</article></main>'
        f"<footer><p>Copyright host {host}. All rights reserved.</p></footer></body></html>"
    )

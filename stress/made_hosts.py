"""Made hosts, the spider that crawls them in the order of a broad crawl, and what is noted of it.

Responses are made in the process by a download handler, so that time and memory are those of Scrapy and of the filter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from itertools import islice
from random import Random
from time import process_time
from typing import Any, NamedTuple, TypeAlias

import scrapy
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response, TextResponse

from benchmarks.process_memory import resident_bytes

# Hosts under way at a time: one and a half times as many as a crawl keeps in memory.
UNDER_WAY = 1_500
# One host in so many has enough pages to be learnt; the others have up to ``_FEW``.
_LEARNT_OF, ENOUGH, _FEW = 100, 12, 3
# Points of the crawl at which time and memory are taken.
POINTS = 40


# The number of a host, and that of its page.
Place: TypeAlias = tuple[int, int]


class Point(NamedTuple):
    """The state of the process after so many pages."""

    pages: int
    seconds: float
    memory: int


class Plan:
    """The pages of each host, and how many were made."""

    def __init__(self, pages: Sequence[int]) -> None:
        self.pages = pages
        self.total = sum(pages)
        self.made = 0

    def __deepcopy__(self, _: object) -> Plan:
        """Return the plan itself, which settings would copy."""
        return self

    def count(self) -> None:
        self.made += 1

    def page(self, host: int, number: int) -> str:
        """Return the HTML of a page. Subclasses have hosts that change."""
        return page_of(host, number)


class FewPages(Plan):
    """Few pages of most hosts, what has come out, and the points at which time and memory were taken.

    Args:
        alone: each host has one page.
    """

    def __init__(self, hosts: int, seed: int, *, alone: bool = False) -> None:
        chooser = Random(seed)
        few = [ENOUGH if host % _LEARNT_OF == 0 else chooser.randint(1, _FEW) for host in range(hosts)]
        super().__init__([1] * hosts if alone else few)
        self.out: Counter[Place] = Counter()
        self.points = [Point(0, process_time(), resident_bytes() or 0)]

    def count(self) -> None:
        super().count()
        if self.made * POINTS >= len(self.points) * self.total:
            self.points.append(Point(self.made, process_time(), resident_bytes() or 0))


class MadeHosts:
    """Download handler: makes the pages of hosts, and counts them in the plan."""

    lazy = False

    def __init__(self, crawler: Crawler) -> None:
        self._plan: Plan = crawler.settings["PLAN"]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> MadeHosts:
        return cls(crawler)

    async def download_request(self, request: scrapy.Request) -> Response:
        self._plan.count()
        body = self._plan.page(*place_of(request.url)).encode()
        return HtmlResponse(request.url, body=body, encoding="utf-8", headers={"Content-Type": "text/html"})

    async def close(self) -> None:
        pass


class ManyHosts(scrapy.Spider):
    """Asks for the pages of a host one after the other, and then for those of the next host.

    The first page of all leads to those of the other hosts under way: of start requests Scrapy takes one at a time,
    and few hosts would be under way.
    """

    name = "many-hosts"

    async def start(self) -> AsyncIterator[Any]:
        self.plan: FewPages = self.settings["PLAN"]
        self.waiting = iter(range(len(self.plan.pages)))
        yield scrapy.Request(url_of(next(self.waiting), 0))

    def parse(self, response: Response, **_: Any) -> Iterator[Any]:
        assert isinstance(response, TextResponse)
        yield {"url": response.url, "html": response.text}
        host, number = place_of(response.url)
        if (host, number) == (0, 0):
            yield from (scrapy.Request(url_of(other, 0)) for other in islice(self.waiting, UNDER_WAY - 1))
        if number + 1 < self.plan.pages[host]:
            yield scrapy.Request(url_of(host, number + 1))
        elif (following := next(self.waiting, None)) is not None:
            yield scrapy.Request(url_of(following, 0))


class CountOut:
    """Last pipeline: counts the items that have the content of their page."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> CountOut:
        counter = cls()
        counter._plan = crawler.settings["PLAN"]
        return counter

    def __init__(self) -> None:
        self._plan: FewPages

    def process_item(self, item: dict[str, Any]) -> dict[str, Any]:
        place = place_of(item["url"])
        self._plan.out[place] += 1 if is_whole(item["html"], place) else 2  # 2 is as bad as an item that came twice
        return item


def url_of(host: int, number: int) -> str:
    return f"http://host-{host}.example/{number}"


def place_of(url: str) -> Place:
    """Return the host and the number of a page."""
    host, _, number = url.removeprefix("http://host-").partition(".example/")
    return int(host), int(number)


def is_whole(text: str, place: Place, *, edited: bool = False) -> bool:
    """Tell whether all content of a page is there."""
    return all(part in text for part in _content(*place, edited))


def is_raw(text: str, place: Place) -> bool:
    """Tell whether some of a template of a page's host is there."""
    return any(part in text for part in (*_template(place[0]), *_new_template(place[0])))


def page_of(host: int, number: int, *, changed: bool = False, edited: bool = False) -> str:
    """Return the HTML of a page.

    Args:
        changed: the page has the second template of its host.
        edited: the page says more than it said at first.
    """
    story = "".join(f"<p>{text}</p>" for text in _content(host, number, edited))
    head = f'<!DOCTYPE html><html lang="en"><head><title>Story {number}</title></head><body>'
    body = _in_new_template if changed else _in_template
    return f"{head}{body(host, f'<h1>Story {number} of {host}</h1>{story}')}</body></html>"


def _content(host: int, number: int, edited: bool = False) -> list[str]:
    return [
        f"Part {part} of story {number} of host {host}: nobody else tells it, and it goes on for a sentence or two, "
        f"as {host * 7 + number * 3 + part} people have found."
        for part in range(7 if edited else 6)
    ]


def _template(host: int) -> list[str]:
    return [f"The paper of host {host}", f"Section 7 of {host}", f"Copyright host {host}. All rights reserved."]


def _new_template(host: int) -> list[str]:
    return [f"Gazette {host}, renewed", f"Department 7 of {host}", f"Host {host} is printed on Mondays and Fridays."]


def _in_template(host: int, story: str) -> str:
    links = "".join(f'<li><a href="/{place}">Section {place} of {host}</a></li>' for place in range(20))
    banner, _, notice = _template(host)
    return (
        f'<header><p>{banner}</p></header><nav><ul class="menu">{links}</ul></nav>'
        f'<main><article class="story">{story}</article></main><footer><p>{notice}</p></footer>'
    )


def _in_new_template(host: int, story: str) -> str:
    """Return a page without the elements by which a lone page shows its template."""
    links = "".join(f'<a class="go" href="/d/{place}">Department {place} of {host}</a> ' for place in range(20))
    banner, _, notice = _new_template(host)
    return (
        f'<div class="masthead"><p class="name">{banner}</p></div><div class="column"><div class="piece">{story}</div>'
        f'<p class="issue">{notice}</p></div><div class="wide">{links}</div>'
    )

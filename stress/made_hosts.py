"""Made hosts, whose pages tell whether all of their content is there, and none of their template.

Responses are made in the process by a download handler, so that time and memory are those of Scrapy and of the filter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import scrapy
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response

# The number of a host, and that of its page.
Place: TypeAlias = tuple[int, int]
# One page in so many is a wall. A host of ten pages has one or none among them.
_WALLS_OF = 40


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
        body = self._plan.page(*place_of(request.url)).encode("utf-8", "replace")
        return HtmlResponse(request.url, body=body, encoding="utf-8", headers={"Content-Type": "text/html"})

    async def close(self) -> None:
        pass


def url_of(host: int, number: int) -> str:
    return f"http://host-{host}.example/{number}"


def place_of(url: str) -> Place:
    """Return the host and the number of a page."""
    host, _, number = url.removeprefix("http://host-").partition(".example/")
    return int(host), int(number)


def is_wall(place: Place) -> bool:
    """Tell whether a page only asks its reader to sign in."""
    return sum(place) % _WALLS_OF == _WALLS_OF - 1


def is_whole(text: str, place: Place) -> bool:
    """Tell whether all content of a page is there."""
    return all(part in text for part in ([_demand(place[0])] if is_wall(place) else _content(*place)))


def is_raw(text: str, place: Place) -> bool:
    """Tell whether some of a template of a page's host is there."""
    return any(part in text for part in (*_template(place[0]), *_new_template(place[0])))


def page_of(host: int, number: int, *, changed: bool = False) -> str:
    """Return the HTML of a page, which has the second template of its host if ``changed``."""
    if is_wall((host, number)):
        return _wall(host)
    story = "".join(f"<p>{text}</p>" for text in _content(host, number))
    head = f'<!DOCTYPE html><html lang="en"><head><title>Story {number}</title></head><body>'
    body = _in_new_template if changed else _in_template
    return f"{head}{body(host, f'<h1>Story {number} of {host}</h1>{story}')}</body></html>"


def _wall(host: int) -> str:
    fields = '<input name="user"><input type="password" name="password"><button>Sign in</button>'
    head = '<!DOCTYPE html><html lang="en"><head><title>Sign in</title></head><body><main><form action="/login">'
    return f"{head}<p>{_demand(host)}</p>{fields}</form></main></body></html>"


def _demand(host: int) -> str:
    return f"Sign in to host {host} to read on."


def _content(host: int, number: int) -> list[str]:
    return [
        f"Part {part} of story {number} of host {host}: nobody else tells it, and it goes on for a sentence or two, "
        f"as {host * 7 + number * 3 + part} people have found."
        for part in range(6)
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

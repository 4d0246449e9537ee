"""A field that a redesign drops from all pages of a layout: named once, by log, stat and command."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.command_line import Commands
from tests.support.crawls import Crawl, CrawlFunction, list_spider
from tests.support.mockserver import MockServer

LEARNT, LATER = 10, 55
WORDS = ("oak", "pine", "elm", "ash", "birch", "larch", "maple", "willow", "cedar", "spruce", "alder", "hazel", "rowan")
PARTS = {
    "price": '<p class="price">$ {number}.95</p>',
    "image": '<div class="photo"><img src="/{name}.jpg" alt="{name}"></div>',
    "date": '<p class="since">In stock since {day} March 2024</p>',
    "table": '<table class="specs"><tr><th>Height</th><td>{number} cm of {name}</td></tr></table>',
}
PLACES = {"price": "p.price", "image": "div.photo", "date": "p.since", "table": "table.specs"}


def document(title: str, main: str) -> str:
    return f"""<!DOCTYPE html><html lang="en"><head><title>{title} - Chairs</title></head><body>
        <header><a href="/">Chairs and stools for every room</a></header>
        <ul class="menu"><li><a href="/new">New chairs</a></li><li><a href="/old">All chairs</a></li></ul>
        <main>{main}</main><footer><p>Made by hand. Free delivery over $ 500</p></footer></body></html>"""


def product(number: int, gone: str = "", moved: str = "") -> str:
    name = f"{WORDS[number % 13]} {WORDS[number // 13]} chair"
    values = {"number": number + 40, "name": name.replace(" ", "-"), "day": number % 28 + 1}
    parts = {kind: part.format(**values) for kind, part in PARTS.items()}
    where = "".join(
        f'<div class="kind-{kind}">{part}</div>' for kind, part in parts.items() if kind not in (gone, moved)
    )
    wood, legs = WORDS[number * 5 % 13], WORDS[number * 7 % 13]
    about = f"The {name} is made of {wood} and its legs of {legs}, as number {number} of a small series."
    also = parts[moved].replace('"price"', '"amount"') if moved else ""
    return document(name, f'<h1>{name}</h1>{where}<div class="about"><p>{about}</p></div>{also}')


def article(number: int) -> str:
    """A page of another kind in the same template."""
    wood = WORDS[number % 13]
    text = f"After {number} years we still like {wood} best, which grows slowly and splits when it is dried too fast."
    return document(f"On {wood}", f'<div class="post"><h2>On {wood}</h2><p>{text}</p></div>')


def crawled(crawl: CrawlFunction, server: MockServer, later: Callable[[int], str]) -> tuple[str, list[str], Crawl]:
    host = server.new_host()
    urls = [f"http://{host}/chair/{number}" for number in range(LEARNT + LATER)]
    for number in range(LEARNT + LATER):
        server.add(host, f"/chair/{number}", product(number) if number < LEARNT else later(number))
    items = '{"url": response.url, "html": response.text}, {"url": response.url, "html": response.text}'
    return host, urls, crawl(list_spider(urls, items), {"BLOCKFILTER_PAGES": LEARNT}).check()


@pytest.mark.parametrize("kind", PARTS)
def test_a_thing_that_vanished_is_named_once(crawl: CrawlFunction, server: MockServer, kind: str) -> None:
    host, urls, result = crawled(crawl, server, lambda number: product(number, gone=kind))
    assert result.stat("things/vanished") == 1
    (line,) = [line for line in result.log_lines(level="WARNING") if "has no" in line]
    assert line.startswith(f"{host}: ")
    assert f"{urls[LEARNT + 49]} has no {kind} in " in line
    assert f"{PLACES[kind]}, nor have the 49 pages before it" in line
    commands = Commands(result.folder)
    commands.store = result.store
    assert f"{urls[LEARNT + 49]} has no {kind} in " in commands.run("sites").out
    (site,) = commands.run("sites", "--json").json
    assert [PLACES[kind] in text for text in site["gone"]] == [True]
    assert "has no" in commands.run("show", host).out


LATER_PAGES: dict[str, Callable[[int], str]] = {
    "the pages stay": product,
    "a price in another slot": lambda number: product(number, moved="price"),
    "a section of another kind": article,
    "a price on one page in twenty": lambda number: product(number, gone="price" if number % 20 else ""),
}


@pytest.mark.parametrize("later", LATER_PAGES)
def test_no_alarm(crawl: CrawlFunction, server: MockServer, later: str) -> None:
    _, _, result = crawled(crawl, server, LATER_PAGES[later])
    assert result.stat("things/vanished") == 0
    assert [line for line in result.log_lines(level="WARNING") if "has no" in line] == []

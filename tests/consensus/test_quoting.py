"""Pages that quote many others, such as digests and price lists, take nothing from the pages that they quote."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import NamedTuple

import pytest

import scrapy_blockfilter as bf

WORDS = ("bridge", "harbour", "lantern", "meadow", "orchard", "pebble", "quarry", "river", "saddle", "timber")
PAGES = 10
QUOTED = range(20, 40)


class Made(NamedTuple):
    """A made site: a page by its number, with something behind its content; its own texts; the labels of its facts."""

    page: Callable[[int, str], str]
    texts: Callable[[int], list[str]]
    labels: tuple[str, ...] = ()


def prose(number: int, words: int = 50) -> str:
    source = random.Random(number)
    return " ".join(f"{source.choice(WORDS)}{source.randrange(300)}" for _ in range(words))


def amount(number: int) -> str:
    return f"{random.Random(number).randrange(500, 9_000) / 100:.2f} EUR"


def framed(title: str, content: str) -> str:
    menu = "".join(f"<li><a href='/{name}'>{name}</a></li>" for name in ("Start", "All of it", "About us"))
    return (
        f"<html><head><title>{title}</title></head><body><nav id='menu'><ul>{menu}</ul></nav><main id='main'>"
        f"<h1>{title}</h1>{content}</main><footer><p>All rights reserved by the owners.</p></footer></body></html>"
    )


def shop(number: int, after: str = "") -> str:
    return framed(
        f"Product {number}",
        f"<div class='price'>{amount(number)}</div><p class='text'>{prose(number)}</p><table class='facts'>"
        f"<tr><th>Weight</th><td>{number + 3} kg</td></tr><tr><th>Colour</th><td>Blue</td></tr></table>{after}",
    )


def blog(number: int, after: str = "") -> str:
    content = "".join(f"<p>{prose(1_000 * part + number)}</p>" for part in (1, 2))
    return framed(f"Notes of day {number}", f"<h2>Part of {number}</h2>{content}{after}")


def record(number: int, after: str = "") -> str:
    facts = {"Born": f"{1_800 + number}", "Office": f"Room {3 * number}", "Telephone": f"0{number} 55 {number * 7}"}
    rows = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts.items())
    return framed(f"Person {number}", f"<dl class='facts'>{rows}</dl><p class='about'>{prose(number, 30)}</p>{after}")


SITES = {
    "shop": Made(shop, lambda n: [f"Product {n}", amount(n), prose(n), f"{n + 3} kg"], ("Blue", "Weight", "Colour")),
    "blog": Made(blog, lambda n: [f"Notes of day {n}", f"Part of {n}", prose(1_000 + n), prose(2_000 + n)]),
    "record": Made(
        record,
        lambda n: [f"Person {n}", f"{1_800 + n}", f"Room {3 * n}", f"0{n} 55 {n * 7}", prose(n, 30)],
        ("Born", "Office", "Telephone"),
    ),
}


def elements(start: str, texts: Iterable[str], end: str) -> str:
    return "".join(f"{start}{text}{end}" for text in texts)


WAYS: dict[str, Callable[[list[str]], str]] = {
    "prices": lambda texts: elements("<div class='price'>", texts, "</div>"),
    "paragraphs": lambda texts: elements("<p>", texts, "</p>"),
    "a list": lambda texts: f"<ul>{elements('<li>', texts, '</li>')}</ul>",
    "a table": lambda texts: f"<table>{elements('<tr><td>', texts, '</td></tr>')}</table>",
}


def lost(site: Made, way: str, quoting: int, shown: list[str]) -> list[str]:
    """Return texts that pages lose if ``quoting`` of the pages learnt from show these texts outside of their slots."""
    pages = [site.page(number, "") for number in range(PAGES - quoting)]
    pages += [site.page(90 + number, WAYS[way](shown)) for number in range(quoting)]
    model = bf.learn(pages)
    return [text for n in QUOTED for text in site.texts(n) if text not in model.clean(site.page(n, "")).text]


@pytest.mark.parametrize("quoting", [1, 2, 3])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", SITES)
def test_quotes_on_few_pages_take_no_more_than_texts_of_nobody(name: str, way: str, quoting: int) -> None:
    site = SITES[name]
    quotes = [*(text for number in QUOTED for text in site.texts(number)), *site.labels]
    # Long pages shift what is usual at each slot: a value whose score is near the threshold may go for that alone.
    of_nobody = [*(text for number in QUOTED for text in site.texts(1_000 + number)), *("Oak", "Height", "Finish")]
    more = set(lost(site, way, quoting, quotes)) - set(lost(site, way, quoting, of_nobody))
    assert len(more) < len(QUOTED) / 10


@pytest.mark.parametrize("name", SITES)
def test_a_menu_in_another_wrapper_still_goes(name: str) -> None:
    site = SITES[name]
    model = bf.learn([site.page(number, "") for number in range(PAGES)])
    page = site.page(50, "").replace("<nav id='menu'>", "<div class='sidebar'>").replace("</nav>", "</div>")
    assert "All of it" not in model.clean(page).text

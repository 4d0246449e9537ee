"""Pages that quote many others, outside of the slots that the quoted texts have, take nothing from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import pytest

import scrapy_blockfilter as bf
from tests.support.pages import document, segmented

PAGES = 10
# Pages that are learnt from and others, and as many that there are not: texts of both have the same lengths.
QUOTED, NOBODY = (*range(10, 16), *range(30, 36)), range(60, 72)
_WORDS = ("bridge", "meadow", "pebble", "quarry", "saddle", "timber", "valley", "window")
_LONG = 80


def prose(seed: str, count: int) -> str:
    chosen = Random(seed)
    return " ".join(f"{chosen.choice(_WORDS)}{chosen.randrange(100, 1_000)}" for _ in range(count)).capitalize() + "."


def framed(title: str, content: str) -> str:
    menu = "".join(f"<li><a href=/>{name}</a></li>" for name in ("Home", "All there is", "About us"))
    foot = "<div id=foot><p>Copyright by the owners, all rights reserved.</p></div>"
    return document(f"<div id=nav><ul>{menu}</ul></div><div id=main><h1>{title}</h1>{content}</div>{foot}", title=title)


def shop(number: int, more: str = "", *, around: str = "") -> str:
    rows = (("Weight", f"{number + 3} kg"), ("Colour", "Blue"))
    table = "".join(f"<tr><th>{label}</th><td>{value}</td></tr>" for label, value in rows)
    facts = f"<div class=price>{number}.99 EUR</div><p class=desc>{prose(f'product {number}', 40)}</p>"
    content = f"{facts}<table class=spec>{table}</table>"
    return framed(f"Product name {number}", (f"<div class=of-{around}>{content}</div>" if around else content) + more)


def named_shop(number: int, more: str = "") -> str:
    """Return a shop's page with a class of its own around what it sells."""
    return shop(number, more, around="".join(chr(ord("a") + int(digit)) for digit in str(number)))


def blog(number: int, more: str = "") -> str:
    paragraphs = "".join(f"<p>{prose(f'post {number} {part}', 50)}</p>" for part in range(3))
    return framed(f"Notes of day {number}", f"<div class=text>{paragraphs}</div>{more}")


def record(number: int, more: str = "") -> str:
    telephone = f"555 {100_000 + 7919 * number}"
    values = {"Born": f"{1900 + number}", "Party": prose(f"party {number}", 2), "Telephone": telephone}
    pairs = "".join(f"<dt>{label}</dt><dd>{value}</dd>" for label, value in values.items())
    life = f"<p class=life>{prose(f'life {number}', 40)}</p>"
    return framed(f"Person {number}", f"<dl class=facts>{pairs}</dl>{life}{more}")


SITES: dict[str, Callable[[int, str], str]] = {"shop": shop, "named": named_shop, "blog": blog, "records": record}
WAYS = {
    "paragraphs": "<p>{}</p>",
    "a slot of prices": "<div class=price>{}</div>",
    "a menu": "<nav><a href=/>{}</a></nav>",
    "comments": "<div class=comment><b>Ann</b> 3 May 2020<p>{}</p></div>",
    "a table": "<table><tr><td>{}</td></tr></table>",
}


def scores(page: Callable[[int, str], str], way: str, quoting: int, shown: Sequence[int]) -> list[float]:
    """Score the blocks of ``QUOTED``, where ``quoting`` of the ten pages learnt from show the texts of some pages."""

    def quotes(place: int) -> str:
        # Each leaves out some of the long texts, by which pages are told apart. Prices have a slot of prices.
        texts = [
            text
            for number in shown
            for text in own_texts(page(number, ""))
            if (len(text) < _LONG or number % 3 != place) and not (way == "a slot of prices" and "EUR" in text)
        ]
        return "".join(WAYS[way].format(text) for text in texts)

    pages = [page(10 + number, "") for number in range(PAGES - quoting)]
    pages += [page(90 + place, quotes(place)) for place in range(quoting)]
    model = bf.learn(pages)
    assert model.different == PAGES
    return [block.score for number in QUOTED for block in model.clean(page(number, "")).blocks]


def own_texts(html: str) -> list[str]:
    shared = {"Home", "All there is", "About us", "Copyright by the owners, all rights reserved."}
    return [block.text for block in segmented(html).blocks if block.tag != "title" and block.text not in shared]


@pytest.mark.parametrize("quoting", [1, 2, 3])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", SITES)
def test_a_text_that_few_pages_quote_is_judged_as_if_nobody_did(name: str, way: str, quoting: int) -> None:
    quoted, not_quoted = (scores(SITES[name], way, quoting, shown) for shown in (QUOTED, NOBODY))
    # Other texts of the same lengths do not make the same page: a slot has more or fewer distinct ones.
    assert quoted == pytest.approx(not_quoted, abs=0.1)

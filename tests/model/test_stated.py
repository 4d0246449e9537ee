"""A page that shows no text, but states an article in its JSON-LD, has that text, and is suspicious."""

from __future__ import annotations

import json
from typing import Any

import pytest

import scrapy_blockfilter as bf

FIRST = "The mill on the upper brook grinds spelt again, as it did for three hundred years, and sells flour on Fridays."
SECOND = "Its wheel was mended by two sisters <from the valley>, who learnt it from the last miller of the *brook*."
ARTICLE = {"@type": "NewsArticle", "headline": "The mill", "articleBody": f"{FIRST}\n\n{SECOND}"}
STATED = "has its text in JSON-LD alone"
SHELL = "<div id=app>Loading</div><noscript>Please turn on scripts, as this site is made of nothing else.</noscript>"


def page(data: Any, shell: str = SHELL) -> str:
    return (
        "<!doctype html><html><head><title>The mill | Valley News</title>"
        f"<script type=application/ld+json>{json.dumps(data)}</script></head><body>{shell}</body></html>"
    )


@pytest.mark.parametrize("learnt", [0, 5])
@pytest.mark.parametrize("shell", [SHELL, "", "<nav><a href=/>Home</a><a href=/news>News of the valley</a></nav>"])
@pytest.mark.parametrize(
    "data", [ARTICLE, [ARTICLE], {"@graph": [{"@type": "WebSite", "name": "Valley News"}, ARTICLE]}]
)
def test_a_page_without_text_has_that_of_its_json_ld(data: Any, shell: str, learnt: int) -> None:
    others = [page(ARTICLE | {"articleBody": f"{number} {FIRST}"}, shell) for number in range(learnt)]
    cleaned = bf.learn(others).clean(page(data, shell)) if learnt else bf.clean(page(data, shell))
    assert cleaned.text == f"{FIRST}\n{SECOND}"
    assert cleaned.markdown == f"{FIRST}\n\n{SECOND}".replace("<", r"\<").replace("*", r"\*")
    assert [chunk["text"] for chunk in cleaned.chunks] == [cleaned.text]
    assert cleaned.html == page(data, shell)
    assert cleaned.suspicious == STATED


def test_markup_in_the_article_is_read_and_a_long_one_is_cut() -> None:
    body = f"&lt;p&gt;{FIRST}&lt;/p&gt;<ul><li>Spelt</li></ul><p>{FIRST}</p>"
    assert bf.clean(page(ARTICLE | {"articleBody": body})).text == f"{FIRST}\n- Spelt\n{FIRST}"
    assert "10,000 characters" in bf.clean(page(ARTICLE | {"articleBody": FIRST * 100})).suspicious


def test_of_several_articles_that_of_the_title_is_the_page_s() -> None:
    other = ARTICLE | {"headline": "The bridge", "articleBody": FIRST * 3}
    assert bf.clean(page([other, ARTICLE])).text.startswith(FIRST)
    assert SECOND in bf.clean(page([other, ARTICLE])).text
    assert bf.clean(page([other, other])).suspicious != STATED


@pytest.mark.parametrize(
    ("data", "shell"),
    [
        (ARTICLE, f"<article><h1>The mill</h1><p>{FIRST}</p><p>{FIRST} And more.</p></article>"),
        (ARTICLE | {"articleBody": "The mill."}, SHELL),
        ({"@type": "Product", "description": FIRST * 3}, SHELL),
    ],
)
def test_other_pages_have_the_text_that_they_show(data: Any, shell: str) -> None:
    cleaned = bf.clean(page(data, shell))
    assert SECOND not in cleaned.text
    assert "JSON-LD" not in cleaned.suspicious

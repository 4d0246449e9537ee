"""Further articles on a page: told from sections of one article, and from what only looks like a headline."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.evidence import articles
from scrapy_blockfilter.evidence.features import Evidence, evidence_of
from tests.evidencing import statistics
from tests.segmenting import columns, document

TEXT = "Boats returned on Monday, a week early, and the harbour was full by noon. " * 8


def article(title: str, text: str = TEXT) -> str:
    return f"<article><h1>{title}</h1><p>{text}</p></article>"


def page(*parts: str) -> str:
    return document("<p>Menu</p>", *parts, title="Harbour reopens")


def found(html: str) -> Evidence:
    return evidence_of(columns(html), statistics(html))


def follows(html: str) -> bool:
    return articles.follow(columns(html), found(html))


FIRST, NEXT = article("Harbour reopens"), article("Windmill burns")


def test_an_article_behind_that_of_the_page_is_another() -> None:
    html = page(FIRST, NEXT, NEXT)
    assert follows(html)
    assert articles.are_of_others(found(html)).tolist() == [False] * 4 + [True] * 4


@pytest.mark.parametrize(
    "html",
    [
        page(FIRST),
        page(f"<div><h1>Harbour reopens</h1><p>{TEXT}</p><h1>Its history</h1><p>{TEXT}</p></div>"),
        page("<header><h1>Harbour reopens</h1></header>", article("Its history")),
        page(FIRST, article("Windmill burns", "Read more.")),
        page(FIRST.replace("h1", "h2"), NEXT.replace("h1", "h2")),
        page(article("Harbour"), FIRST),
    ],
    ids=["no other", "sections", "a headline alone", "a teaser", "other headings", "before the article"],
)
def test_what_is_no_further_article(html: str) -> None:
    assert not follows(html)


def test_a_site_of_which_most_pages_have_further_ones_puts_them_behind_each() -> None:
    sections = page(f"<div><h1>Harbour reopens</h1><p>{TEXT}</p><h1>Its history</h1><p>{TEXT}</p></div>")
    assert articles.usually_follow([found(page(FIRST, NEXT))] * 3 + [found(page(FIRST))] * 3)
    assert articles.usually_follow([found(sections)] * 3)
    assert not articles.usually_follow([found(page(FIRST, NEXT))] * 3 + [found(page(FIRST))] * 4)
    assert not articles.usually_follow([found(page(FIRST, NEXT))] * 2)


def test_a_page_without_text_has_none() -> None:
    html = document()
    assert not follows(html)
    assert articles.are_of_others(found(html)).tolist() == []

"""Further articles on a page: told from sections of one article, and from what only looks like a headline."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.evidence import articles
from scrapy_blockfilter.evidence.articles import HeadlineSlots
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


def learnt(*htmls: str) -> HeadlineSlots:
    return HeadlineSlots([(columns(html), found(html)) for html in htmls])


def test_a_site_of_which_most_pages_have_further_ones_puts_them_behind_each() -> None:
    sections = page(f"<div><h1>Harbour reopens</h1><p>{TEXT}</p><h1>Its history</h1><p>{TEXT}</p></div>")
    assert learnt(*[page(FIRST, NEXT)] * 3, *[page(FIRST)] * 3).usual
    assert learnt(*[sections] * 3).usual
    assert not learnt(*[page(FIRST, NEXT)] * 3, *[page(FIRST)] * 4).usual
    assert not learnt(*[page(FIRST, NEXT)] * 2).usual


SITE = learnt(*[page(FIRST, NEXT)] * 3)


def below_others(html: str, site: HeadlineSlots = SITE) -> list[bool]:
    return site.below_others(columns(html), found(html)).tolist()


def test_a_headline_that_does_not_agree_with_the_title_is_told_by_where_others_stand() -> None:
    html = page(article("Boats return to the quay"), NEXT, NEXT)
    assert not articles.are_of_others(found(html)).any()
    assert below_others(html) == [False] * 4 + [True] * 4


def test_of_several_that_do_not_agree_it_is_the_one_that_agrees_most() -> None:
    html = page(article("Elsewhere"), article("How the harbour of the town reopens for boats after years"), NEXT)
    assert below_others(html) == [False] * 6 + [True] * 2


@pytest.mark.parametrize(
    "html",
    [page(article("Boats return")), page("<p>No headline</p>"), document(), page("<h1>Boats</h1>", "<h1>Wind</h1>")],
    ids=["one", "none", "no text", "elsewhere on the page"],
)
def test_without_another_headline_at_their_place_nothing_is_below_it(html: str) -> None:
    assert not any(below_others(html))


def test_a_headline_that_agrees_counts_before_its_place() -> None:
    html = page(FIRST, NEXT)
    assert below_others(html) == articles.are_of_others(found(html)).tolist()


def test_a_page_without_text_has_none() -> None:
    html = document()
    assert not follows(html)
    assert articles.are_of_others(found(html)).tolist() == []

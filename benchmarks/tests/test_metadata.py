"""The benchmark of metadata: what pages declare, how it is hidden, and the tables."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.metadata import TABLES, declared_article, hidden, is_as_declared
from benchmarks.metadata_peers import installed_megabytes

ARTICLE = '{"@type": "NewsArticle", "headline": "Harbour", "datePublished": "2014-03-12T09:00:00Z"}'


def script(content: str) -> str:
    return f'<script type="application/ld+json">{content}</script>'


def test_only_article_of_a_page_is_what_it_declares() -> None:
    assert declared_article(script(ARTICLE))["headline"] == "Harbour"
    assert declared_article(script(f'{{"@graph": [{ARTICLE}]}}'))["headline"] == "Harbour"
    assert declared_article(script(ARTICLE) * 2) == {}
    assert declared_article(script("{") + script('{"@type": "Product"}')) == {}


def test_author_that_is_a_reference_is_resolved() -> None:
    graph = '{"@graph": [{"@type": "Article", "author": {"@id": "a"}}, {"@id": "a", "name": "Anna"}]}'
    assert declared_article(script(graph))["author"] == {"@id": "a", "name": "Anna"}


@pytest.mark.parametrize(
    ("name", "declared", "value", "is_equal"),
    [
        ("title", "Tom &amp; Jerry", "Tom & Jerry", True),
        ("title", "Harbour", "Mill", False),
        ("title", "Harbour", None, False),
        ("authors", [{"name": "Anna"}, "Ben"], ["Anna", "Ben"], True),
        ("authors", {"name": "Anna"}, [], False),
        ("published", "2014-03-12T09:00:00Z", "2014-03-12T09:00:00+00:00", True),
        ("published", "2014-03-12", "2014-03-13", False),
    ],
)
def test_values_are_compared_with_what_is_declared(name: str, declared: Any, value: Any, is_equal: bool) -> None:
    assert is_as_declared(name, declared, value) is is_equal


def test_hidden_page_declares_nothing_and_shows_the_same() -> None:
    page = (
        f'<html lang="en"><head><title>Name</title><meta name="date" content="2014-03-12">{script(ARTICLE)}</head>'
        '<body itemscope><p itemprop="datePublished">12 March</p><time datetime="2014-03-12">today</time></body></html>'
    )
    html = hidden(page)
    assert "2014" not in html
    assert "item" not in html
    assert all(shown in html for shown in ("Name", "12 March", "today", 'lang="en"'))


def test_what_is_not_installed_takes_no_room() -> None:
    assert installed_megabytes("no-such-package") == (0.0, 0)


def test_tables_show_the_figures() -> None:
    costs = {"ms_a_page": 1.5, "import_ms": 20.0, "megabytes": 2.5, "packages": 3}
    counts = {"pages": 10, "found": 5, "right": 4, "answered": 8}
    figures = {
        "fields": {"title": {"declared": 10, "equal": 9}},
        "alike": {"json_ld": {"pages": 10, "equal": 9}},
        "readers": {"extruct": costs},
        "dates": {"htmldate": {**counts, **costs}},
        "languages": {"declared by the page": counts},
    }
    made = [make(figures) for make in TABLES]
    assert ".900" in made[0]
    assert ".900" in made[1]
    assert "1.50 |         20 |          2.5 |        3 |" in made[2]
    assert ".500 |                  .800" in made[3]
    assert ".800 |                     .500" in made[4]

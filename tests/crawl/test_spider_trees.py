"""The trees of selectors are read where callbacks have not changed them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse

from scrapy_blockfilter.crawl.response_cache import ResponseCache
from scrapy_blockfilter.html import Reader, tree_fingerprint
from scrapy_blockfilter.options import Options

pytestmark = pytest.mark.skipif(tree_fingerprint._native is None, reason="native code is not built")

HTML = "<!DOCTYPE html><html><head></head><body><p class='a'>One</p><p>Two</p></body></html>\n"


class Spider:
    def parse(self, response: HtmlResponse) -> None:
        """Select nothing."""

    def parse_item(self, response: HtmlResponse) -> None:
        response.css("p")

    def parse_and_drop(self, response: HtmlResponse) -> None:
        response.css("p").drop()

    def parse_and_rename(self, response: HtmlResponse) -> None:
        response.css("p")[0].root.set("class", "b")


def visit(trees: ResponseCache, callback: Callable[[Any], None], html: str = HTML, *, is_changed: bool = False) -> bool:
    """Let a response pass, and return whether its tree can be read behind the callback."""
    request = Request("http://a.example/", callback=callback)
    response = HtmlResponse(request.url, body=html, encoding="utf-8", request=request)
    if is_changed:
        response.css("p").drop()
    trees.look(request, response)
    callback(response)
    tree = trees.tree_of(response)
    assert tree is None or tree.root is response.selector.root
    return tree is not None


def test_the_tree_of_a_callback_that_selects_is_read_from_its_second_page_on() -> None:
    trees = ResponseCache(Reader(Options()))
    assert [visit(trees, Spider().parse_item) for _ in range(60)] == [False] + [True] * 50 + [False] + [True] * 8


def test_nothing_is_parsed_for_a_callback_that_does_not_select() -> None:
    trees = ResponseCache(Reader(Options()))
    visit(trees, Spider().parse_item)
    assert not any(visit(trees, Spider().parse) for _ in range(5))


@pytest.mark.parametrize("callback", [Spider().parse_and_drop, Spider().parse_and_rename])
def test_a_tree_that_a_callback_has_changed_is_not_read(callback: Callable[[Any], None]) -> None:
    trees = ResponseCache(Reader(Options()))
    assert not any(visit(trees, callback) for _ in range(5))


@pytest.mark.parametrize("html", [f"{HTML}<div>b</div>", "<html><title>a<p>b</p>"])
def test_where_parsel_makes_another_tree_the_text_is_parsed(html: str) -> None:
    trees = ResponseCache(Reader(Options()))
    assert not any(visit(trees, Spider().parse_item, html) for _ in range(3))


def test_a_selector_that_was_there_before_may_have_been_changed_before() -> None:
    trees = ResponseCache(Reader(Options()))
    visit(trees, Spider().parse_item)
    assert not visit(trees, Spider().parse_item, is_changed=True)


def test_a_page_beyond_the_limits_is_not_parsed() -> None:
    trees = ResponseCache(Reader(Options(max_characters=10)))
    assert [visit(trees, Spider().parse_item) for _ in range(2)] == [False, False]


def test_without_native_code_each_text_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_fingerprint, "_native", None)
    trees = ResponseCache(Reader(Options()))
    assert not any(visit(trees, Spider().parse_item) for _ in range(3))

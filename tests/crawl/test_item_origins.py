"""Which response an item comes from."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import copy_context
from typing import Any

import pytest
from pydantic import HttpUrl
from scrapy import Request
from scrapy.http import HtmlResponse, JsonResponse

from scrapy_blockfilter.crawl import item_origins
from scrapy_blockfilter.crawl.item_origins import ItemSources, Source, find_source, source_of
from scrapy_blockfilter.options import Options

OPTIONS = Options(url_fields=("url", "link"))


def response_of(number: int, **meta: Any) -> HtmlResponse:
    url = f"http://news.example/{number}"
    return HtmlResponse(url, body=b"<p>Text</p>", encoding="utf-8", request=Request(url, meta=meta))


@pytest.fixture(params=[True, False], ids=["context kept", "context lost"])
def is_context_kept(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(item_origins, "is_asyncio_available", lambda: request.param)
    return bool(request.param)


@pytest.fixture
def sources() -> ItemSources:
    return ItemSources()


def run(act: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a test's coroutine in a context of its own."""
    copy_context().run(lambda: asyncio.run(act()))


def test_response_of_an_item_is_known_while_it_is_in_the_pipelines(sources: ItemSources, is_context_kept: bool) -> None:
    async def act() -> None:
        item, other = {"n": 1}, {"n": 2}
        for response in (response_of(1), None):
            with sources.sending(item, response):
                assert sources.response_of(item) is response
                # An earlier pipeline may have put another item in its place.
                assert sources.response_of(other) is (response if is_context_kept else None)
                assert sources.response_of(other, "http://news.example/1") is response
        sources.enter(response_of(1))
        assert sources.response_of(item) is None

    run(act)


@pytest.mark.parametrize(
    ("item", "url"),
    [
        ({"url": "http://a.example/", "link": "http://b.example/"}, "http://a.example/"),
        *(({**other, "link": "http://b.example/"}, "http://b.example/") for other in ({"url": ""}, {"url": 7}, {})),
        ({"url": HttpUrl("http://a.example/1"), "link": "http://b.example/"}, "http://a.example/1"),
        *((item, None) for item in ({"other": "http://c.example/"}, {}, "http://d.example/", None, object())),
    ],
)
def test_url_field_is_the_last_resort(item: Any, url: str | None) -> None:
    found = copy_context().run(find_source, item, ItemSources(), OPTIONS)
    assert found == Source(url, None)
    assert found.meta == {}


def document(title: str, more: str = "") -> str:
    return f"{more}<html><head><title>{title}</title></head><body><p>Text</p></body></html>"


def source_in_a_callback(item: dict[str, Any], body: str, url: str = "http://b.example/") -> Source:
    return source_of(item, HtmlResponse(url, body=body.encode(), encoding="utf-8"), OPTIONS)


@pytest.mark.parametrize("body", ["Text", "The page before", "<h1>The page before</h1>", "<script>'The page before'"])
def test_document_of_another_page_with_its_url_is_the_page_of_its_item(body: str) -> None:
    item = {"url": "http://a.example/1", "html": document("The page before")}
    found = source_in_a_callback(item, document("Comments on The page before").replace("Text", body))
    assert (found.url, found.html, found.page) == (item["url"], item["html"], None)


@pytest.mark.parametrize(
    ("item", "body"),
    [
        ({"url": "http://b.example/", "html": document("Another")}, document("Page")),
        ({"html": document("Another")}, document("Page")),
        ({"url": "http://a.example/", "html": document("Page")}, document("Page")),
        ({"url": "http://a.example/", "html": document("Tea & cakes")}, document("Tea &amp; \n cakes")),
        ({"url": "http://a.example/", "html": document("")}, document("Page")),
        ({"url": "http://a.example/", "html": "<p>Another page</p>"}, document("Page")),
        ({"url": "http://a.example/", "html": document("Page 2")}, document("Page 2", "<!-- <title>Other</title> -->")),
        ({"url": "http://a.example/", "html": document("Page 2")}, document("P\0age &#50;", "<!--<title>A</title>-->")),
        ({"url": "http://a.example/", "html": document("1 &lt; 2")}, document("1 < 2").replace("itle>", "it\0le>")),
    ],
    ids=str,
)
def test_document_that_a_callback_has_changed_is_of_its_response(item: dict[str, Any], body: str) -> None:
    found = source_in_a_callback(item, body)
    assert (found.url, found.html) == ("http://b.example/", "")
    assert found.page is found.response


@pytest.mark.parametrize(
    ("item", "url", "html"),
    [
        ({"url": "http://a.example/", "html": document("A")}, "http://a.example/", document("A")),
        ({"url": "http://a.example/", "html": ["<p>", document("A")]}, "http://a.example/", document("A")),
        ({"url": "http://a.example/", "html": "<p>A part</p>"}, "http://a.example/", ""),
        ({"html": document("A")}, None, document("A")),
        ({"html": "<p>A part</p>"}, "http://api.example/", ""),
        ({}, "http://api.example/", ""),
    ],
    ids=str,
)
def test_item_of_json_has_its_page_with_it(item: dict[str, Any], url: str | None, html: str) -> None:
    response = JsonResponse("http://api.example/", body=b"{}")
    assert source_of(item, response, OPTIONS) == Source(url, response, html)

"""scrapy-poet beside the filter: page objects see pages as sites send them, and their items come out clean."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

import pytest

from tests.support.crawls import ADDON, CrawlFunction
from tests.support.mockserver import MockServer
from tests.support.waiting_crawls import SETTINGS, Web, check_once, serve

pytest.importorskip("scrapy_poet", reason="scrapy-poet is not installed (the dependency group beside)")

N = 4
PAGE_OBJECTS = """
import attrs
import scrapy
from scrapy_poet import DummyResponse
from web_poet import HttpResponse, ResponseUrl, WebPage, field

@attrs.define
class Article:
    url: str
    n: int
    html: str
    sent: str
    title: str

    def __getitem__(self, name):
        return getattr(self, name)

class ArticlePage(WebPage[Article]):
    @field
    def url(self):
        return str(self.url_of_response)

    @field
    def n(self):
        return 0

    @field
    def html(self):
        return self.response.text

    @field
    def sent(self):
        return self.response.text

    @field
    def title(self):
        return self.css("h1::text").get()

    @property
    def url_of_response(self):
        return self.response.url
"""


def injected(web: Web, callback: str) -> str:
    """Return the source of a spider that goes through all pages in turn, with this head and body of its callback."""
    return f"""{PAGE_OBJECTS}

class Injected(scrapy.Spider):
    name = "injected"

    async def start(self):
        for url in {web.urls!r}:
            yield scrapy.Request(url, callback=self.parse_page)

{callback}
"""


def settings(**more: Any) -> dict[str, Any]:
    addons = {**ADDON, "scrapy_poet.Addon": 300}
    return {**SETTINGS, "ADDONS": addons, "BLOCKFILTER_PAGES": N, "CONCURRENT_REQUESTS": 1, **more}


# A page object besides the response, in place of it, and a dependency itself.
CALLBACKS = {
    "page object": """
    async def parse_page(self, response, page: ArticlePage):
        yield {**attrs.asdict(await page.to_item()), "by": response.css("h1::text").get()}""",
    "dummy response": """
    async def parse_page(self, response: DummyResponse, page: ArticlePage):
        yield await page.to_item()""",
    "item": """
    async def parse_page(self, response: DummyResponse, article: ArticlePage, url: ResponseUrl):
        yield {**attrs.asdict(await article.to_item()), "url": str(url)}""",
    "response of web-poet": """
    def parse_page(self, response, page: HttpResponse):
        title = page.css("h1::text").get()
        yield {"url": str(page.url), "n": 0, "html": page.text, "sent": page.text, "title": title}""",
}


@pytest.mark.parametrize("form", CALLBACKS)
def test_items_of_page_objects_come_out_once_and_clean(crawl: CrawlFunction, server: MockServer, form: str) -> None:
    web = serve(server, pages=7)
    (site,) = web.sites.values()
    pages = dict(zip(web.urls, site.pages, strict=True))
    for held in (N - 1, 0):
        result = crawl(injected(web, CALLBACKS[form]), settings()).check()
        check_once(result, web, web.keys())
        for item in result.items:
            assert item["sent"] == pages[item["url"]].html
            assert item["title"] == pages[item["url"]].title
        assert result.stat("warmup/held") == held
        assert result.stat("items/cleaned") == 7
        (result.folder / "items.jsonl").unlink()


CLEAN_TEXT = """
from scrapy_blockfilter.extras.poet import CleanText
from web_poet import ItemPage

@attrs.define
class TextPage(ItemPage):
    clean: CleanText

class Texts(scrapy.Spider):
    name = "texts"

    async def start(self):
        for url in URLS:
            yield scrapy.Request(url, callback=self.parse_page)

    def parse_page(self, response, page: TextPage, clean: CleanText):
        assert str(clean) == page.clean.text
        yield {"url": response.url, "n": 0, "text": clean.text, "is_learnt": clean.is_learnt, "html": response.text}
"""
PROVIDER = {"scrapy_blockfilter.extras.poet.CleanTextProvider": 500}


def test_page_objects_get_clean_text_and_whether_the_site_was_learnt(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, pages=7)
    (site,) = web.sites.values()
    pages = dict(zip(web.urls, site.pages, strict=True))
    source = f"{PAGE_OBJECTS}\nURLS = {web.urls!r}\n{CLEAN_TEXT}"
    result = crawl(source, settings(SCRAPY_POET_PROVIDERS=PROVIDER)).check()
    assert len(result.items) == 7
    assert [item["is_learnt"] for item in sorted(result.items, key=itemgetter("url"))] == [False] * (N - 1) + [True] * 4
    for item in result.items:  # also of the first page, which is judged alone
        pages[item["url"]].assert_cleaned(item["text"])
    again = crawl(source, settings(SCRAPY_POET_PROVIDERS=PROVIDER)).check()
    assert all(item["is_learnt"] for item in again.items)


def test_clean_text_without_the_filter_says_what_is_missing(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, pages=1)
    source = f"{PAGE_OBJECTS}\nURLS = {web.urls!r}\n{CLEAN_TEXT}"
    result = crawl(source, settings(SCRAPY_POET_PROVIDERS=PROVIDER, BLOCKFILTER_ENABLED=False))
    assert result.items == []
    assert "CleanText needs the filter: ADDONS lacks 'scrapy_blockfilter.Addon'" in result.log

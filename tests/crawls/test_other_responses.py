"""Whole crawls of pages that no HTML response of their own shows: JSON, ``start()``, errbacks, rendering proxies."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any
from urllib.parse import quote, urljoin

import pytest

from tests.support.crawls import CrawlFunction, list_spider
from tests.support.made_sites import LANGUAGES, LAYOUTS, make_site
from tests.support.mockserver import MockServer, Reply
from tests.support.waiting_crawls import SETTINGS, Web, check_once, serve

EACH_OF_JSON = """    def parse(self, response):
        yield from response.json() if "json" in response.headers["Content-Type"].decode() else [
            {"url": response.url, "n": 0, "html": response.text}
        ]
        yield from islice(self.left, 1)
"""


def html_of(web: Web, url: str) -> str:
    host, _, path = url.removeprefix("http://").partition("/")
    return next(page.html for page in web.sites[host].pages if page.url_path == f"/{path}")


def items_of(web: Web, urls: Iterable[str]) -> list[dict[str, Any]]:
    return [{"url": url, "n": 0, "html": html_of(web, url)} for url in urls]


def render(server: MockServer, web: Web, urls: list[str], at_once: int = 3) -> list[str]:
    """Serve pages as a rendering service does, some in each response of JSON, and return its addresses."""
    host = server.new_host()
    groups = [urls[begin : begin + at_once] for begin in range(0, len(urls), at_once)]
    return [
        server.add(host, f"/render/{number}", Reply(json.dumps(items_of(web, group)), "application/json"))
        for number, group in enumerate(groups)
    ]


def spider_of(urls: list[str], body: str = "") -> str:
    return list_spider(urls, body=body).rpartition("    def parse")[0] + EACH_OF_JSON


def test_pages_in_json_are_learnt_from_held_and_cleaned(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, sites=2, pages=9)
    result = crawl(spider_of(render(server, web, web.urls)), SETTINGS).check()
    check_once(result, web, web.keys())
    assert result.stat("pages/learnt") == 8
    assert result.released == {"learnt": 2 * 3}
    assert result.stat("sites/ready") == 2
    assert result.log_lines(level="WARNING") == []


def test_page_seen_as_html_and_in_json_counts_once(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, pages=9)
    urls = web.urls
    asked = [*urls[:3], *render(server, web, urls[:3]), *render(server, web, urls[3:])]
    result = crawl(spider_of(asked), {**SETTINGS, "BLOCKFILTER_PAGES": 6}).check()
    items = [item for item in result.items if web.is_clean(item)]
    assert Counter(item["url"] for item in items) == Counter([*urls, *urls[:3]])
    assert result.stat("pages/learnt") == 6
    assert result.released == {"learnt": 3 + 3 + 2}


def test_items_of_start_are_learnt_from_and_wait(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, pages=7)
    spider = f"""
import scrapy

class Replay(scrapy.Spider):
    name = "replay"

    async def start(self):
        for item in {items_of(web, web.urls)!r}:
            yield item
"""
    result = crawl(spider, SETTINGS).check()
    check_once(result, web, web.keys())
    assert result.released == {"learnt": 3}


@pytest.mark.parametrize(("asked", "held"), [("http://{}/gone/{}", 3), ("unknown://{}/{}", 0)], ids=["404", "error"])
def test_items_of_an_errback_are_learnt_from(crawl: CrawlFunction, server: MockServer, asked: str, held: int) -> None:
    web = serve(server, pages=8)
    body = f"""
saved = {dict(zip(web.urls, items_of(web, web.urls), strict=True))!r}

def requests(self):
    for number, url in enumerate(self.saved):
        asked = {asked!r}.format("gone.example", number)
        yield scrapy.Request(asked, cb_kwargs={{"url": url}}, errback=self.failed)

def failed(self, failure):
    yield self.saved[failure.request.cb_kwargs["url"]]
    yield from islice(self.left, 1)
"""
    result = crawl(list_spider(["unused"], body=body), SETTINGS).check()
    assert Counter(item["url"] for item in result.items) == Counter(web.urls)
    assert all(map(web.is_clean, result.items[3 - held :]))
    assert (result.stat("pages/learnt"), result.stat("warmup/held")) == (4, held)


def test_page_that_another_callback_yields_is_of_its_own_site(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, sites=2, pages=8)
    urls, others = web.urls[::2], web.urls[1::2]
    body = f"""
def requests(self):
    for item, url in zip({items_of(web, urls)!r}, {others!r}):
        yield scrapy.Request(url, cb_kwargs={{"page": item}})

def parse(self, response, page):
    yield page
    yield {{"url": response.url, "n": 0, "html": response.css("html").get()}}
    yield {{"url": response.url + "?canonical", "n": 1, "html": response.css("html").get()}}
    yield from islice(self.left, 1)
"""
    source = list_spider(["unused"], body=body).rpartition("    def parse")[0]
    result = crawl(source, SETTINGS).check()
    assert result.stat("pages/learnt") == 8
    assert result.stat("sites/ready") == 2
    assert len(result.items) == 3 * 8
    assert all(web.is_clean({**item, "url": item["url"].removesuffix("?canonical")}) for item in result.items)


@pytest.mark.parametrize("url", [None, "/page/1"])
def test_item_that_says_not_which_page_it_is_gets_one_warning(
    crawl: CrawlFunction, server: MockServer, url: str | None
) -> None:
    web = serve(server, pages=5)
    items = [{"html": item["html"], "n": 0, "url": url} for item in items_of(web, web.urls)]
    address = server.add(server.new_host(), "/all", Reply(json.dumps(items), "application/json"))
    result = crawl(spider_of([address])).check()
    (warning,) = result.log_lines(level="WARNING")
    assert "it needs the whole URL in a field of BLOCKFILTER_URL_FIELDS; or BLOCKFILTER_SITE or meta block" in warning
    assert result.reasons() == {"no_site": 5}
    assert [item["html"] for item in result.items] == [item["html"] for item in items]


def test_request_may_name_the_site_of_items_without_a_url(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, pages=7)
    items = [{"html": item["html"], "path": item["url"]} for item in items_of(web, web.urls)]
    address = server.add(server.new_host(), "/all", Reply(json.dumps([*items, items[0]]), "application/json"))
    body = f'def requests(self):\n    yield scrapy.Request({address!r}, meta={{"blockfilter_site": "shop"}})'
    result = crawl(spider_of(["unused"], body)).check()
    assert len(result.items) == 8
    assert all(web.is_clean({**item, "url": item["path"]}) for item in result.items)
    assert (result.stat("pages/learnt"), result.stat("warmup/held")) == (4, 3)


def test_parts_of_pages_of_which_no_page_was_seen_get_one_warning(crawl: CrawlFunction, server: MockServer) -> None:
    items = [{"url": f"http://parts.example/{number}", "html": f"<p>Part {number}</p>"} for number in range(5)]
    address = server.add(server.new_host(), "/all", Reply(json.dumps(items), "application/json"))
    result = crawl(spider_of([address])).check()
    (warning,) = result.log_lines(level="WARNING")
    assert "no whole page of the site was seen yet" in warning
    assert result.reasons() == {"warmup": 5}


FORMS = {
    "encoded": lambda url: f"/?wait=2&url={quote(url, safe='')}",
    "plain": lambda url: f"/?url={url}&wait=2",
    "path": lambda url: f"/web/2020/{url}",
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_inner_host_takes_the_site_and_the_page_of_the_url_that_a_url_carries(
    crawl: CrawlFunction, server: MockServer, form: Callable[[str], str]
) -> None:
    web = serve(server, sites=3, pages=7)
    host = server.new_host()
    carrying = [server.add(host, form(url), html_of(web, url)) for url in web.urls]
    asked = [*web.urls[:6], *carrying]  # the first two pages of each site by themselves, too
    result = crawl(list_spider(asked), {"BLOCKFILTER_SITE": "inner_host"}).check()
    assert result.stat("sites/ready") == 3
    assert result.stat("pages/learnt") == 3 * 4
    assert result.log_lines(level="WARNING") == []
    of = dict(zip(carrying, web.urls, strict=True))
    assert all(web.is_clean({**item, "url": of.get(item["url"], item["url"])}) for item in result.items)


@pytest.mark.parametrize(
    ("form", "base"), [("encoded", "http://a.example/"), ("plain", "http://a.example/"), ("path", "")]
)
def test_links_of_a_rendered_page_are_relative_to_it(
    crawl: CrawlFunction, server: MockServer, form: str, base: str
) -> None:
    host = server.new_host()
    html = "<html><body><p>The old quay is <a href='plan'>open</a> again, say its keepers.</p></body></html>"
    url = server.add(host, FORMS[form]("http://a.example/quay"), html)
    settings = {"BLOCKFILTER_SITE": "inner_host", "BLOCKFILTER_OUTPUT_FIELDS": {"links": "links"}}
    (item,) = crawl(list_spider([url]), settings).check().items
    assert [link["url"] for link in item["links"]] == [urljoin(base or url, "plan")]


def test_many_sites_behind_one_host_are_asked_about_once(crawl: CrawlFunction, server: MockServer) -> None:
    made = [make_site(layout, 6, language=language) for layout, language in product(LAYOUTS, LANGUAGES)]
    host = server.new_host()
    urls = [
        server.add(host, f"/?url=http://{number}.example{page.url_path}", page.html)
        for number, site in enumerate(made)
        for page in site.pages
    ]
    result = crawl(list_spider(urls)).check()
    assert result.stat("layouts/learnt") == 7
    asked = [line for line in result.log_lines(level="WARNING") if "several sites behind one host?" in line]
    assert len(asked) == 1
    assert host in asked[0]
    assert '"inner_host"' in asked[0]

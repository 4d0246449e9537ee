"""Whole crawls: Scrapy's own command, a web server, and the items that leave the last pipeline."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import scrapy

from tests.support.archives import read_lines
from tests.support.crawls import SELECT_REACTOR, CrawlFunction, chain_spider, list_spider
from tests.support.made_sites import LAYOUTS, make_site
from tests.support.mockserver import GIF, MockServer, Reply, gzipped, redirect
from tests.support.sqlite_files import run_sql

# Scrapy 2.14 logs that a crawl could not start, and exits with 0 nevertheless.
TELLS_FAILED_START = scrapy.version_info >= (2, 19)

REACTORS = [
    pytest.param({}, id="asyncio"),
    pytest.param({"TWISTED_REACTOR": SELECT_REACTOR}, id="select"),
    pytest.param(
        {"TWISTED_REACTOR_ENABLED": False},
        id="no reactor",
        marks=pytest.mark.skipif(
            scrapy.version_info < (2, 19),
            reason="Scrapy before 2.19 needs a package of its own to download without a reactor",
        ),
    ),
]


def learnt_sites(store: Path) -> dict[str, int]:
    """Site -> pages of it in the store, whose integrity is checked by the way."""
    assert run_sql(store, "PRAGMA integrity_check") == ["ok"]
    return dict(run_sql(store, "SELECT site, count(*) FROM sites JOIN pages ON sites.id = site_id GROUP BY site"))


def first_url(host: str, page: int = 0) -> str:
    return f"http://{host}/page/{page}"


@pytest.mark.parametrize("reactor", REACTORS)
def test_addons_line_cleans_all_items_of_a_site(
    crawl: CrawlFunction, server: MockServer, reactor: dict[str, Any]
) -> None:
    site = make_site(pages=13, rich=True)
    host = server.add_site(site)
    feed = {"items.jsonl": {"format": "jsonlines", "encoding": "utf-8"}}
    settings = {"BLOCKFILTER_PAGES": 10, "FEEDS": feed, **reactor}
    result = crawl(chain_spider(first_url(host)), settings, template=None).check()

    html = result.by_path()
    assert len(html) == 13
    for page in site.pages:
        page.assert_cleaned(html[page.url_path])
        assert [block for block in page.markup if block not in html[page.url_path]] == []
        assert html[page.url_path].startswith("<!DOCTYPE html>")
    assert [item["html"] for item in read_lines(result.folder / "items.jsonl")] == list(html.values())

    assert result.stat("pages/learnt") == 10
    assert result.stat("items/cleaned") == 13
    assert result.stat("warmup/held") == 9
    # Of each page the nine template blocks went, and whichever related links were on several pages.
    assert 9 * 13 <= result.stat("blocks/stripped") <= 12 * 13
    assert learnt_sites(result.store) == {host: 10}


def test_components_listed_by_hand_work_as_the_addon_does(crawl: CrawlFunction, server: MockServer) -> None:
    site = make_site(pages=6, layout="semantic")
    host = server.add_site(site)
    components = {
        "ADDONS": {},
        "BLOCKFILTER_WARMUP": "pass",
        "DOWNLOADER_MIDDLEWARES": {"scrapy_blockfilter.middleware.BlockFilterDownloaderMiddleware": 10},
        "SPIDER_MIDDLEWARES": {"scrapy_blockfilter.warmup.BlockFilterSpiderMiddleware": -10000},
        "ITEM_PIPELINES": {"scrapy_blockfilter.pipeline.BlockFilterPipeline": 50, "crawl_spider.Shout": 300},
    }
    later_pipeline = """
class Shout:
    def process_item(self, item):
        item["seen"] = item["html"].upper()
        return item
"""
    result = crawl(chain_spider(first_url(host), preamble=later_pipeline), components).check()

    html, seen = result.by_path(), result.by_path("seen")
    assert len(html) == 6
    for page in site.pages[:3]:
        assert html[page.url_path] == page.html
    for page in site.pages[3:]:
        page.assert_cleaned(html[page.url_path])
        assert seen[page.url_path] == html[page.url_path].upper()


def test_pipeline_alone_stops_the_start_and_says_what_it_needs(crawl: CrawlFunction, server: MockServer) -> None:
    host = server.add_site(make_site(pages=1))
    alone = {"ADDONS": {}, "ITEM_PIPELINES": {"scrapy_blockfilter.pipeline.BlockFilterPipeline": 50}}
    result = crawl(chain_spider(first_url(host)), alone)
    assert (result.exit_code != 0) is TELLS_FAILED_START
    assert "needs scrapy_blockfilter.middleware.BlockFilterDownloaderMiddleware in DOWNLOADER_MIDDLEWARES" in result.log
    assert server.requests_to(host) == []
    assert not result.store.exists()


@pytest.mark.parametrize(
    ("project", "spider"),
    [
        ({}, {"BLOCKFILTER_PAGES": 3, "BLOCKFILTER_FIELDS": {"body": "html"}}),
        ({"ADDONS": {}}, {"ADDONS": {"scrapy_blockfilter.Addon": 500}, "BLOCKFILTER_FIELDS": {"body": "html"}}),
    ],
    ids=["options", "ADDONS"],
)
def test_custom_settings_of_a_spider_count(
    crawl: CrawlFunction, server: MockServer, project: dict[str, Any], spider: dict[str, Any]
) -> None:
    site = make_site(pages=5, layout="dl")
    host = server.add_site(site)
    item = '{"url": response.url, "body": response.text}'
    source = chain_spider(first_url(host), item, f"custom_settings = {spider!r}")
    result = crawl(source, {"BLOCKFILTER_WARMUP": "pass", **project}).check()

    html = result.by_path("body")
    assert len(html) == 5
    ready = spider.get("BLOCKFILTER_PAGES", 4) - 1
    for page in site.pages[:ready]:
        assert html[page.url_path] == page.html
    for page in site.pages[ready:]:
        page.assert_cleaned(html[page.url_path])


def test_disabled_filter_leaves_no_trace(crawl: CrawlFunction, server: MockServer) -> None:
    site = make_site(pages=6)
    host = server.add_site(site)
    result = crawl(chain_spider(first_url(host)), {"BLOCKFILTER_ENABLED": False})
    assert result.exit_code == 0
    html = result.by_path()
    assert len(html) == 6
    for page in site.pages:
        assert html[page.url_path] == page.html
    assert [name for name in result.stats if name.startswith("blockfilter")] == []
    assert not result.store.exists()


def test_wrong_value_on_the_command_line_stops_the_start(crawl: CrawlFunction, server: MockServer) -> None:
    host = server.add_site(make_site(pages=2))
    result = crawl(chain_spider(first_url(host)), arguments=["-s", "BLOCKFILTER_PAGES=none"])
    assert (result.exit_code != 0) is TELLS_FAILED_START
    assert "OptionError: BLOCKFILTER_PAGES is 'none', but must be a whole number from 1 to 1000" in result.log
    assert server.requests_to(host) == []
    assert not result.store.exists()


def test_every_item_is_attributed_to_its_own_response(crawl: CrawlFunction, server: MockServer) -> None:
    # Pages of four sites at once, items without a URL: only the response tells where an item comes from.
    sites = {server.new_host(): make_site(layout, 6, seed) for seed, layout in enumerate(LAYOUTS)}
    for host, site in sites.items():
        server.add_site(site, host)
    urls = [first_url(host, number) for number in range(6) for host in sites]
    source = f"""
import scrapy

class Many(scrapy.Spider):
    name = "many"
    custom_settings = {{"CONCURRENT_REQUESTS": 16, "CONCURRENT_REQUESTS_PER_DOMAIN": 8}}

    async def start(self):
        for url in {urls!r}:
            yield scrapy.Request(url, callback=self.several)

    async def several(self, response):
        yield {{"from": response.url, "number": 0}}
        # An item, a request, and an item once more: requests go the same way as items.
        yield response.follow(response.url + "?again", callback=self.one, errback=self.failed)
        for number in range(1, 5):
            yield {{"from": response.url, "number": number}}

    def one(self, response):
        raise AssertionError("there is no such page")

    def failed(self, failure):
        self.logger.info("as expected")
"""
    options = {"BLOCKFILTER_OUTPUT_FIELDS": {"text": "text"}, "BLOCKFILTER_URL_FIELDS": []}
    result = crawl(source, options).check()
    assert len(result.items) == 5 * len(urls)
    for host, site in sites.items():
        for page in site.pages:
            texts = [item["text"] for item in result.items if item["from"] == f"http://{host}{page.url_path}"]
            assert [page.missing(text) for text in texts] == [[]] * 5
    assert "no_site" not in result.reasons()
    assert result.stat("sites/ready") == 4


ITEM_CLASSES = """
import typing
from dataclasses import field, make_dataclass
import attrs
import pydantic

class PlainItem(scrapy.Item):
    url = scrapy.Field()
    html = scrapy.Field()

class DeclaringItem(PlainItem):
    body = scrapy.Field(blockfilter="html")
    words = scrapy.Field(blockfilter="text")

HTML = {"blockfilter": "html"}
OF_DATA = [("url", str), ("html", str)]
DECLARED = [*OF_DATA, ("body", str, field(metadata=HTML))]
Data = make_dataclass("Data", DECLARED)
SlotsData = make_dataclass("SlotsData", OF_DATA, slots=True)
FrozenData = make_dataclass("FrozenData", OF_DATA, frozen=True)
FrozenSlotsData = make_dataclass("FrozenSlotsData", DECLARED, frozen=True, slots=True)
OF_ATTRS = {"url": attrs.field(), "html": attrs.field()}
Attrs = attrs.make_class("Attrs", {**OF_ATTRS, "body": attrs.field(metadata=HTML)}, slots=True)
FrozenAttrs = attrs.make_class("FrozenAttrs", OF_ATTRS, slots=True, frozen=True)
OF_MODELS = {"url": (str, ...), "html": (str, ...)}
Model = pydantic.create_model("Model", **OF_MODELS, body=(str, pydantic.Field(json_schema_extra=HTML)))
BODY = (typing.Annotated[str, HTML], ...)
FrozenModel = pydantic.create_model("FrozenModel", __config__={"frozen": True}, **OF_MODELS, body=BODY)

PLAIN = [dict, PlainItem, SlotsData, FrozenData, FrozenAttrs]
DECLARING = [DeclaringItem, Data, FrozenSlotsData, Attrs, Model, FrozenModel]

def items_of(response):
    for made in PLAIN:
        yield made(url=response.url, html=response.text)
    for made in DECLARING:
        yield made(url=response.url, html=response.text, body=response.text)
    yield DeclaringItem(url=response.url, words="\\n".join(response.css("body ::text").getall()))
"""


def test_items_of_every_kind_are_cleaned(crawl: CrawlFunction, server: MockServer) -> None:
    site = make_site(pages=6)
    host = server.add_site(site)
    source = chain_spider(first_url(host), "*items_of(response)", preamble=ITEM_CLASSES)
    result = crawl(source, {"BLOCKFILTER_WARMUP": "pass"}).check()

    assert len({item["_type"] for item in result.items}) == 11
    assert len(result.items) == 12 * 6
    pages = {first_url(host, number): page for number, page in enumerate(site.pages)}
    for item in result.items:
        page = pages[item["url"]]
        for name in {"html", "body", "words"} & item.keys():
            if page in site.pages[3:]:
                page.assert_cleaned(item[name])
            elif name != "words":
                assert item[name] == page.html
    assert result.stat("items/cleaned") == 12 * 3
    assert result.reasons() == {"warmup": 12 * 3}


@pytest.mark.parametrize(
    "earlier", ["return item", "await asyncio.sleep(0.3); return item", "return dict(item)", "raise DropItem", ""]
)
def test_items_without_a_response_are_attributed_by_their_url_alone(
    crawl: CrawlFunction, server: MockServer, earlier: str
) -> None:
    site = make_site(pages=6)
    host = server.add_site(site)
    crawl(chain_spider(first_url(host))).check()

    source = f"""
import asyncio
import scrapy
from scrapy.exceptions import DropItem

PAGES = {[page.html for page in site.pages]!r}

class Earlier:
    async def process_item(self, item):
        if item["from"] != "callback":
            return item
        {earlier or "raise ValueError"}

class Start(scrapy.Spider):
    name = "start"

    async def start(self):
        yield {{"from": "start", "link": "{first_url(host)}", "html": PAGES[0]}}
        yield {{"from": "start without URL", "html": PAGES[1]}}
        yield scrapy.Request("{first_url(host, 2)}", callback=self.parse, cb_kwargs={{"number": 2}})

    def parse(self, response, number):
        yield {{"from": "callback", "html": response.text}}
        yield scrapy.Request("http://{host}/gone", callback=self.parse, errback=self.failed)
        yield scrapy.Request("nowhere://{host}/", callback=self.parse, errback=self.broken)

    def failed(self, failure):
        # It did get a response, of the same site.
        yield {{"from": "errback, 404", "html": PAGES[3]}}

    def broken(self, failure):
        yield {{"from": "errback", "page_url": "{first_url(host)}", "html": PAGES[4]}}
        yield {{"from": "errback without URL", "html": PAGES[5]}}
"""
    result = crawl(source, {"ITEM_PIPELINES": {"crawl_spider.Earlier": 1}})
    assert result.exit_code == 0
    result.check_sums()
    html = {item["from"]: item["html"] for item in result.items}
    if "return" in earlier:
        site.pages[2].assert_cleaned(html.pop("callback"))
    assert len(html) == 5
    site.pages[0].assert_cleaned(html["start"])
    assert html["start without URL"] == site.pages[1].html
    site.pages[3].assert_cleaned(html["errback, 404"])
    site.pages[4].assert_cleaned(html["errback"])
    assert html["errback without URL"] == site.pages[5].html
    assert result.reasons() == {"no_site": 2}


def test_request_meta_excludes_pages_and_names_sites(crawl: CrawlFunction, server: MockServer) -> None:
    site = make_site(pages=9)
    one, other = server.add_site(site), server.add_site(site)
    urls = [first_url((one, other)[number % 2], number) for number in range(9)]
    body = f"""
def requests(self):
    for number, url in enumerate({urls!r}):
        meta = {{"blockfilter_site": "both"}}
        if number in (1, 8):
            meta["blockfilter"] = False
        yield scrapy.Request(url, meta=meta)
"""
    result = crawl(list_spider(urls, body=body), {"BLOCKFILTER_WARMUP": "pass"}).check()

    html = result.by_path()
    # Page 1 teaches nothing, so that the fourth page that does is page 4; page 8 is not cleaned though it could be.
    for number, page in enumerate(site.pages):
        if number in (4, 5, 6, 7):
            page.assert_cleaned(html[page.url_path])
        else:
            assert html[page.url_path] == page.html
    assert result.reasons() == {"warmup": 3, "disabled": 2}
    assert learnt_sites(result.store) == {"both": 4}


def test_only_pages_on_their_way_to_a_callback_teach(crawl: CrawlFunction, server: MockServer) -> None:
    site = make_site(pages=4)
    host = server.add_site(site)
    extra = make_site(pages=8, seed=7).pages
    server.add(host, "/robots.txt", Reply(extra[0].html))
    server.add(host, "/file", extra[1].html)
    server.add(host, "/gone", Reply(extra[2].html, status=404))
    server.add(host, "/error", Reply(extra[3].html, status=500))
    server.add(host, "/data.json", Reply(json.dumps({"html": extra[4].html}), "application/json"))
    server.add(host, "/text", Reply(extra[5].html, "text/plain"))
    server.add(host, "/image.gif", Reply(GIF, "image/gif"))
    server.add(host, "/moved", redirect(first_url(host)))
    server.add(host, "/packed", gzipped(extra[6].html))
    urls = [f"http://{host}/{path}" for path in ("gone", "error", "data.json", "text", "image.gif", "moved", "packed")]
    source = list_spider(
        [first_url(host, number) for number in range(4)] + urls,
        f'{{"url": response.request.url, "file_urls": ["http://{host}/file"]}}',
        "handle_httpstatus_list = [404, 500]",
    )
    settings = {
        "BLOCKFILTER_PAGES": 20,
        "FILES_STORE": "files",
        "HTTPERROR_ALLOW_ALL": True,
        "ITEM_PIPELINES": {"scrapy.pipelines.files.FilesPipeline": 100},
        "ROBOTSTXT_OBEY": True,
    }
    result = crawl(source, settings).check()
    asked = server.requests_to(host)
    assert {"/robots.txt", "/file", "/gone", "/error", "/data.json", "/text", "/image.gif", "/moved"} <= set(asked)
    assert len(result.items) == 11
    # The four pages and the packed one; /moved leads to a page that is known.
    assert result.stat("pages/learnt") == 5
    assert learnt_sites(result.store) == {host: 5}


def test_each_page_counts_once_however_often_it_is_seen(crawl: CrawlFunction, server: MockServer) -> None:
    site = make_site(pages=5)
    host = server.add_site(site)
    server.add(host, "/short", redirect(first_url(host, 1)))
    urls = [first_url(host)] * 5 + [f"http://{host}/short"] + [first_url(host, number) for number in range(1, 5)]
    # None of them is filtered as a duplicate. The fingerprint that tells pages apart leaves anchors out.
    urls += [f"{first_url(host)}#top"]
    settings = {"BLOCKFILTER_WARMUP": "pass", "HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": "cache"}
    first = crawl(list_spider(urls), settings).check()
    assert len(first.items) == 11
    assert first.stat("pages/learnt") == 4
    # Pages 0 (five times) and 1, 1 again and 2 are warm-up; then page 3 is the fourth.
    assert first.reasons() == {"warmup": 8}

    asked = len(server.requests_to(host))
    replayed = crawl(list_spider(urls), settings).check()
    assert len(server.requests_to(host)) == asked
    assert replayed.stats["httpcache/hit"] == 12
    assert replayed.stat("pages/learnt") == 0
    assert replayed.stat("items/cleaned") == 11
    assert learnt_sites(replayed.store) == {host: 4}


def test_second_crawl_of_a_known_site_cleans_from_its_first_item(crawl: CrawlFunction, server: MockServer) -> None:
    site = make_site(pages=9, layout="semantic", language="de")
    host = server.add_site(site)
    www = server.add_site(site, f"www.{host}")
    first = crawl(list_spider([first_url(host, number) for number in range(5)])).check()
    assert first.stat("sites/known") == 0

    second = crawl(chain_spider(first_url(www, 5))).check()
    html = second.by_path()
    assert len(html) == 4
    for page in site.pages[5:]:
        page.assert_cleaned(html[page.url_path])
    assert second.stat("sites/known") == second.stat("sites/ready") == 1
    assert second.reasons() == {}
    assert learnt_sites(second.store) == {host: 4}


def test_one_info_line_for_each_site_that_gets_ready_and_statistics_that_add_up(
    crawl: CrawlFunction, server: MockServer
) -> None:
    sites = {server.new_host(): make_site("div", pages, seed) for seed, pages in enumerate((3, 4, 9, 16))}
    for host, site in sites.items():
        server.add_site(site, host)
    urls = [first_url(host, number) for number in range(16) for host in sites if number < len(sites[host].pages)]
    # By what recurs alone a TITLE, which is in no text, is never template, and the sums are easy.
    settings = {
        "BLOCKFILTER_METHOD": "chunk_frequency",
        "BLOCKFILTER_OUTPUT_FIELDS": {"text": "text"},
        "BLOCKFILTER_WARMUP": "pass",
    }
    result = crawl(list_spider(urls), settings).check()

    *lines, saved, provisional = result.log_lines(level="INFO")
    assert f"some {result.stat('bytes/stripped') // 4} tokens less to read" in saved
    assert provisional.startswith("Sites that stayed provisional, with fewer than 4 pages: 1 of the 4 met last. ")
    assert sorted(line.partition(" ")[0] for line in lines) == sorted(list(sites)[1:])
    assert all(" is ready: 4 pages learnt, " in line for line in lines)
    assert result.log_lines() == [*lines, saved, provisional]

    assert result.stat("pages/learnt") == 3 + 4 + 4 + 4
    assert result.stat("sites/ready") == 3
    assert result.stat("sites/known") == 0
    assert result.stat("models/fitted") == 3
    assert result.reasons() == {"warmup": 3 + 3 + 3 + 3}
    assert result.stat("items/cleaned") == 0 + 1 + 6 + 13
    stripped = kept = 0
    by_url = {item["url"]: item for item in result.items}
    for host, site in sites.items():
        for page in site.pages[3:]:
            item = by_url[f"http://{host}{page.url_path}"]
            parts = (*page.content, *page.related)
            kept += sum(len(part.encode()) for part in parts if part in item["text"]) + len(page.title.encode())
            stripped += sum(len(part.encode()) for part in page.template)
            stripped += sum(len(part.encode()) for part in page.related if part not in item["text"])
    assert result.stat("bytes/seen") == kept + stripped
    assert result.stat("bytes/stripped") == stripped
    assert result.stat("blocks/stripped") + result.stat("blocks/kept") == sum(
        len(page.content) + 1 + len(page.template) + len(page.related)
        for site in sites.values()
        for page in site.pages[3:]
    )

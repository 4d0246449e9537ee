"""Whole crawls whose items wait for their site's model: each comes out once and clean."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.crawls.test_crawl import REACTORS
from tests.support.crawls import BeginFunction, CrawlFunction, chain_spider
from tests.support.mockserver import MockServer, Reply
from tests.support.waiting_crawls import SETTINGS, chain, check_once, feed_items, item_key, serve, wide

SLOW = {**SETTINGS["ITEM_PIPELINES"], "tests.support.waiting_crawls.Slow": 300}
MEDIA = {"FILES_STORE": "files", "ITEM_PIPELINES": {**SLOW, "scrapy.pipelines.files.FilesPipeline": 200}}


# Requests of start_urls are made again on every start; these are not.
ASKED_ONCE = """    async def start(self):
        for url in self.urls:
            yield scrapy.Request(url)

"""


@pytest.mark.parametrize("settings", [*REACTORS, pytest.param({"CONCURRENT_ITEMS": 1}, id="one item at a time")])
def test_chain_of_pages_is_followed_while_its_items_wait(
    crawl: CrawlFunction, server: MockServer, settings: dict[str, Any]
) -> None:
    web = serve(server, pages=13)
    result = crawl(chain(web), {**SETTINGS, "BLOCKFILTER_PAGES": 10, **settings}).check()
    check_once(result, web, web.keys())
    assert result.stat("warmup/held") == 9
    assert result.released == {"learnt": 9}
    assert result.stat("models/provisional") == 0


def test_more_items_a_page_than_scrapy_takes_at_a_time(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, pages=6, paragraphs=1)
    result = crawl(chain(web, per_page=150), SETTINGS).check()
    check_once(result, web, web.keys(150))
    assert result.released == {"learnt": 3 * 150}


def test_twenty_sites_of_thirty_pages(begin: BeginFunction, server: MockServer) -> None:
    web = serve(server, sites=20, pages=30, paragraphs=1)
    result = begin(wide(web), SETTINGS).finish().check()
    check_once(result, web, web.keys())
    # Pages are learnt when they come, items held when their callbacks run: less or more than three of a site.
    assert 20 <= result.stat("warmup/held") == result.released["learnt"] <= 20 * 16


def test_site_of_fewer_pages_is_released_when_there_is_nothing_else_to_do(
    crawl: CrawlFunction, server: MockServer
) -> None:
    web = serve(server, sites=2, pages=5)
    result = crawl(chain(web), {**SETTINGS, "BLOCKFILTER_PAGES": 10}).check()
    check_once(result, web, web.keys())
    assert result.released == {"idle": 10}
    assert result.stat("models/provisional") == 2
    assert result.stat("items/provisional") == 10
    assert result.stat("sites/ready") == 0


def test_spider_that_feeds_itself_when_idle_is_not_taken_for_one_at_its_end(
    crawl: CrawlFunction, server: MockServer
) -> None:
    web = serve(server, pages=8)
    source = f"""
import scrapy
from scrapy import signals
from scrapy.exceptions import DontCloseSpider

class Fed(scrapy.Spider):
    name = "fed"
    left = {web.urls!r}

    async def start(self):
        self.crawler.signals.connect(self.feed, signals.spider_idle)
        return
        yield

    def feed(self):
        if self.left:
            self.crawler.engine.crawl(scrapy.Request(self.left.pop(0)))
            raise DontCloseSpider

    def parse(self, response):
        yield {{"url": response.url, "n": 0, "html": response.text}}
"""
    result = crawl(source, SETTINGS).check()
    check_once(result, web, web.keys())
    assert result.released == {"learnt": 3}


def test_items_of_a_site_wait_no_longer_than_the_timeout(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, sites=2, pages=30)
    short = next(iter(web.sites))
    web.sites[short].pages[2:] = []
    slowly = {"CONCURRENT_REQUESTS_PER_DOMAIN": 1, "DOWNLOAD_DELAY": 0.1, "RANDOMIZE_DOWNLOAD_DELAY": False}
    result = crawl(wide(web), {**SETTINGS, "BLOCKFILTER_WARMUP_TIMEOUT": 0.4, **slowly}).check()
    check_once(result, web, web.keys())
    assert result.released["timeout"] >= 2
    order = [item["url"] for item in feed_items(result.folder)]
    assert all(order.index(url) < len(order) - 1 for url in order if short in url)


def test_release_is_not_the_end_of_learning(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, pages=12)
    settings = {**SETTINGS, "BLOCKFILTER_PAGES": 8, "BLOCKFILTER_WARMUP_MAX_BYTES": 20_000}
    result = crawl(chain(web), settings).check()
    check_once(result, web, web.keys())
    assert result.stat("sites/ready") == 1
    assert result.stat("pages/learnt") == 8
    assert result.released["budget"] >= 1
    assert sum(result.released.values()) == result.stat("warmup/held") == 7
    assert result.stat("items/provisional") == result.released["budget"]


def test_held_pages_take_no_room_that_scrapy_counts(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, sites=4, pages=6)
    one_by_one = {"SCRAPER_SLOT_MAX_ACTIVE_SIZE": 1, "CONCURRENT_REQUESTS": 1}
    result = crawl(wide(web), {**SETTINGS, **one_by_one}).check()
    check_once(result, web, web.keys())
    assert result.released == {"learnt": 4 * 3}


def test_budget_is_kept_with_twenty_sites(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, sites=20, pages=8)
    largest = max(len(page.html) for site in web.sites.values() for page in site.pages)
    result = crawl(wide(web), {**SETTINGS, "BLOCKFILTER_WARMUP_MAX_BYTES": 60_000}).check()
    check_once(result, web, web.keys())
    assert result.released["budget"] > 0
    # The item that went beyond it, with its page.
    assert result.stat("warmup/bytes_max") <= 60_000 + 2 * largest + 8_000


def test_slow_pipelines_and_downloads_of_items_that_waited(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, sites=3, pages=8)
    result = crawl(wide(web, per_page=2), {**SETTINGS, **MEDIA, "CONCURRENT_ITEMS": 4}).check()
    check_once(result, web, web.keys(2))
    assert result.stats["file_count"] == 3 * 8 * 2


def test_items_do_not_wait_while_slow_pipelines_leave_no_room(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, sites=6, pages=5)
    settings = {**SETTINGS, "BLOCKFILTER_WARMUP_MAX_BYTES": 30_000, "CONCURRENT_ITEMS": 1, "ITEM_PIPELINES": SLOW}
    result = crawl(wide(web), {**settings, "SCRAPER_SLOT_MAX_ACTIVE_SIZE": 1}).check()
    check_once(result, web, web.keys())


@pytest.mark.parametrize(
    "stop",
    [
        {"CLOSESPIDER_PAGECOUNT": 12},
        {"CLOSESPIDER_PAGECOUNT": 20, **MEDIA},
        {"CLOSESPIDER_PAGECOUNT": 12, "TWISTED_REACTOR": "twisted.internet.selectreactor.SelectReactor", **MEDIA},
    ],
    ids=["plain", "media", "select"],
)
def test_page_count_that_ends_the_crawl_in_warmup(
    crawl: CrawlFunction, server: MockServer, stop: dict[str, Any]
) -> None:
    web = serve(server, sites=5, pages=12)
    result = crawl(wide(web), {**SETTINGS, "BLOCKFILTER_PAGES": 10, "CONCURRENT_REQUESTS": 4, **stop})
    assert result.exit_code == 0
    assert result.stats["finish_reason"] == "closespider_pagecount"
    check_once(result, web)
    assert len(result.items) >= stop["CLOSESPIDER_PAGECOUNT"]
    fetched = sum(count for name, count in result.stats.items() if name.endswith("status_count/200"))
    assert len(result.items) == fetched - result.stats.get("file_status_count/downloaded", 0)
    assert result.released["close"] > 0
    if "FILES_STORE" in stop:
        assert result.stats["file_count"] == len(result.items)


def test_item_that_is_filled_and_yielded_again_waits_as_it_was(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, pages=12)
    fill = "self.item.update(url=response.url, n=0, html=response.text) or self.item"
    (host,) = web.sites
    spider = chain_spider(f"http://{host}/page/0", fill, body="item = {}")
    result = crawl(spider, {**SETTINGS, "BLOCKFILTER_PAGES": 10})
    check_once(result, web, web.keys())
    assert result.released == {"learnt": 9}


def test_item_count_that_ends_the_crawl_in_warmup(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, sites=4, pages=8)
    result = crawl(wide(web), {**SETTINGS, "CLOSESPIDER_ITEMCOUNT": 5, "CONCURRENT_REQUESTS": 4})
    assert result.stats["finish_reason"] == "closespider_itemcount"
    check_once(result, web)
    assert len(result.items) >= 5
    assert result.log.count("CLOSESPIDER_ITEMCOUNT=5 does not count items that are held") == 1
    assert result.log.count('BLOCKFILTER_WARMUP = "once" holds none') == 1
    at_once = crawl(wide(web), {**SETTINGS, "CLOSESPIDER_ITEMCOUNT": 5, "BLOCKFILTER_WARMUP": "once"}, folder="at-once")
    assert "CLOSESPIDER_ITEMCOUNT=5 does not" not in at_once.log


def test_limit_of_pages_without_items_that_ends_a_crawl_early_is_told(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, pages=12)
    result = crawl(chain(web), {**SETTINGS, "BLOCKFILTER_PAGES": 10, "CLOSESPIDER_PAGECOUNT_NO_ITEM": 3})
    assert result.stats["finish_reason"] == "closespider_pagecount_no_item"
    check_once(result, web)
    (told,) = result.log_lines(level="WARNING")
    assert told.startswith("CLOSESPIDER_PAGECOUNT_NO_ITEM=3 does not count items that are held until 10 pages")
    assert "so the crawl may end early" in told


@pytest.mark.parametrize("reactor", REACTORS)
def test_callback_that_closes_the_spider_in_warmup(
    crawl: CrawlFunction, server: MockServer, reactor: dict[str, Any]
) -> None:
    web = serve(server, pages=12)
    source = chain(web, per_page=3, after_items='if number == 4: raise CloseSpider("enough")')
    result = crawl(source, {**SETTINGS, "BLOCKFILTER_PAGES": 10, **reactor})
    assert result.exit_code == 0
    assert result.stats["finish_reason"] == "enough"
    check_once(result, web, web.keys(3)[: 5 * 3])
    assert result.released == {"close": 5 * 3}


@pytest.mark.parametrize("reactor", REACTORS)
def test_interrupt_in_warmup_releases_what_is_held(
    begin: BeginFunction, server: MockServer, reactor: dict[str, Any]
) -> None:
    web = serve(server, sites=4, pages=20)
    source = wide(web, per_page=2, after_items="if self.seen == 25: os.kill(os.getpid(), signal.SIGINT)")
    settings = {**SETTINGS, **MEDIA, "BLOCKFILTER_PAGES": 10, "CONCURRENT_REQUESTS": 4, **reactor}
    result = begin(source, settings, template=None).finish()
    assert result.exit_code == 0
    assert result.stats["finish_reason"] == "shutdown"
    check_once(result, web)
    assert len(result.items) >= 2 * 25
    assert result.released["close"] > 0
    assert result.stats["file_count"] == len(result.items)


def test_stopped_crawl_goes_on_where_it_was(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, sites=3, pages=12)
    settings = {**SETTINGS, "BLOCKFILTER_PAGES": 10, "JOBDIR": "job", "BLOCKFILTER_WARMUP": "hold"}
    settings["CONCURRENT_REQUESTS"] = 3
    stop = "if self.settings.getbool('STOP') and self.seen == 13: os.kill(os.getpid(), signal.SIGINT)"
    source = chain(web, after_items=stop)
    # Known pages are asked for once, those of start_urls too.
    source = source.replace("start_urls", "urls").replace("    def parse", ASKED_ONCE + "    def parse")
    first = crawl(source, {**settings, "STOP": True})
    assert first.stats["finish_reason"] == "shutdown"
    check_once(first, web)
    assert first.released == {"close": first.stat("warmup/held")}
    assert first.stat("warmup/held") >= 12
    (first.folder / "items.jsonl").rename(first.folder / "first.jsonl")
    second = crawl(source, settings).check()
    check_once(second, web)
    both = feed_items(first.folder, "first.jsonl") + feed_items(second.folder)
    assert Counter(map(item_key, both)) == Counter(web.keys())
    assert second.released == {"learnt": second.stat("warmup/held")}
    assert (first.stat("sites/ready"), second.stat("sites/ready"), second.stat("sites/known")) == (0, 3, 0)
    assert first.stat("pages/learnt") + second.stat("pages/learnt") == 3 * 10


def test_replay_of_a_cached_crawl(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, sites=2, pages=6)
    settings = {**SETTINGS, "HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": "cache"}
    check_once(crawl(chain(web), settings).check(), web, web.keys())
    for folder, held in (("known", 0), ("anew", 6)):
        store = {"BLOCKFILTER_STORE": "anew.db"} if folder == "anew" else {}
        again = settings | store | {"FEEDS": {"items.jsonl": {"format": "jsonlines", "overwrite": True}}}
        result = crawl(chain(web), again).check()
        check_once(result, web, web.keys())
        assert result.stats["httpcache/hit"] == 12
        assert result.stat("warmup/held") == held


def test_errors_in_callbacks_and_pipelines_cost_only_what_they_cost_anyway(
    crawl: CrawlFunction, server: MockServer
) -> None:
    web = serve(server, pages=8)
    fails = "if number in (1, 6): yield response.follow(response.css('a.next')[0]); raise ValueError('callback')"
    source = chain(web, per_page=4, after_items=fails)
    settings = {**SETTINGS, "ITEM_PIPELINES": {**SETTINGS["ITEM_PIPELINES"], "tests.support.waiting_crawls.Picky": 400}}
    result = crawl(source, settings)
    assert result.exit_code == 0
    assert result.stats["finish_reason"] == "finished"
    expected = [key for key in web.keys(4) if key[-1] in "03"]
    exported = feed_items(result.folder)
    assert Counter(map(item_key, exported)) == Counter(expected)
    assert all(web.is_clean(item) for item in exported)
    assert result.stats["item_dropped_count"] == 8
    assert result.stats["log_count/ERROR"] == 8 + 2
    assert result.stats["spider_exceptions/ValueError"] == 2
    assert result.stat("items/cleaned") == 4 * 8
    assert sum(result.released.values()) == result.stat("warmup/held") == 4 * 3


MARK = """
class Mark:
    async def process_spider_output(self, response, result):
        async for output in result:
            yield output
"""


def test_spider_middlewares_that_held_items_pass_by_are_named(crawl: CrawlFunction, server: MockServer) -> None:
    ours = "scrapy_blockfilter.warmup.BlockFilterSpiderMiddleware"
    settings = {**SETTINGS, "SPIDER_MIDDLEWARES": {"crawl_spider.Mark": 5, ours: 10}}
    result = crawl(MARK + chain(serve(server, pages=6)), settings).check()
    (line,) = result.log_lines("scrapy_blockfilter.warmup.waiting_room", "WARNING")
    assert "Held items do not come to Mark" in line
    assert "Give it a lower order" in line


def test_callable_for_sites_that_fails_costs_no_item(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, pages=5)
    site_of = """
def site_of(url):
    if "/page/2" in url:
        raise RuntimeError("no idea")
    return "all"
"""
    result = crawl(site_of + chain(web, per_page=2), {**SETTINGS, "BLOCKFILTER_SITE": "crawl_spider.site_of"})
    exported = feed_items(result.folder)
    assert Counter(map(item_key, exported)) == Counter(web.keys(2))
    assert {item["url"][-1] for item in exported if not web.is_clean(item)} == {"2"}
    assert result.reasons() == {"error": 2}
    assert result.stats["finish_reason"] == "finished"
    assert result.stat("errors") == 3  # a page and its two items
    assert len(result.log_lines("scrapy_blockfilter.warmup.waiting_room", "WARNING")) == 1


def test_responses_and_signals_of_items_that_waited_are_their_own(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, sites=3, pages=5)
    extension = """
from scrapy import signals

class Check:
    @classmethod
    def from_crawler(cls, crawler):
        extension = cls()
        crawler.signals.connect(extension.item_scraped, signals.item_scraped)
        return extension

    def item_scraped(self, item, response, spider):
        assert response.url == response.request.url == item["url"]
        assert response.css("a").getall()
        assert response.meta["depth"] == 0
        item["checked"] = True
"""
    extensions = {"crawl_spider.Check": -1, "tests.support.crawls.Recorder": 0}
    result = crawl(extension + wide(web), {**SETTINGS, "EXTENSIONS": extensions}).check()
    assert [item["checked"] for item in result.items] == [True] * 15
    check_once(result, web, web.keys())


def test_items_of_data_and_excluded_responses_do_not_wait(crawl: CrawlFunction, server: MockServer) -> None:
    host = server.new_host()
    server.add(host, "/data.json", Reply('{"a": 1}', "application/json"))
    server.add(host, "/page", "<p>A page of its own</p>")
    source = f"""
import scrapy

class Data(scrapy.Spider):
    name = "data"

    async def start(self):
        yield scrapy.Request("http://{host}/data.json")
        yield scrapy.Request("http://{host}/page", meta={{"blockfilter": False}})

    def parse(self, response):
        yield {{"url": response.url, "html": response.text}}
        yield None
"""
    result = crawl(source).check()
    assert len(result.items) == 2
    assert result.stat("warmup/held") == 0
    assert result.reasons() == {"warmup": 1, "disabled": 1}

"""Spider middlewares of others: whatever they do with items and errors, none is lost, doubled or left as it was."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from scrapy_blockfilter.addon import SPIDER_MIDDLEWARE_ORDER
from tests.support.crawls import CrawlFunction
from tests.support.mockserver import MockServer
from tests.support.waiting_crawls import SETTINGS, Web, chain, check_once, item_key, serve

N = 4
PAGES = 7
# Beside the filter's own order, and of others: the filter must come after all of them.
ORDERS = (1, 5, SPIDER_MIDDLEWARE_ORDER - 1)

# Each yields for a page's items, numbered 0 and 1, the numbers below.
MIDDLEWARES = """
class Pass:
    async def process_spider_output(self, response, result):
        async for output in result:
            yield output

class Add:
    async def process_spider_output(self, response, result):
        async for output in result:
            yield output
            if isinstance(output, dict):
                yield {**output, "n": output["n"] + 2}

class Drop:
    async def process_spider_output(self, response, result):
        async for output in result:
            if not isinstance(output, dict) or output["n"]:
                yield output

class Replace:
    async def process_spider_output(self, response, result):
        async for output in result:
            yield {**output, "n": output["n"] + 4} if isinstance(output, dict) else output

class Swallow(Pass):
    def process_spider_exception(self, response, exception):
        return [{"url": response.url, "n": 9, "html": response.text}, *response.follow_all(css="a.next")]
"""
NUMBERS = {"Pass": [0, 1], "Add": [0, 1, 2, 3], "Drop": [1], "Replace": [4, 5], "Swallow": [0, 1, 9]}
# Together, the first nearest to the spider: 0 and 1 become 0 to 3, 0 is dropped, 9 comes after, and all get 4 more.
TOGETHER = ["Pass", "Add", "Drop", "Swallow", "Replace"]
NUMBERS_TOGETHER = [5, 6, 7, 13]


def keys(web: Web, numbers: list[int]) -> list[str]:
    return [f"{url} {number}" for url in web.urls for number in numbers]


def check_both(crawl: CrawlFunction, server: MockServer, middlewares: dict[str, float], numbers: list[int]) -> None:
    """Crawl a site that is learnt meanwhile, and again when it is known."""
    web = serve(server, pages=PAGES, paragraphs=2)
    fails = "raise ValueError('callback')" if "Swallow" in middlewares else "pass"
    source = MIDDLEWARES + chain(web, per_page=2, after_items=fails)
    settings: dict[str, Any] = {
        **SETTINGS,
        "BLOCKFILTER_PAGES": N,
        "SPIDER_MIDDLEWARES": {f"crawl_spider.{name}": order for name, order in middlewares.items()},
    }
    expected = keys(web, numbers)
    learning = crawl(source, settings).check()
    check_once(learning, web, expected)
    assert learning.stat("warmup/held") == (N - 1) * len(numbers)
    assert learning.reasons("warmup/released") == {"learnt": learning.stat("warmup/held")}
    assert learning.stat("items/cleaned") == len(expected)
    assert not learning.log_lines("scrapy_blockfilter.warmup.waiting_room", "WARNING")

    (learning.folder / "items.jsonl").unlink()
    known = crawl(source, settings).check()
    check_once(known, web, expected)
    assert known.stat("warmup/held") == 0
    assert known.stat("items/cleaned") == len(expected)


@pytest.mark.parametrize("does", NUMBERS)
def test_items_of_a_middleware_come_out_once_and_clean(crawl: CrawlFunction, server: MockServer, does: str) -> None:
    check_both(crawl, server, {does: 5}, NUMBERS[does])


@pytest.mark.parametrize("order", ORDERS)
def test_the_filter_comes_after_middlewares_of_any_order(crawl: CrawlFunction, server: MockServer, order: int) -> None:
    # Numbers fall toward the engine. Those that share an order with the filter's are on both sides of it.
    middlewares = {name: order + (2 - place) / 10 for place, name in enumerate(TOGETHER)}
    check_both(crawl, server, middlewares, NUMBERS_TOGETHER)


def test_refused_input_reaches_the_errback_and_costs_nothing_else(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, pages=PAGES, paragraphs=2)
    refuse = """
class Refuse:
    def process_spider_input(self, response):
        if response.url.endswith("/2"):
            raise ValueError("refused")
"""
    source = f"""{refuse}
import scrapy

class Wide(scrapy.Spider):
    name = "wide"

    async def start(self):
        for url in {web.urls!r}:
            yield scrapy.Request(url, errback=self.failed)

    def parse(self, response):
        yield {{"url": response.url, "n": 0, "html": response.text}}

    def failed(self, failure):
        yield {{"url": {web.urls[2]!r}, "n": 1, "html": ""}}
"""
    settings = {**SETTINGS, "BLOCKFILTER_PAGES": N, "SPIDER_MIDDLEWARES": {"crawl_spider.Refuse": 5}}
    result = crawl(source, settings).check()
    expected = [f"{url} {int(url == web.urls[2])}" for url in web.urls]
    assert Counter(map(item_key, result.items)) == Counter(expected)
    assert [item["url"] for item in result.items if not (item["n"] or web.is_clean(item))] == []

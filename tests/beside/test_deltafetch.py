"""scrapy-deltafetch beside the filter: pages whose items wait are neither forgotten nor asked for again."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.support.crawls import CrawlFunction
from tests.support.mockserver import MockServer
from tests.support.waiting_crawls import SETTINGS, Web, item_key, serve

pytest.importorskip("scrapy_deltafetch", reason="scrapy-deltafetch is not installed (the dependency group beside)")

N = 4
# As in docs/recipes.md: Scrapy 2.16 and newer refuse the middleware as it is.
MIDDLEWARE = """
from scrapy_deltafetch import DeltaFetch

class AsyncDeltaFetch(DeltaFetch):
    async def process_spider_output(self, response, result):
        async for output in result:
            for new in super().process_spider_output(response, [output], spider=None):
                yield new
"""


def indexed(server: MockServer, web: Web, pages: int) -> str:
    """Serve a page that links to the first pages of a site, and return the source of a spider that begins with it."""
    (host,) = web.sites
    links = "".join(f'<a class="page" href="{url}">{number}</a>' for number, url in enumerate(web.urls[:pages]))
    index = server.add(host, "/", f"<!DOCTYPE html><title>All pages</title><p>All pages</p>{links}")
    return f"""{MIDDLEWARE}
import scrapy

class Indexed(scrapy.Spider):
    name = "indexed"
    start_urls = [{index!r}]

    def parse(self, response):
        yield from response.follow_all(css="a.page", callback=self.parse_page)

    def parse_page(self, response):
        yield {{"url": response.url, "n": 0, "html": response.text}}
"""


def settings(**more: Any) -> dict[str, Any]:
    return {
        **SETTINGS,
        "BLOCKFILTER_PAGES": N,
        "CONCURRENT_REQUESTS": 1,
        "DELTAFETCH_ENABLED": True,
        "DELTAFETCH_DIR": "deltafetch",
        "SPIDER_MIDDLEWARES": {"crawl_spider.AsyncDeltaFetch": 100},
        **more,
    }


def check_items(web: Web, items: list[dict[str, Any]], urls: list[str]) -> None:
    assert Counter(map(item_key, items)) == Counter(f"{url} 0" for url in urls)
    assert [item["url"] for item in items if not web.is_clean(item)] == []


def test_each_crawl_gives_what_is_new_and_cleans_it_by_what_all_have_learnt(
    crawl: CrawlFunction, server: MockServer
) -> None:
    web = serve(server, pages=8)
    (host,) = web.sites
    # With the index the first crawl sees three pages of a site, and so holds its items until its end.
    first = crawl(indexed(server, web, 2), settings()).check()
    check_items(web, first.items, web.urls[:2])
    assert first.reasons("warmup/released") == {"idle": 2}
    assert first.stats["deltafetch/stored"] == 2

    second = crawl(indexed(server, web, 6), settings()).check()
    check_items(web, second.items, web.urls[2:6])
    assert second.stats["deltafetch/skipped"] == 2
    assert second.stat("sites/ready") == 1

    third = crawl(indexed(server, web, 8), settings()).check()
    check_items(web, third.items, web.urls[6:])
    assert third.stats["deltafetch/skipped"] == 6
    assert third.stat("warmup/held") == 0

    last = crawl(indexed(server, web, 8), settings()).check()
    assert last.items == []
    assert Counter(server.requests_to(host)) == {"/": 4} | {page.url_path: 1 for page in web.sites[host].pages}

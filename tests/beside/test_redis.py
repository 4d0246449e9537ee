"""scrapy-redis beside the filter: two processes with one queue learn each site together."""

from __future__ import annotations

import time
from collections import Counter

import pytest

from tests.support.crawls import BeginFunction
from tests.support.mockserver import MockServer
from tests.support.redis_server import RedisServer, needs_redis
from tests.support.waiting_crawls import SETTINGS, item_key, serve

pytest.importorskip("scrapy_redis", reason="scrapy-redis is not installed (the dependency group beside)")
pytestmark = needs_redis

N = 6
PAGES = 20
SPIDER = """
from scrapy_redis.spiders import RedisSpider

class Shared(RedisSpider):
    name = "shared"
    redis_key = "shared:urls"
    max_idle_time = 6

    def setup_redis(self, crawler=None):
        super().setup_redis(crawler)
        self.server.incr("begun")

    def parse(self, response):
        yield {"url": response.url, "n": 0, "html": response.text}
"""


def test_two_processes_with_one_queue_clean_all_pages_and_share_what_they_learn(
    begin: BeginFunction, server: MockServer
) -> None:
    import redis

    web = serve(server, sites=2, pages=PAGES)
    with RedisServer() as shared:
        settings = {
            **SETTINGS,
            "BLOCKFILTER_PAGES": N,
            "BLOCKFILTER_STORE": shared.url,
            "CONCURRENT_REQUESTS": 1,
            "DOWNLOAD_DELAY": 0.05,
            "DUPEFILTER_CLASS": "scrapy_redis.dupefilter.RFPDupeFilter",
            "REDIS_START_URLS_BATCH_SIZE": 1,
            "REDIS_URL": shared.url,
            "SCHEDULER": "scrapy_redis.scheduler.Scheduler",
        }
        client = redis.Redis(port=shared.port)
        crawls = [begin(SPIDER, settings, folder=name) for name in ("one", "other")]
        # One that begins before the other would take all pages.
        end = time.monotonic() + 300
        while int(client.get("begun") or 0) < len(crawls) and time.monotonic() < end:
            time.sleep(0.02)
        client.lpush("shared:urls", *web.urls)
        results = [crawl.finish().check() for crawl in crawls]
        client.close()
    items = [item for result in results for item in result.items]
    assert Counter(map(item_key, items)) == Counter(web.keys())
    assert all(map(web.is_clean, items))
    assert all(len(result.items) > N for result in results)
    assert [result.stat("sites/ready") for result in results] == [2, 2]
    # Each page was learnt from by one of them.
    assert sum(result.stat("pages/learnt") for result in results) == 2 * PAGES

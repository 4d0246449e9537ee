"""Whole crawls with a Redis server: what one has learnt the next knows, and no item is lost when the server fails."""

from __future__ import annotations

from pathlib import Path

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.store import StoreError
from stress.redis_crawls import disturb
from tests.support.crawls import CrawlFunction
from tests.support.mockserver import MockServer
from tests.support.redis_server import RedisServer, needs_redis
from tests.support.waiting_crawls import SETTINGS, feed_items, item_key, serve, wide

N = 4

pytestmark = needs_redis


@pytest.mark.parametrize("fault", ["killed and back", "hung and back", "full", "locked and back"])
def test_no_item_is_lost_while_the_server_fails(fault: str, server: MockServer, tmp_path: Path) -> None:
    disturbed, missing = disturb(fault, server, tmp_path)
    assert disturbed.items_in > 0
    assert disturbed.is_good
    assert missing == 0


def test_next_crawl_knows_what_the_last_one_has_learnt(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, pages=8)
    with RedisServer() as redis:
        settings = {**SETTINGS, "BLOCKFILTER_PAGES": N, "BLOCKFILTER_STORE": redis.url, "CONCURRENT_REQUESTS": 1}
        first = crawl(wide(web), settings, folder="first").check()
        second = crawl(wide(web), settings, folder="second").check()
        model = bf.model_of(web.urls[0], redis.url, bf.Options(pages=N))
        with pytest.raises(LookupError, match=r"nothing is learnt of 'other\.example' in redis://"):
            bf.model_of("http://other.example/", redis.url)
    assert model.pages >= N
    with pytest.raises(StoreError, match="does not answer"):
        bf.model_of(web.urls[0], redis.url)
    assert first.stat("warmup/held") > 0
    assert second.stat("sites/known") == 1
    assert second.stat("warmup/held") == 0
    assert not first.store.exists()
    for result in (first, second):
        items = feed_items(result.folder)
        assert sorted(map(item_key, items)) == sorted(web.keys())
        assert all(map(web.is_clean, items))


def test_server_that_is_down_all_the_time_costs_one_error_line(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, pages=8)
    redis = RedisServer()
    result = crawl(wide(web), {**SETTINGS, "BLOCKFILTER_PAGES": N, "BLOCKFILTER_STORE": redis.url})
    items = feed_items(result.folder)
    assert sorted(map(item_key, items)) == sorted(web.keys())
    assert all(map(web.is_clean, items))
    (line,) = result.log_lines(level="ERROR")
    assert "does not answer" in line
    assert result.stat("store/errors") > 1

"""Crawls that share a SQLite file with other processes."""

from __future__ import annotations

import time
from contextlib import closing

from scrapy_blockfilter.store import SqliteStore
from tests.support.crawls import BeginFunction
from tests.support.mockserver import MockServer
from tests.support.pages import sampled
from tests.support.waiting_crawls import EXPORTED, SETTINGS, feed_items, serve

N = 6


def test_items_of_a_crawl_that_gets_no_more_pages_come_out_when_others_have_learnt_their_site(
    begin: BeginFunction, server: MockServer
) -> None:
    web = serve(server, pages=N)
    (host,) = web.sites
    spider = f"""
import asyncio
from pathlib import Path
import scrapy

class Waiting(scrapy.Spider):
    name = "waiting"

    async def start(self):
        yield scrapy.Request({web.urls[0]!r})
        for _ in range(3_000):
            if Path({EXPORTED!r}).exists() and Path({EXPORTED!r}).read_text():
                break
            await asyncio.sleep(0.1)

    def parse(self, response):
        yield {{"url": response.url, "n": 0, "html": response.text}}
        Path("waits").touch()
"""
    pipelines = {**SETTINGS["ITEM_PIPELINES"], "tests.support.waiting_crawls.NoteAtOnce": 950}
    asyncio = {"TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor"}
    running = begin(spider, {**SETTINGS, **asyncio, "BLOCKFILTER_PAGES": N, "ITEM_PIPELINES": pipelines})
    folder = running._folder
    ends = time.monotonic() + 300
    while not (folder / "waits").exists() and time.monotonic() < ends:
        time.sleep(0.05)
    sample = sampled((page.html for page in web.sites[host].pages), limit=4 * N)
    with closing(SqliteStore(folder / ".scrapy" / "blockfilter" / "templates.db")) as store:
        store.save(host, sample)
    result = running.finish().check()
    assert result.released == {"learnt": 1}
    assert all(map(web.is_clean, feed_items(folder, EXPORTED)))

"""A store that release 0.1.0 wrote, in the next crawl: ``stores/make_0_1_0.py`` makes it."""

from __future__ import annotations

import gzip
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from scrapy_blockfilter.store.schema import SCHEMA_VERSION
from tests.store.stores.make_0_1_0 import CORRECTIONS, JOB, STORE
from tests.store.stores.pages import PAGES
from tests.support.crawls import Crawl, start_crawl
from tests.support.forked import Template

pytestmark = pytest.mark.crawl

CrawlFunction = Callable[[], Crawl]

SPIDER = """
import scrapy
from scrapy.http import HtmlResponse
from tests.store.stores.pages import PAGES


class Made:
    lazy = False

    async def download_request(self, request):
        body = PAGES[request.url].encode()
        return HtmlResponse(request.url, body=body, encoding="utf-8", headers={"Content-Type": "text/html"})

    async def close(self):
        pass


class Papers(scrapy.Spider):
    name = "papers"
    custom_settings = {"DOWNLOAD_HANDLERS": {"http": Made}, "JOBDIR": "job"}

    async def start(self):
        for url in PAGES:
            yield scrapy.Request(url)

    def parse(self, response):
        yield {"url": response.url, "html": response.text}
"""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / ".scrapy" / "blockfilter" / "templates.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(gzip.decompress(STORE.read_bytes()))
    with closing(sqlite3.connect(path)) as connection, connection:
        moved = connection.execute(
            "UPDATE spooled_pages SET job = ? WHERE job = ?", (f"papers\n{tmp_path / 'job'}", JOB)
        )
        assert moved.rowcount == 3
    return path


@pytest.fixture
def crawl(tmp_path: Path, template: Template | None) -> CrawlFunction:
    """Crawl in the test's folder, without a web."""
    return lambda: start_crawl(tmp_path, SPIDER, proxy="http://127.0.0.1:9", template=template).finish().check()


def test_crawl_goes_on_with_held_items_and_corrections_and_learns_sites_anew(crawl: CrawlFunction, store: Path) -> None:
    result = crawl()
    assert Counter(item["url"] for item in result.items) == Counter(list(PAGES))
    assert result.stat("warmup/restored") == 0  # their pages came again
    told = [line for line in result.log_lines() if "older release" in line]
    assert len(told) == 1
    assert "sites to learn anew: 1. Corrections and held items are kept" in told[0]
    for item in result.items:
        if "learnt.example" in item["url"]:
            assert "Offer" not in item["html"]
            assert "Sport" in item["html"]
            assert "Copyright" not in item["html"]
    assert "learn anew" not in crawl().log
    with closing(sqlite3.connect(store)) as connection:
        kept = connection.execute("SELECT action, site, selector FROM corrections ORDER BY id").fetchall()
        assert connection.execute("SELECT count(*) FROM spooled_pages").fetchone() == (0,)
    assert kept == CORRECTIONS


def test_release_0_1_0_takes_stores_of_this_one_for_newer(crawl: CrawlFunction, store: Path) -> None:
    """It refuses a file whose version is above its own, which is that of the store it made."""
    versions = []
    for _ in range(2):
        with closing(sqlite3.connect(store)) as connection:
            versions.append(connection.execute("PRAGMA user_version").fetchone()[0])
        crawl()
    assert versions[0] < versions[1] == SCHEMA_VERSION

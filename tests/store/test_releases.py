"""Stores and corrections of earlier releases in the next crawl: ``stores/make_releases.py`` made them."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from scrapy_blockfilter.store import SqliteStore
from scrapy_blockfilter.store.opening import SCHEMA_VERSION
from tests.store.stores.make_releases import CORRECTIONS, ITEMS, JOB, RELEASES, Release
from tests.store.stores.pages import PAGES, waiting_urls
from tests.support.command_line import Commands
from tests.support.crawls import Crawl, start_crawl
from tests.support.forked import Template
from tests.support.mockserver import MockServer
from tests.support.sqlite_files import run_sql

pytestmark = pytest.mark.crawl

SPIDER = """
import scrapy
from papers import Paper


class Papers(scrapy.Spider):
    name = "papers"
    custom_settings = {{"JOBDIR": "job"}}
    start_urls = {urls!r}

    def parse(self, response):
        yield Paper(url=response.url, html=response.text)
"""

# Crawls pages with these addresses.
CrawlFunction = Callable[[list[str]], Crawl]


@pytest.fixture(params=RELEASES, ids=lambda release: release.version)
def release(request: pytest.FixtureRequest) -> Release:
    made: Release = request.param
    return made


@pytest.fixture
def store(tmp_path: Path, release: Release) -> Path:
    path = tmp_path / ".scrapy" / "blockfilter" / "templates.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(gzip.decompress(release.store.read_bytes()))
    job = f"papers\n{tmp_path / 'job'}"
    assert len(run_sql(path, "UPDATE spooled_pages SET job = ? WHERE job = ? RETURNING id", job, JOB)) == 3
    return path


@pytest.fixture
def crawl(tmp_path: Path, server: MockServer, template: Template | None) -> CrawlFunction:
    for url, page in PAGES.items():
        server.add(urlsplit(url).netloc, urlsplit(url).path, page)
    (tmp_path / "papers.py").write_text(ITEMS, encoding="ascii")

    def crawl(urls: list[str]) -> Crawl:
        spider = SPIDER.format(urls=urls)
        return start_crawl(tmp_path, spider, proxy=server.url, template=template).finish().check()

    return crawl


def check_clean(result: Crawl) -> None:
    """Check that items of the learnt site are clean, as the corrections have it."""
    for item in result.items:
        if "learnt.example" in item["url"]:
            assert "nobody else tells it" in item["html"]
            assert "Offer" not in item["html"]
            assert "Sport" in item["html"]
            assert "Copyright" not in item["html"]


def check_told(result: Crawl) -> None:
    """Check that a crawl knows the site of the store, or tells once that sites are learnt anew."""
    told = [line for line in result.log_lines() if "release before 0.3" in line]
    assert len(told) == int(not result.stat("sites/known"))
    assert all(f"with its corrections ({len(CORRECTIONS)}); sites are learnt anew" in line for line in told)


@pytest.mark.usefixtures("store")
def test_crawl_goes_on_with_each_item_once_clean_and_tells_once_what_is_learnt_anew(crawl: CrawlFunction) -> None:
    result = crawl(list(PAGES))
    assert Counter(item["url"] for item in result.items) == Counter(list(PAGES))
    check_clean(result)
    check_told(result)
    assert "release before" not in crawl([]).log


def test_each_start_says_which_items_release_0_3_has_left(crawl: CrawlFunction, store: Path, release: Release) -> None:
    if release.version < "0.3.0":
        pytest.skip("a store of an earlier release is set aside with its items")
    for _ in range(2):
        (told,) = crawl([]).log_lines("scrapy_blockfilter.crawl.stores", "WARNING")
        assert f"templates.db has 3 items that a crawl of 'papers' with JOBDIR '{store.parents[2] / 'job'}'" in told
        assert "run that crawl once more with release 0.3" in told
    assert run_sql(store, "SELECT count(*) FROM spooled_items") == [3]


def test_commands_take_the_store_with_its_corrections(tmp_path: Path, store: Path, release: Release) -> None:
    commands = Commands(tmp_path)
    here = ("--store", str(store))
    if release.version < "0.3.0":
        assert "A crawl sets it aside" in commands.run("sites", *here).error
        SqliteStore(store).close()
    assert commands.run("sites", *here).code == 0
    shown = commands.run("show", CORRECTIONS[0][1], "--json", *here)
    assert shown.code == 0
    corrections = [(made["action"], CORRECTIONS[0][1], made["selector"]) for made in shown.json["corrections"]]
    assert corrections == CORRECTIONS
    assert commands.run("check", *here).code == 0
    if find_spec("scrapy_blockfilter.extras"):  # which the core's tests run without
        assert commands.run("merge", str(store), "-o", str(tmp_path / "all.db")).code == 0


def test_the_release_takes_stores_of_this_one_for_newer_if_their_form_is(crawl: CrawlFunction, store: Path) -> None:
    """It refuses a file whose version is above its own, which is that of the store it made."""
    versions = []
    for _ in range(2):
        versions += run_sql(store, "PRAGMA user_version")
        crawl(waiting_urls())
    assert versions[0] <= versions[1] == SCHEMA_VERSION

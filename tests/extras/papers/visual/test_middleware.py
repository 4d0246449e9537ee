"""The middleware that has pages of scrapy-playwright write their boxes, without a browser."""

from __future__ import annotations

import asyncio
import pickle
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import pytest
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.settings import Settings

from scrapy_blockfilter import Addon
from scrapy_blockfilter.extras.papers.visual import HEIGHT, SCRIPT, WIDTH
from scrapy_blockfilter.extras.papers.visual.middleware import BlockFilterVisualMiddleware, annotate
from tests.support.made_crawler import StubCrawler


class PageMethod:
    """Stands for that of scrapy-playwright."""

    def __init__(self, method: Any, *args: Any) -> None:
        self.method, self.args = method, args


@pytest.fixture
def playwright(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has scrapy-playwright installed, or what the middleware needs of it."""
    package, page = ModuleType("scrapy_playwright"), ModuleType("scrapy_playwright.page")
    package.__spec__ = find_spec("json")
    cast("Any", page).PageMethod = PageMethod
    monkeypatch.setitem(sys.modules, "scrapy_playwright", package)
    monkeypatch.setitem(sys.modules, "scrapy_playwright.page", page)


def made(**settings: Any) -> BlockFilterVisualMiddleware:
    return BlockFilterVisualMiddleware.from_crawler(cast("Crawler", StubCrawler(Settings(settings))))


def methods(middleware: BlockFilterVisualMiddleware, **meta: Any) -> Any:
    request = Request("http://a.example/", meta=meta)
    middleware.process_request(request)
    return request.meta.get("playwright_page_methods")


@pytest.mark.usefixtures("playwright")
def test_requests_for_a_browser_get_the_script_behind_their_own_methods() -> None:
    middleware, own = made(), PageMethod("click", "#more")
    assert [method.method for method in methods(middleware, playwright=True)] == [annotate]
    assert [method.method for method in methods(middleware, playwright=True, playwright_page_methods=[own])] == [
        "click",
        annotate,
    ]
    named = methods(middleware, playwright=True, playwright_page_methods={"more": own})
    assert [(name, method.method) for name, method in named.items()] == [
        ("more", "click"),
        ("blockfilter_visual", annotate),
    ]


@pytest.mark.usefixtures("playwright")
@pytest.mark.parametrize("meta", [{}, {"playwright": False}, {"playwright": True, "blockfilter": False}])
def test_other_requests_stay_as_they_are(meta: dict[str, Any]) -> None:
    assert methods(made(), **meta) is None


@pytest.mark.usefixtures("playwright")
@pytest.mark.parametrize("own", [[], {}])
def test_a_request_made_from_the_meta_of_another_runs_the_script_once(own: Any) -> None:
    middleware = made()
    request = Request("http://a.example/", meta={"playwright": True, "playwright_page_methods": own})
    middleware.process_request(request)
    again = Request("http://a.example/next", meta=request.meta)
    middleware.process_request(again)
    assert len(again.meta["playwright_page_methods"]) == 1
    assert pickle.loads(pickle.dumps(annotate)) is annotate  # of requests in a JOBDIR


def test_it_says_that_scrapy_playwright_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_blockfilter.extras.papers.visual.middleware.find_spec", lambda name: None)
    with pytest.raises(NotConfigured, match="pip install scrapy-playwright"):
        made()
    with pytest.raises(NotConfigured, match=r"\A\Z"):
        made(BLOCKFILTER_ENABLED=False)


@pytest.mark.parametrize(("segmenter", "is_added"), [("vips", True), ("combined", True), ("dom", False)])
def test_the_addon_enables_it_for_segmenters_that_look_at_boxes(segmenter: str, is_added: bool) -> None:
    settings = Settings({"BLOCKFILTER_SEGMENTER": segmenter})
    Addon().update_settings(settings)
    assert (BlockFilterVisualMiddleware in settings.getdict("DOWNLOADER_MIDDLEWARES")) is is_added


class StubPage:
    def __init__(self, size: dict[str, int], failing: bool) -> None:
        self.viewport_size, self.failing, self.url = size, failing, "http://a.example/"
        self.run: list[str] = []

    async def set_viewport_size(self, size: dict[str, int]) -> None:
        self.viewport_size = size

    async def evaluate(self, script: str) -> int:
        if self.failing:
            raise RuntimeError("the page has closed")
        self.run.append(script)
        return 3


def test_pages_have_one_width_and_what_fails_costs_no_page() -> None:
    page = StubPage({"width": 800, "height": 600}, failing=False)
    assert asyncio.run(annotate(page)) == 3
    assert (page.viewport_size, page.run) == ({"width": WIDTH, "height": HEIGHT}, [SCRIPT])
    assert asyncio.run(annotate(StubPage({"width": 1, "height": 1}, failing=True))) == "the page has closed"


def test_the_script_needs_no_engine() -> None:
    code = (
        "import sys; from scrapy_blockfilter.extras.papers.visual import SCRIPT\n"
        "print('scrapy' in sys.modules, len(SCRIPT) > 999)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parents[1])
    assert done.stdout.split() == ["False", "True"], done.stderr


def test_a_crawl_without_scrapy_playwright_goes_on(crawl: Any, server: Any) -> None:
    if find_spec("scrapy_playwright"):
        pytest.skip("scrapy-playwright is installed")
    from tests.crawls.test_crawl import first_url
    from tests.support.crawls import chain_spider
    from tests.support.made_sites import make_site

    site = make_site(pages=6)
    host = server.add_site(site)
    result = crawl(chain_spider(first_url(host)), {"BLOCKFILTER_SEGMENTER": "vips"})
    assert "scrapy-playwright is not installed" in result.log
    # Of the four pages that are learnt. Each item counts.
    assert result.stat("pages/without_boxes") == 4
    assert result.stat("items/without_boxes") == 6
    assert result.stat("items/cleaned") == 6

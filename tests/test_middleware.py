"""The downloader middleware: which responses it learns from, and which failures do no harm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scrapy import signals
from scrapy.http.request import NO_CALLBACK
from scrapy.settings import Settings

from scrapy_blockfilter.crawl.session import teaches
from scrapy_blockfilter.crawl.stores import in_project
from scrapy_blockfilter.middleware import BlockFilterDownloaderMiddleware
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.pipeline import BlockFilterPipeline
from scrapy_blockfilter.warmup import BlockFilterSpiderMiddleware
from tests.support.made_crawler import Filter, MakeFilter, StubCrawler
from tests.support.made_sites import make_site

SITE = make_site(pages=6)
URL = "http://news.example/page/0"
HTML = SITE.pages[0].html


@pytest.fixture
def filtering(make_filter: MakeFilter) -> Filter:
    return make_filter()


@pytest.mark.parametrize(
    "options",
    [
        *({"status": status} for status in (404, 500, 206)),
        {"callback": NO_CALLBACK},
        {"meta": {"blockfilter": False}},
        {"flags": ["download_stopped"]},
        {"flags": ["cached", "dataloss"]},
    ],
    ids=lambda options: next(iter(options)) if "callback" in options else str(options),
)
def test_response_that_is_no_whole_page_for_a_callback_does_not_teach(
    filtering: Filter, options: dict[str, Any]
) -> None:
    response = filtering.get(URL, HTML, **options)
    assert not teaches(response.request, response)
    assert filtering.stats == {}


@pytest.mark.parametrize("meta", [{}, {"blockfilter": True}, {"blockfilter": None}, {"other": False}], ids=str)
@pytest.mark.parametrize("wrong", [{}, {"blockfilter": "no"}, {"blockfilter": 0}], ids=str)
def test_other_meta_excludes_nothing_and_a_wrong_value_is_told(
    filtering: Filter, meta: dict[str, Any], wrong: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    filtering.get(URL, HTML, meta=meta | wrong, flags=["cached"])
    assert filtering.stats == {"blockfilter/pages/learnt": 1}
    assert ["which has no effect" in message for message in caplog.messages] == [True] * len(wrong)


def test_page_without_a_site_is_passed_over(filtering: Filter) -> None:
    filtering.get("data:text/html,<p>a", HTML)
    assert filtering.stats == {}


def test_page_outside_the_limits_is_counted_by_reason_and_told_once(
    filtering: Filter, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(3):
        filtering.get(f"http://news.example/{number}", b" ")
    filtering.get("http://news.example/deep", "<i>" * 3000 + "a")
    assert filtering.stats == {"blockfilter/pages/skipped/empty": 3, "blockfilter/pages/skipped/too_deep": 1}
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]
    assert caplog.messages[0].startswith("Nothing is learnt from http://news.example/0: the page is empty.")
    assert caplog.messages[1].startswith("Nothing is learnt from http://news.example/deep: elements are nested")


def test_unexpected_error_costs_no_page_and_is_logged_once(
    make_filter: MakeFilter, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(url: str) -> str:
        raise ZeroDivisionError("of the user")

    filtering = make_filter(site=broken)
    for number in range(3):
        filtering.get(f"http://news.example/{number}", HTML)
    assert filtering.stats == {"blockfilter/errors": 3}
    assert len(caplog.records) == 1
    assert "ZeroDivisionError" in caplog.text


def test_unknown_settings_are_warned_about(make_filter: MakeFilter, caplog: pytest.LogCaptureFixture) -> None:
    make_filter(metod="entropy", something="else")
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]
    assert caplog.messages[0] == "BLOCKFILTER_METOD is not a setting; did you mean BLOCKFILTER_METHOD?"
    assert caplog.messages[1].startswith("BLOCKFILTER_SOMETHING is not a setting")


def test_component_that_is_missing_beside_others_is_warned_about(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for enabled in ([BlockFilterDownloaderMiddleware, BlockFilterPipeline], [BlockFilterSpiderMiddleware]):
        crawler: Any = StubCrawler(Settings({"BLOCKFILTER_STORE": str(tmp_path / "templates.db")}))
        for component in enabled:
            component(crawler)
        crawler.signals.send_catch_log(signals.spider_opened)
    told = {message.partition(" lacks ")[0] for message in caplog.messages}
    assert told == {"SPIDER_MIDDLEWARES", "DOWNLOADER_MIDDLEWARES", "ITEM_PIPELINES"}


def test_store_lies_in_the_folder_of_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "spiders").mkdir()
    monkeypatch.chdir(tmp_path / "spiders")
    options = Options(store="kept/templates.db")
    assert (
        tmp_path / "spiders" / in_project(options.store)
    ).resolve() == tmp_path / "spiders" / "kept" / "templates.db"
    (tmp_path / "scrapy.cfg").touch()
    assert Path(in_project(options.store)) == tmp_path / "kept" / "templates.db"
    absolute = str(tmp_path / "elsewhere.db")
    assert in_project(absolute) == absolute

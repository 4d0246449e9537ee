"""Crawls with a JOBDIR hold nothing that a kill could lose, unless they are told to; so do crawls that hold none."""

from __future__ import annotations

import signal
from collections import Counter
from typing import Any

import pytest

from tests.support.crawls import CrawlFunction
from tests.support.mockserver import MockServer
from tests.support.waiting_crawls import EXPORTED, SETTINGS, chain, feed_items, item_key, serve

PIPELINES = {"ITEM_PIPELINES": {"tests.support.waiting_crawls.NoteAtOnce": 950}}
# The item of the page before has come out by then: the link to each page is followed after its item.
KILL = "if self.settings.getbool('KILL') and self.seen == 5: os.kill(os.getpid(), signal.SIGKILL)"
JOB = {"JOBDIR": "job"}


@pytest.mark.parametrize(
    ("settings", "waits"),
    [
        (JOB, False),
        ({"BLOCKFILTER_WARMUP": "once"}, False),
        ({**JOB, "BLOCKFILTER_WARMUP": "hold"}, True),
        ({**JOB, "BLOCKFILTER_METHOD": "chunk_frequency"}, True),
        ({**JOB, "BLOCKFILTER_STRIP": "template"}, True),
        ({**JOB, "BLOCKFILTER_METHOD": "chunk_frequency", "BLOCKFILTER_WARMUP": "once"}, False),
    ],
    ids=str,
)
def test_items_wait_in_a_job_if_a_setting_or_the_method_asks_for_it(
    crawl: CrawlFunction, server: MockServer, settings: dict[str, Any], waits: bool
) -> None:
    web = serve(server, pages=6)
    result = crawl(chain(web), {**SETTINGS, **settings}).check()
    assert Counter(map(item_key, feed_items(result.folder))) == Counter(web.keys())
    assert result.stat("warmup/held") == (3 if waits else 0)
    assert result.stat("items/provisional") == (0 if waits else 3)
    asked_for = "BLOCKFILTER_WARMUP" in settings
    told = result.log_lines("scrapy_blockfilter.warmup.waiting_room", "INFO")
    assert len(told) == int(waits and not asked_for)
    assert all("A kill loses items that wait" in line for line in told)


@pytest.mark.parametrize("warmup", [None, "hold"], ids=str)
def test_a_kill_loses_what_waits_and_nothing_else(crawl: CrawlFunction, server: MockServer, warmup: str | None) -> None:
    web = serve(server, pages=9)
    settings = {**SETTINGS, **PIPELINES, **JOB, "BLOCKFILTER_PAGES": 20, "BLOCKFILTER_WARMUP": warmup}
    killed = crawl(chain(web, after_items=KILL), {**settings, "KILL": True})
    assert killed.exit_code == -signal.SIGKILL
    before = feed_items(killed.folder, EXPORTED)
    assert len(before) >= 4 if warmup is None else before == []


def test_items_cleaned_at_once_are_judged_by_the_pages_so_far(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, pages=8)
    result = crawl(chain(web), {**SETTINGS, "BLOCKFILTER_PAGES": 6, "BLOCKFILTER_WARMUP": "once"}).check()
    items = feed_items(result.folder)
    assert [item["url"] for item in items] == web.urls  # in their order, as nothing waits
    assert [web.is_clean(item) for item in items[3:]] == [True] * 5
    assert result.stat("items/cleaned") == 8

"""Corrections of a store that anyone may write to, and when a crawl looks for new ones."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from scrapy_blockfilter.crawl import Sites
from scrapy_blockfilter.crawl.soft_store import LOOK_EVERY
from scrapy_blockfilter.options import Corrections, Options
from scrapy_blockfilter.store import MemoryStore
from tests.support.made_crawler import CountingStats, teach
from tests.support.pages import segmented

PAGES = [f"<h1>Title {number}</h1><p>Some text of page {number}.</p><p class=a>Advert</p>" for number in range(4)]
SITE = "news.example"


class Corrected(MemoryStore):
    """Has corrections, and notes when it is asked for them."""

    def __init__(self, made: Mapping[str, Corrections], now: list[float]) -> None:
        super().__init__()
        self.made = made
        self.looks: list[float] = []
        self._now = now

    def corrections(self) -> Mapping[str, Corrections]:
        self.looks.append(self._now[0])
        return self.made


def learnt(store: MemoryStore, now: list[float]) -> Sites:
    sites = Sites(Options(pages=4), store, CountingStats(), clock=lambda: now[0])
    teach(sites, map(segmented, PAGES))
    return sites


def test_corrections_of_a_shared_store_that_are_slow_are_left_out(caplog: pytest.LogCaptureFixture) -> None:
    store = Corrected({SITE: Corrections(drop=("//*[count(//*[//b])>5]", "h1", "h1 >"))}, [0.0])
    sites = learnt(store, [0.0])
    for page in PAGES:
        model = sites.named(SITE).model()
        assert model is not None
        cleaned = model.clean(page)
        assert [block.keep for block in cleaned.blocks if block.tag == "h1"] == [False]
        assert set(cleaned.selectors) == {"h1"}
    assert ["h1 >" in record.getMessage() for record in caplog.records] == [False, True]


def test_crawl_looks_for_corrections_once_in_a_while() -> None:
    now = [0.0]
    store = Corrected({SITE: Corrections(drop=("h1",))}, now)
    sites = learnt(store, now)
    first = sites.named(SITE).model()
    assert first is not None
    assert sites.named(SITE).model() is first
    assert store.looks == [0.0]
    assert "Title" not in first.clean(PAGES[1]).text
    store.made = {}
    assert sites.named(SITE).model() is first
    now[0] = LOOK_EVERY
    last = sites.named(SITE).model()
    assert last is not None
    assert "Title" in last.clean(PAGES[1]).text
    assert store.looks == [0.0, LOOK_EVERY]

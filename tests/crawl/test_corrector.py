"""Corrections of a store that anyone may write to."""

from __future__ import annotations

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.crawl.fitting import Corrector
from scrapy_blockfilter.options.selectors import Corrections

PAGES = [f"<h1>Title {number}</h1><p>Some text of page {number}.</p><p class=a>Advert</p>" for number in range(4)]


def test_corrections_of_a_shared_store_that_take_too_long_are_left_out_and_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    made = {"news.example": Corrections(drop=("//*[count(//*[//b])>5]", "h1", "h1 >"))}
    corrector = Corrector(lambda: made, clock=iter(range(100)).__next__)
    model = bf.learn(PAGES)
    for page in PAGES:
        cleaned = corrector.correct("news.example", model).clean(page)
        assert [block.keep for block in cleaned.blocks if block.tag == "h1"] == [False]
        assert set(cleaned.selectors) == {"h1"}
    assert ["h1 >" in record.getMessage() for record in caplog.records] == [False, True]

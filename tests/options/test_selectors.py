"""Selectors of others: the usual ones are taken, and those that would search a page for too long are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrapy_blockfilter.options.selectors import why_slow

CASES = json.loads(Path(__file__).with_name("selectors.json").read_text(encoding="utf-8"))
NESTED = ["//*[" * 40 + "//b" + "]" * 40, "//*" * 300, "|".join(["//*"] * 21)]


@pytest.mark.parametrize("selector", CASES["taken"])
def test_what_people_write_is_taken(selector: str) -> None:
    assert why_slow(selector) == ""


@pytest.mark.parametrize("selector", [*CASES["refused"], *NESTED])
def test_searches_within_searches_and_for_no_elements_are_refused(selector: str) -> None:
    assert why_slow(selector)

"""The page on shops, done: a shop is made, crawled and looked at as the page says."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, read
from tests.docs.reader import Reader
from tests.support.forked import Template
from tests.support.mockserver import MockServer


@pytest.mark.skipif(os.name == "nt", reason="the commands are those of a POSIX shell")
def test_a_shop_comes_out_with_its_values_and_without_its_template(
    tmp_path: Path, server: MockServer, template: Template | None
) -> None:
    reader = Reader(tmp_path, server, template)
    _, title, shop = read(DOCS / "shops-and-records.md").partition("## A shop from its pages to the feed\n")
    assert title
    reader.follow(shop)
    items = [json.loads(line) for line in (reader.folder / "clean.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(items) == 12
    for item in items:
        offer = item["metadata"]["json_ld"][0]["offers"]
        values = (f"€ {offer['price']}", "in stock", " kg", "seconds", " wood")
        assert all(value in item["text"] for value in values), item["text"]
        assert not [text for text in ("basket", "Free delivery", "VAT", "Related") if text in item["text"]]
    report = (reader.folder / "cedar.html").read_text(encoding="utf-8")
    assert report.startswith("<!")
    assert "Free delivery" in report

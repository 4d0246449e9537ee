"""What runs in a task, without Spark: batches of Arrow in, batches of Arrow out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.extras.spark.plan import Plan, plain_options
from scrapy_blockfilter.extras.spark.tasks import clean_rows, prepare
from tests.support.failing_forms import fail_links
from tests.support.made_sites import make_site

PAGES = make_site(pages=6).pages
PLAN = Plan(plain_options(bf.Options(pages=4)), form="links")


def cleaned_rows() -> Iterator[dict[str, Any]]:
    urls = [f"http://news.example{page.url_path}" for page in PAGES]
    pages = pa.RecordBatch.from_arrays([pa.array(urls), pa.array([page.html for page in PAGES])], names=["url", "html"])
    (prepared,) = prepare(PLAN.to_json(), [pages])
    for batch in clean_rows(PLAN.to_json(), None, [prepared.sort_by("page")]):
        yield from batch.to_pylist()


def test_form_that_fails_costs_its_own_row(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    rows = {row["url"]: row for row in cleaned_rows()}
    assert len(rows) == len(PAGES)
    fail_links(monkeypatch, "/page/1")
    failing = {row["url"]: row for row in cleaned_rows()}
    (lost,) = (url for url in rows if failing[url] != rows[url])
    assert failing[lost] == {**rows[lost], "links": None, "unchanged": "error"}
    (record,) = caplog.records
    assert lost in record.getMessage()

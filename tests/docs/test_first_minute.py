"""The first minute: every line of README and first page; ``release/tests`` tries them with the wheel alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import DOCS, README, blocks
from tests.support.crawls import CrawlFunction
from tests.support.made_sites import make_site
from tests.support.mockserver import MockServer

FIRST = [README, DOCS / "index.md"]
_SETTING = re.compile(r"[A-Z_]+ = ")


def python_blocks(page: Path) -> tuple[list[str], list[str]]:
    """The blocks of a page that are lines for ``settings.py``, and those that are programs."""
    found = blocks(page, "python")
    settings = [block for block in found if all(map(_SETTING.match, block.splitlines()))]
    return settings, [block for block in found if block not in (*settings, *spiders(page))]


def spiders(page: Path) -> list[str]:
    return [block for block in blocks(page, "python") if "(scrapy.Spider):" in block]


def output_fields(settings: str) -> dict[str, Any]:
    namespace: dict[str, Any] = {}
    exec(settings, namespace)
    fields: dict[str, Any] = namespace.get("BLOCKFILTER_OUTPUT_FIELDS", {})
    return fields


@pytest.mark.parametrize("page", FIRST, ids=lambda page: page.name)
def test_installing_is_one_line_without_extras(page: Path) -> None:
    installing = [line for line in "".join(blocks(page, "shell")).splitlines() if "install" in line]
    assert installing == ["pip install scrapy-blockfilter"]
    assert output_fields("".join(python_blocks(page)[0]))


@pytest.mark.parametrize("page", FIRST, ids=lambda page: page.name)
def test_lines_for_settings_clean_the_items_of_the_spider(crawl: CrawlFunction, server: MockServer, page: Path) -> None:
    site = make_site(pages=24)
    server.add_site(site, "news.example")
    settings, _ = python_blocks(page)
    (spider,) = spiders(page)
    for count in range(1, len(settings) + 1):
        lines = "".join(settings[:count])
        fields = output_fields(lines)
        result = crawl(spider, settings_source=lines).check()
        assert len(result.items) == len(site.pages)
        assert all(item[field] for item in result.items for field in fields)
        for field in ("html", *(field for field, form in fields.items() if form in ("html", "text", "markdown"))):
            texts = result.by_path(field)
            for made in site.pages:
                made.assert_cleaned(texts[made.url_path])


@pytest.mark.parametrize("page", FIRST, ids=lambda page: page.name)
def test_run_that_is_shown_is_the_one_that_is_tried(page: Path) -> None:
    (spider,) = spiders(page)
    lines = "".join(blocks(page, "shell")).splitlines()
    assert lines[1:] == ["scrapy startproject gazette", "cd gazette", "scrapy crawl pages -O items.jsonl"]
    assert 'start_urls = "pages", ["http://news.example/page/0"]' in spider
    head, *body = spider.split("\n\n")
    assert (head, len("".join(body).splitlines())) == ("import scrapy", 5)
    assert 'yield {"url": response.url, "html": response.text}' in spider

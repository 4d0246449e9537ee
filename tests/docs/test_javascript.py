"""The spider of the page on pages built by JavaScript."""

from __future__ import annotations

import json

from tests.docs.pages import DOCS, blocks
from tests.support.crawls import CrawlFunction
from tests.support.made_sites import make_site
from tests.support.mockserver import MockServer, Reply


def test_pages_in_json_are_cleaned(crawl: CrawlFunction, server: MockServer) -> None:
    (spider,) = blocks(DOCS / "javascript.md", "python")
    made = make_site(pages=7).pages
    pages = [{"url": f"http://news.example{page.url_path}", "browserHtml": page.html} for page in made]
    server.add("render.example", "/pages?of=news.example", Reply(json.dumps({"pages": pages}), "application/json"))
    items = crawl(spider).check().by_path("browserHtml")
    assert len(items) == 7
    for page in made:
        page.assert_cleaned(items[page.url_path])

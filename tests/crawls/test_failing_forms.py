"""A crawl in which a form of one page raises: that field is empty, and every other one comes out clean."""

from __future__ import annotations

import csv
import json

from tests.support.crawls import CrawlFunction, chain_spider
from tests.support.made_sites import make_site
from tests.support.mockserver import MockServer

PAGES = 8
# With the first item, whose fields are the columns of a feed, and one that did not wait.
BROKEN = ("/page/0", "/page/6")
# A renderer that cannot write some pages.
BREAKS = f"""
from scrapy_blockfilter.model import cleaned

written = cleaned.render_links

def render_links(page, keep, source, base):
    if base.endswith({BROKEN}):
        raise ZeroDivisionError("no links today")
    return written(page, keep, source, base)

cleaned.render_links = render_links
"""


def test_form_that_raises_on_some_pages_costs_their_field_alone(crawl: CrawlFunction, server: MockServer) -> None:
    site = make_site(pages=PAGES, rich=True, seed=7)
    host = server.add_site(site)
    settings = {
        "BLOCKFILTER_OUTPUT_FIELDS": {"links": "links", "text": "text"},
        "FEEDS": {"items.csv": {"format": "csv", "encoding": "utf-8"}},
    }
    result = crawl(chain_spider(f"http://{host}/page/0", preamble=BREAKS), settings)
    assert result.exit_code == 0, result.log
    result.check_sums()
    html, text, links = (result.by_path(field) for field in ("html", "text", "links"))
    assert len(html) == PAGES
    for page in site.pages:
        for made in (html[page.url_path], text[page.url_path]):
            page.assert_cleaned(made)
        assert (links[page.url_path] is None) == (page.url_path in BROKEN)
    assert result.reasons("forms/failed") == {"links": len(BROKEN)}
    assert result.stat("items/cleaned") == PAGES
    assert result.stat("errors") == 0
    (error,) = result.log_lines(level="ERROR")
    assert f"The form 'links' of the page http://{host}/page/" in error
    assert "ZeroDivisionError: no links today" in error
    with (result.folder / "items.csv").open(encoding="utf-8", newline="") as feed:
        rows = list(csv.DictReader(feed))
    assert [bool(row["links"]) for row in rows] == [item["links"] is not None for item in result.items]
    assert json.dumps(result.items[0]["links"]) == "null"

"""Whole crawls of sites whose template changes on the way."""

from __future__ import annotations

import pytest

from tests.support.crawls import CrawlFunction, chain_spider
from tests.support.made_sites import make_changing_site
from tests.support.mockserver import MockServer


@pytest.mark.parametrize("layouts", [("div", "semantic"), ("semantic", "dl")], ids=" to ".join)
def test_redesign_midway_and_the_next_crawl(crawl: CrawlFunction, server: MockServer, layouts: tuple[str, str]) -> None:
    site = make_changing_site(layouts, 14)
    host = server.add_site(site)
    spider = chain_spider(f"http://{host}/page/0")
    first = crawl(spider, {"BLOCKFILTER_WARMUP": "pass"}).check()
    html = first.by_path()
    for number, page in enumerate(site.pages):
        text = html[page.url_path]
        assert page.missing(text) == []
        left = page.left(text)
        if number < 3:
            assert len(left) == len(page.template)
        elif number not in range(14, 17):  # until N pages of the new layout have come
            assert left == []
    assert first.stat("layouts/learnt") == 1
    assert first.stat("pages/misfit") == 4
    changed = [line for line in first.log_lines(level="INFO") if "has changed" in line]
    assert len(changed) == 1

    second = crawl(spider).check()
    for path, text in second.by_path().items():
        page = site.pages[int(path.rpartition("/")[2])]
        page.assert_cleaned(text)
    assert second.stat("sites/known") == 1
    assert second.stat("layouts/learnt") == second.stat("pages/misfit") == 0
    assert [line for line in second.log_lines(level="INFO") if "has changed" in line] == []


def test_text_fields_lose_the_lines_of_either_layout(crawl: CrawlFunction, server: MockServer) -> None:
    """Of old and new pages in turn, once both layouts are known, by a crawl whose items hold no HTML."""
    site = make_changing_site(("div", "semantic"), 10)
    host = server.add_site(site)
    first = f"http://{host}/page/0"
    crawl(chain_spider(first)).check()
    item = '{"url": response.url, "words": "\\n".join(response.css("body ::text").getall())}'
    result = crawl(chain_spider(first, items=item), {"BLOCKFILTER_FIELDS": {"words": "text"}}).check()
    for path, words in result.by_path("words").items():
        page = site.pages[int(path.rpartition("/")[2])]
        page.assert_cleaned(words)

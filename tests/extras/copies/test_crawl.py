"""Copies of articles that a crawl meets on two sites, told by the keys in its feed."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.command_line import Commands
from tests.support.crawls import CrawlFunction, list_spider
from tests.support.made_sites import make_site
from tests.support.mockserver import MockServer

PAGES = 6
FIELDS = {"content_key": "content_key", "similar_key": "similar_key"}


@pytest.mark.skipif(find_spec("datasketch") is None, reason="no datasketch")
def test_reprints_are_found_by_keys_of_a_feed(crawl: CrawlFunction, server: MockServer, tmp_path: Path) -> None:
    hosts = [server.add_site(make_site(layout, PAGES, seed=3)) for layout in ("div", "table")]
    hosts.append(server.add_site(make_site("div", PAGES, seed=4)))
    urls = [f"http://{host}/page/{number}" for number in range(PAGES) for host in hosts]
    spider = list_spider(urls, '{"url": response.url}')
    feeds = {"items.jsonl": {"format": "jsonlines"}}
    done = crawl(spider, {"BLOCKFILTER_OUTPUT_FIELDS": FIELDS, "FEEDS": feeds}).check()
    items = [json.loads(line) for line in (done.folder / "items.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len({item["content_key"] for item in items}) == 2 * PAGES
    listed = Commands(tmp_path).run("copies", str(done.folder / "items.jsonl"), "--json")
    assert listed.code == 0, listed.err
    groups = {frozenset(page["url"] for page in json.loads(line)["pages"]) for line in listed.out.splitlines()}
    assert groups == {frozenset(f"http://{host}/page/{number}" for host in hosts[:2]) for number in range(PAGES)}

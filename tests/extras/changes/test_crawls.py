"""Crawls of a site that has changed since the last one: what its items tell, and what a kill or a drop costs."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from scrapy_blockfilter.extras.changes.site_news import LEAST
from tests.extras.changes.shops import WITHDRAWN, shop_page
from tests.support.crawls import BeginFunction, Crawl, CrawlFunction, list_spider
from tests.support.made_crawler import MakeFilter
from tests.support.made_sites import GeneratedPage, GeneratedSite, make_site
from tests.support.mockserver import MockServer, Reply
from tests.support.redis_server import needs_redis

N = 4
FIELDS = {"change": "change", "new_chunks": "changed_chunks", "chunks": "chunks"}
SETTINGS: dict[str, Any] = {"BLOCKFILTER_OUTPUT_FIELDS": FIELDS, "BLOCKFILTER_PAGES": N, "CONCURRENT_REQUESTS": 1}
ADDED = "A paragraph that nobody had written when the site was crawled for the first time, by hand."
# A spider that is killed when it has page 8.
KILLED_ITEM = '[self.end(response), {"url": response.url, "html": response.text}][1]'
KILL = """
def end(self, response):
    if response.url.endswith("/8"):
        import os, signal
        os.kill(os.getpid(), signal.SIGKILL)
"""


# A pipeline that replaces items, and drops one when those behind it are out.
LATE = """
from scrapy.exceptions import DropItem
from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred
class Later:
    async def process_item(self, item):
        if "Boat red" not in item["html"]:
            return dict(item)
        waited = Deferred()
        call_later(.3, waited.callback, None)
        await maybe_deferred_to_future(waited)
        raise DropItem("not this one")
"""
# A pipeline that replaces items, and notes how many are alive at last, and the lines that the tracker has run so far.
REPLACING = """
import gc, sys, weakref
from itemadapter import ItemAdapter
class Later:
    @classmethod
    def from_crawler(cls, crawler):
        later = cls()
        later.stats, later.items, later.lines, later.ran = crawler.stats, [], [], 0
        return later
    def open_spider(self):
        sys.settrace(lambda frame, *_: self.count if frame.f_code.co_filename.endswith("tracker.py") else None)
    def count(self, frame, event, _):
        self.ran += event == "line"
        return self.count
    def process_item(self, item):
        self.items.append(weakref.ref(item))
        self.lines.append(self.ran)
        return ItemAdapter(item).asdict()
    def close_spider(self):
        sys.settrace(None)
        gc.collect()
        self.stats.set_value("alive", sum(item() is not None for item in self.items))
        self.stats.set_value("lines", self.lines)
"""
# A spider of items that come without a response.
ITEMS_ALONE = """
from dataclasses import dataclass
import scrapy
@dataclass
class Page:
    url: str
    html: str
    change: str = ""
    new_chunks: object = None
    chunks: object = None
class Alone(scrapy.Spider):
    name = "alone"
    async def start(self):
        for number in range(300):
            yield Page(f"{0}/{{number}}", {1!r})
"""


def add_source(folder: Path, source: str) -> None:
    (folder / "crawl").mkdir(exist_ok=True)
    (folder / "crawl" / "later.py").write_text(source, encoding="utf-8")


class Web:
    """A served site that can change between two crawls."""

    def __init__(self, server: MockServer, pages: int = 10) -> None:
        self.server = server
        self.site: GeneratedSite = make_site("div", pages, seed=7)
        self.host = server.add_site(self.site)
        self.urls = [f"http://{self.host}{page.url_path}" for page in self.site.pages]

    def page(self, number: int) -> GeneratedPage:
        return self.site.pages[number]

    def serve(self, path: str, html: str) -> str:
        self.server.add(self.host, path, html)
        return f"http://{self.host}{path}"

    def change(self, number: int) -> None:
        page = self.page(number)
        self.serve(page.url_path, page.html.replace(page.markup[1], f"{page.markup[1]}<p>{ADDED}</p>"))

    def change_template(self) -> None:
        for page in self.site.pages:
            html = page.html
            for text in page.template[:3]:
                html = html.replace(text, f"{text} anew")
            self.serve(page.url_path, html)


@pytest.fixture
def web(server: MockServer) -> Web:
    return Web(server)


def told(done: Crawl, field: str = "change") -> dict[str, Any]:
    return {item["url"].rpartition("/")[2]: item[field] for item in done.items}


def file_of(done: Crawl) -> Path:
    return done.store.with_name("templates-changes.db")


def test_second_crawl_tells_what_is_new_changed_moved_and_unchanged(crawl: CrawlFunction, web: Web) -> None:
    first = crawl(list_spider(web.urls), SETTINGS).check()
    assert set(told(first).values()) == {"new"}
    assert all(item["new_chunks"] == item["chunks"] for item in first.items)
    web.change(2)
    moved = web.serve("/page/moved", web.page(3).html)
    fresh = web.serve("/page/fresh", make_site("div", 1, seed=99).pages[0].html)
    second = crawl(list_spider([*web.urls[:3], moved, fresh]), SETTINGS).check()
    assert told(second) == {"0": "unchanged", "1": "unchanged", "2": "changed", "moved": "moved", "fresh": "new"}
    new = told(second, "new_chunks")
    assert (new["0"], new["moved"]) == ([], [])
    assert ADDED in "".join(chunk["text"] for chunk in new["2"])
    assert new["fresh"] == told(second, "chunks")["fresh"] != []
    assert second.reasons("items/change") == {"unchanged": 2, "changed": 1, "moved": 1, "new": 1}
    third = crawl(list_spider([*web.urls[:3], moved]), SETTINGS).check()
    assert set(told(third).values()) == {"unchanged"}


def test_pages_of_one_response_of_json_are_told_apart(crawl: CrawlFunction, web: Web) -> None:
    def spider() -> str:
        items = [{"url": url, "html": web.page(number).html} for number, url in enumerate(web.urls)]
        web.server.add(web.host, "/all", Reply(json.dumps(items), "application/json"))
        return list_spider([f"http://{web.host}/all"], items="*response.json()")

    assert set(told(crawl(spider(), SETTINGS).check()).values()) == {"new"}
    html = web.page(2).html
    web.site.pages[2] = replace(web.page(2), html=html.replace("</h1>", f"</h1><p>{ADDED}</p>"))
    second = told(crawl(spider(), SETTINGS).check())
    assert second.pop("2") == "changed"
    assert set(second.values()) == {"unchanged"}


def test_change_of_the_template_alone_is_no_change(crawl: CrawlFunction, web: Web) -> None:
    crawl(list_spider(web.urls), SETTINGS).check()
    web.change_template()
    assert set(told(crawl(list_spider(web.urls), SETTINGS).check()).values()) == {"unchanged"}


def test_no_comment_of_readers_hides_that_a_page_says_something_else(crawl: CrawlFunction, server: MockServer) -> None:
    host = server.new_host()

    def serve(says: Mapping[int, Sequence[str]], comments: Mapping[int, str]) -> list[str]:
        pages = [says.get(number, ("In stock", f"Length: {number} m")) for number in range(14)]
        return [
            server.add(host, f"/{number}", shop_page(number, said, [comments.get(number, "Nice one")]))
            for number, said in enumerate(pages)
        ]

    settings = {**SETTINGS, "BLOCKFILTER_PAGES": 10, "BLOCKFILTER_UNCHANGED": "drop"}
    urls = serve({}, {3: WITHDRAWN, 4: "Length: 4 m"})
    assert set(told(crawl(list_spider(urls), settings).check()).values()) == {"new"}
    assert crawl(list_spider(urls), settings).items == []
    says = {
        2: ("Sold out", "Length: 2 m"),
        3: ("In stock", "Length: 3 m", WITHDRAWN),
        4: ("In stock", "Length: 4 m", "Length: 4 m"),
        5: ("In stock",),
        6: ("Length: 6 m", "In stock"),
    }
    # Readers say the same at the same time, on all pages of the site.
    serve(says, dict.fromkeys(range(14), WITHDRAWN) | {5: "Length: 5 m"})
    later = crawl(list_spider(urls), settings)
    assert told(later) == {str(page): "changed" for page in says}
    assert told(later, "new_chunks") == told(later, "chunks")
    assert crawl(list_spider(urls), settings).items == []


def test_text_new_on_all_pages_of_a_site_changes_the_first_alone(crawl: CrawlFunction, server: MockServer) -> None:
    web = Web(server, pages=18)
    crawl(list_spider(web.urls), SETTINGS).check()
    for page in web.site.pages:
        web.serve(page.url_path, page.html.replace(page.markup[1], f"{page.markup[1]}<p>{ADDED}</p>"))
    own = web.page(15)
    both = f"{own.markup[1]}<p>{ADDED}</p><p>{ADDED.replace('first', 'second')}</p>"
    web.serve(own.url_path, own.html.replace(own.markup[1], both))
    second = crawl(list_spider(web.urls), SETTINGS).check()
    assert all(ADDED in "".join(chunk["text"] for chunk in chunks) for chunks in told(second, "chunks").values())
    changed = {page for page, change in told(second).items() if change == "changed"}
    assert changed == {*map(str, range(LEAST - 1)), "15"}
    assert set(told(crawl(list_spider(web.urls), SETTINGS).check()).values()) == {"unchanged"}
    for page in web.site.pages:
        web.serve(page.url_path, page.html)
    last = told(crawl(list_spider(web.urls), SETTINGS).check())
    assert {page for page, change in last.items() if change == "changed"} == changed


def test_unchanged_items_are_dropped_if_the_settings_say_so(crawl: CrawlFunction, web: Web) -> None:
    settings = {"BLOCKFILTER_PAGES": N, "BLOCKFILTER_UNCHANGED": "drop"}
    first = crawl(list_spider(web.urls), settings).check()
    assert len(first.items) == len(web.urls)
    web.change(5)
    for _ in range(2):
        later = crawl(list_spider(web.urls), settings)
        assert later.exit_code == 0
        assert later.stats.get("item_dropped_reasons_count/UnchangedPage") == later.reasons("items/change")["unchanged"]
        assert "WARNING" not in later.log
        assert not later.stat("errors")
    assert later.items == []


def test_unchanged_items_with_a_list_of_fragments_are_dropped(crawl: CrawlFunction, web: Web) -> None:
    settings = {"BLOCKFILTER_PAGES": N, "BLOCKFILTER_UNCHANGED": "drop"}
    item = '{"url": response.url, "html": response.css("p").getall()}'
    crawl(list_spider(web.urls, item), settings).check()
    web.change(5)
    later = crawl(list_spider(web.urls, item), settings)
    assert later.reasons("items/change") == {"unchanged": len(web.urls) - 1, "changed": 1}
    assert [item["url"] for item in later.items] == [web.urls[5]]


def test_page_met_twice_in_a_crawl_is_compared_with_the_crawl_before(crawl: CrawlFunction, web: Web) -> None:
    urls = [*web.urls, *web.urls]
    first = crawl(list_spider(urls), SETTINGS).check()
    assert Counter(item["change"] for item in first.items) == {"new": len(urls)}
    web.change(1)
    second = crawl(list_spider(urls), SETTINGS).check()
    assert Counter(item["change"] for item in second.items) == {"unchanged": len(urls) - 2, "changed": 2}


def test_items_of_one_page_are_told_apart_by_their_own_text(crawl: CrawlFunction, web: Web) -> None:
    texts = ["<p>The first boat in the harbour list of today is painted green.</p>", "<p>The second boat is red.</p>"]
    page = "<ul><li><a href=/>Home of the boats</a></ul><article>{}</article><article>{}</article>".format
    urls = [web.serve(f"/list/{number}", page(*texts)) for number in range(2)]
    rows = '*({"url": response.url, "html": part} for part in response.css("article").getall())'
    first = crawl(list_spider([*web.urls, *urls], rows), SETTINGS)
    assert first.exit_code == 0
    web.serve("/list/1", page(texts[0], "<p>The second boat is yellow since this morning.</p>"))
    second = crawl(list_spider(urls, rows), SETTINGS).check()
    assert [item["change"] for item in second.items] == ["unchanged", "unchanged", "unchanged", "changed"]


def test_items_that_a_pipeline_drops_or_fails_on_are_told_again(crawl: CrawlFunction, web: Web, tmp_path: Path) -> None:
    pipeline = """
from itemadapter import ItemAdapter
from scrapy.exceptions import DropItem
class Later:
    def process_item(self, item):
        if item["url"].endswith("/1"):
            raise DropItem("not today")
        if item["url"].endswith("/2"):
            raise RuntimeError("broken")
        return dict(item)
"""
    settings = {**SETTINGS, "ITEM_PIPELINES": {"later.Later": 500}}
    add_source(tmp_path, pipeline)
    crawl(list_spider(web.urls), settings)
    second = crawl(list_spider(web.urls), SETTINGS).check()
    assert {page for page, change in told(second).items() if change == "new"} == {"1", "2"}
    assert {change for page, change in told(second).items() if page not in "12"} == {"unchanged"}


def test_items_of_a_page_that_pipelines_replace_are_told_apart(crawl: CrawlFunction, web: Web, tmp_path: Path) -> None:
    texts = [f"<article><p>Boat {name} lies in the harbour since the spring.</p></article>" for name in ("red", "blue")]
    urls = [*web.urls, web.serve("/list", f"<ul><li><a href=/>Home of the boats</a></ul>{''.join(texts)}")]
    rows = '*({"url": response.url, "html": part} for part in response.css("article").getall() or [response.text])'
    add_source(tmp_path, LATE)
    first = crawl(list_spider(urls, rows), {**SETTINGS, "ITEM_PIPELINES": {"later.Later": 500}})
    assert [item["html"] for item in first.items if item["url"] == urls[-1]] == texts[1:]
    second = crawl(list_spider(urls, rows), SETTINGS).check()
    assert [item["change"] for item in second.items] == [*["unchanged"] * len(web.urls), "changed", "unchanged"]


def test_items_that_are_replaced_are_let_go_at_the_same_cost(crawl: CrawlFunction, web: Web, tmp_path: Path) -> None:
    crawl(list_spider(web.urls), SETTINGS).check()
    spider = ITEMS_ALONE.format(web.urls[0], web.page(0).html)
    add_source(tmp_path, REPLACING)
    first = crawl(spider, {**SETTINGS, "ITEM_PIPELINES": {"later.Later": 500}}).check()
    assert first.stats["alive"] <= 1
    lines = first.stats["lines"]
    assert lines[299] - lines[199] == lines[199] - lines[99] > 0
    assert {item["change"] for item in crawl(spider, SETTINGS).check().items} == {"unchanged"}


@pytest.mark.parametrize("job", [{"JOBDIR": "job"}, {}])
def test_killed_crawl_hides_nothing(job: dict[str, str], crawl: CrawlFunction, begin: BeginFunction, web: Web) -> None:
    settings = {**SETTINGS, **job}
    assert begin(list_spider(web.urls, KILLED_ITEM, KILL), settings).finish().exit_code != 0
    after = crawl(list_spider(web.urls), settings).check()
    assert set(told(after).values()) == {"new"}
    assert set(told(crawl(list_spider(web.urls), SETTINGS).check()).values()) == {"unchanged"}


def test_what_a_crawl_has_written_counts_once_it_has_ended(crawl: CrawlFunction, web: Web) -> None:
    first = crawl(list_spider(web.urls), SETTINGS).check()
    with closing(sqlite3.connect(file_of(first))) as file:
        runs = file.execute("SELECT run FROM runs").fetchall()
    web.change(0)
    fresh = web.serve("/page/fresh", make_site("div", 1, seed=99).pages[0].html)
    crawl(list_spider([*web.urls, fresh]), SETTINGS).check()
    with closing(sqlite3.connect(file_of(first))) as file, file:  # as if it had been killed before its end
        file.execute("DELETE FROM runs WHERE run != ?", runs[0])
    after = told(crawl(list_spider([*web.urls, fresh]), SETTINGS).check())
    assert (after.pop("0"), after.pop("fresh")) == ("changed", "new")
    assert set(after.values()) == {"unchanged"}


@pytest.mark.parametrize(
    ("change", "feeds"),
    [
        ("new", {"away://open": {}}),
        ("new", {"away://store": {}, "items.csv": {"format": "csv"}}),
        ("new", {"nowhere://items": {}}),
        ("unchanged", {"%(batch_id)d.jsonl": {"batch_item_count": 4}, "a.csv": {"item_classes": ["later.Away"]}}),
    ],
    ids=str,
)
def test_crawl_whose_feed_cannot_be_stored_is_told_again(
    change: str, feeds: dict[str, dict[str, Any]], crawl: CrawlFunction, web: Web, tmp_path: Path
) -> None:
    storage = """
from tempfile import TemporaryFile
class Away:
    def __init__(self, uri, **options): self.fails = uri
    def open(self, spider): return self.fail("open") or TemporaryFile()
    def store(self, file): self.fail("store")
    def fail(self, step):
        if step in self.fails:
            raise OSError("the server is away")
"""
    add_source(tmp_path, storage)
    formatted = {uri: {"format": "jsonlines", **options} for uri, options in feeds.items()}
    settings = {**SETTINGS, "FEED_STORAGES": {"away": "later.Away"}, "FEEDS": formatted}
    first = crawl(list_spider(web.urls), settings)
    assert len(first.items) == len(web.urls)
    assert ("A feed was not stored" in "".join(first.log_lines(level="WARNING"))) == (change == "new")
    assert set(told(crawl(list_spider(web.urls), SETTINGS).check()).values()) == {change}


def test_page_that_could_not_be_judged_is_told_as_none(crawl: CrawlFunction, web: Web) -> None:
    settings = {**SETTINGS, "BLOCKFILTER_WARMUP": "pass"}
    first = crawl(list_spider(web.urls), settings).check()
    assert first.reasons("items/change") == {"unknown": N - 1, "new": len(web.urls) - N + 1}
    assert [item["change"] for item in first.items[: N - 1]] == [None] * (N - 1)
    second = crawl(list_spider(web.urls), settings).check()
    assert second.reasons("items/change") == {"new": N - 1, "unchanged": len(web.urls) - N + 1}


def test_item_without_html_gets_no_change(make_filter: MakeFilter) -> None:
    assert make_filter(output_fields={"change": "change"}).scrape({"n": 1}) == {"n": 1}


def test_memory_that_cannot_be_used_costs_no_item(crawl: CrawlFunction, web: Web) -> None:
    settings = {**SETTINGS, "BLOCKFILTER_UNCHANGED": "drop"}
    first = crawl(list_spider(web.urls), settings).check()
    file_of(first).write_bytes(b"no database" * 1_000)
    second = crawl(list_spider(web.urls), settings)
    assert len(second.items) == len(web.urls)
    assert set(told(second).values()) == {None}
    assert len(second.log_lines(level="ERROR")) == 1
    assert "templates-changes.db" in second.log_lines(level="ERROR")[0]


def test_no_memory_is_made_beside_a_store_that_is_no_file(crawl: CrawlFunction, web: Web, tmp_path: Path) -> None:
    store = tmp_path / "device" / "store"
    store.mkdir(parents=True)
    done = crawl(list_spider(web.urls), {**SETTINGS, "BLOCKFILTER_STORE": str(store)})
    assert set(told(done).values()) == {None}
    assert all(f"{store} is a folder, device, pipe or socket" in line for line in done.log_lines(level="ERROR"))
    assert list(store.parent.iterdir()) == [store]


@needs_redis
@pytest.mark.skipif(find_spec("scrapy_blockfilter.extras.redis") is None, reason="this extra is alone")
def test_memory_is_on_the_server_of_the_store(crawl: CrawlFunction, web: Web, redis_url: str) -> None:
    settings = {**SETTINGS, "BLOCKFILTER_STORE": redis_url}
    first = crawl(list_spider(web.urls), settings, folder="one").check()
    assert set(told(first).values()) == {"new"}
    web.change(2)
    moved = web.serve("/page/moved", web.page(3).html)
    second = crawl(list_spider([*web.urls[:3], moved]), settings, folder="other").check()
    assert told(second) == {"0": "unchanged", "1": "unchanged", "2": "changed", "moved": "moved"}
    assert not file_of(first).exists()


def test_crawl_without_these_forms_writes_no_memory(crawl: CrawlFunction, web: Web) -> None:
    done = crawl(list_spider(web.urls), {"BLOCKFILTER_PAGES": N}).check()
    assert not file_of(done).exists()
    assert done.reasons("items/change") == {}

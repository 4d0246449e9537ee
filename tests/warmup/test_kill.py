"""Crawls killed while items are held, and the output of the next crawl."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from stress.crawl_kills import killed_thrice
from stress.crawl_setup import CrawlFault, set_up
from tests.support.crawls import Crawl, Running, run_script
from tests.support.forked import Template
from tests.support.mockserver import MockServer
from tests.support.waiting_crawls import EXPORTED, SETTINGS, TAKEN, Web, chain, feed_items, item_key, serve, wide

CrawlFunction = Callable[..., Crawl]

PIPELINES = {"tests.support.waiting_crawls.NoteAtOnce": 950}
# Without a JOBDIR, in which Scrapy's queue would hand some requests out twice after a kill.
ANEW = {"BLOCKFILTER_WARMUP_SPOOL": True, "CONCURRENT_REQUESTS": 1}
KILL = "if self.settings.getbool('KILL') and self.seen == {}: os.kill(os.getpid(), signal.SIGKILL)"


def only(urls: list[str], name: str = "chain") -> str:
    """A spider of the same name whose job has other pages left, and none of those of the killed crawl."""
    return f"""
import scrapy

class Other(scrapy.Spider):
    name = {name!r}
    start_urls = {urls!r}

    def parse(self, response):
        yield {{"url": response.url, "n": 0, "html": response.text}}
"""


def spool_rows(store: Path) -> dict[str, int]:
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        tables = ("spooled_pages", "spooled_items")
        return {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}


def run_killed(crawl: CrawlFunction, source: str, settings: dict[str, Any]) -> tuple[Crawl, list[dict[str, Any]]]:
    """Run until the kill; the crawl, and what its last pipeline had got."""
    killed = crawl(source, {**settings, "KILL": True})
    assert killed.exit_code == -signal.SIGKILL
    return killed, feed_items(killed.folder, EXPORTED)


def run_on(crawl: CrawlFunction, source: str, settings: dict[str, Any]) -> tuple[Crawl, list[dict[str, Any]]]:
    """Run the next start to its end; the crawl, and what its last pipeline got of it."""
    result = crawl(source, settings).check()
    return result, [dict(item) for item in result.items]


def check_clean(web: Web, items: list[dict[str, Any]]) -> None:
    assert [item["url"] for item in items if not web.is_clean(item)] == []


def test_kill_loses_what_waits_and_no_more_without_the_spool(crawl: CrawlFunction, server: MockServer) -> None:
    # The chain goes through a site that gets learnt, and then into one that is not learnt yet when the kill comes.
    web = serve(server, sites=2, pages=9)
    known, new = web.sites
    source = chain(
        web, after_items=f"if number == 8: yield scrapy.Request('http://{new}/page/0')\n        {KILL.format(12)}"
    )
    source = source.replace(f", 'http://{new}/page/0'", "")
    settings = {
        **SETTINGS,
        "ITEM_PIPELINES": PIPELINES,
        "JOBDIR": "job",
        "BLOCKFILTER_WARMUP_SPOOL": False,
        "BLOCKFILTER_PAGES": 4,
    }
    _, before = run_killed(crawl, source, settings)
    check_clean(web, before)
    assert Counter(item["url"] for item in before) == Counter(f"http://{known}/page/{number}" for number in range(9))
    _, after = run_on(crawl, only([f"http://{new}/page/3"]), settings)
    # The three items that waited are lost.
    assert [item["url"] for item in after] == [f"http://{new}/page/3"]


def test_kill_loses_nothing_that_start_urls_bring_again(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, pages=6)
    source = wide(web, after_items=KILL.format(3), after_item="note(response, n)")
    settings = {
        **SETTINGS,
        "ITEM_PIPELINES": PIPELINES,
        "JOBDIR": "job",
        "BLOCKFILTER_WARMUP_SPOOL": False,
        "BLOCKFILTER_PAGES": 20,
    }
    killed, before = run_killed(crawl, source, settings)
    assert before == []
    (killed.folder / TAKEN).unlink()
    result, after = run_on(crawl, source, settings)
    # Not always each page once: after a kill Scrapy's queue on disk gives some requests twice and others not at all.
    taken = (result.folder / TAKEN).read_text(encoding="utf-8").splitlines()
    assert Counter(map(item_key, after)) == Counter(taken)
    assert set(taken) <= set(web.keys())
    assert taken
    check_clean(web, after)


def test_spooled_items_of_a_killed_crawl_come_out_in_the_next(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, sites=2, pages=9)
    settings = {**SETTINGS, "ITEM_PIPELINES": PIPELINES, "JOBDIR": "job", "BLOCKFILTER_PAGES": 20}
    killed, before = run_killed(crawl, chain(web, per_page=3, after_items=KILL.format(5)), settings)
    assert before == []
    assert spool_rows(killed.store) == {"spooled_pages": 5, "spooled_items": 15}

    more = [f"http://{host}/page/{number}" for host in web.sites for number in (6, 7, 8)]
    result, after = run_on(crawl, only(more), settings)
    assert len(after) == 15 + 6
    assert set(Counter(map(item_key, after)).values()) == {1}
    check_clean(web, after)
    assert result.stat("warmup/restored") == 15
    assert spool_rows(result.store) == {"spooled_pages": 0, "spooled_items": 0}


def test_items_that_were_packed_are_in_the_spool_as_they_were(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, pages=9, paragraphs=60)
    settings = {**SETTINGS, "ITEM_PIPELINES": PIPELINES, "JOBDIR": "job", "BLOCKFILTER_PAGES": 20}
    source = chain(web, after_items=KILL.format(9), after_item="self.note_packed()")
    source += """
    def note_packed(self):
        with open("packed", "w") as file:
            file.write(str(self.crawler.stats.get_value("blockfilter/warmup/packed", 0)))
"""
    killed, before = run_killed(crawl, source, {**settings, "BLOCKFILTER_WARMUP_MAX_BYTES": 100_000})
    assert before == []
    assert int((killed.folder / "packed").read_text()) >= 4
    result, after = run_on(crawl, only([]), settings)
    assert len(set(map(item_key, after))) == len(after) == result.stat("warmup/restored") == 9
    check_clean(web, after)


def test_spooled_items_are_clean_though_no_page_is_fetched_any_more(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, sites=2, pages=9)
    settings = {**SETTINGS, "ITEM_PIPELINES": PIPELINES, "JOBDIR": "job"}
    _, before = run_killed(crawl, chain(web, after_items=KILL.format(6)), settings)
    assert before == []
    result, after = run_on(crawl, only([]), settings)
    assert len(after) == result.stat("warmup/restored") == 6
    assert result.stat("pages/learnt") == 5  # the first was written at once, for other processes
    check_clean(web, after)
    assert "response_received_count" not in result.stats


@pytest.mark.parametrize("closes", [False, True], ids=["idle", "closed"])
def test_the_crawl_goes_on_with_its_other_work_between_two_pages_of_the_spool(
    crawl: CrawlFunction, server: MockServer, closes: bool
) -> None:
    web = serve(server, sites=2, pages=9)
    settings = {**SETTINGS, "ITEM_PIPELINES": PIPELINES, "JOBDIR": "job"}
    run_killed(crawl, chain(web, after_items=KILL.format(6)), settings)
    watched = {
        **settings,
        "EXTENSIONS": {"tests.support.crawls.Recorder": 0, "tests.support.waiting_crawls.Turns": 0},
        "CLOSESPIDER_PAGECOUNT": int(closes),
    }
    result = crawl(only([f"http://{next(iter(web.sites))}/page/8"] * closes), watched)
    after = [dict(item) for item in result.items]
    assert len(after) == 6 + closes
    assert result.stat("warmup/restored") == 6
    assert result.stats["turns/restored"] == 1
    check_clean(web, after)


def test_page_that_is_fetched_again_takes_the_place_of_what_was_spooled(
    crawl: CrawlFunction, server: MockServer
) -> None:
    web = serve(server, pages=9)
    settings = {**SETTINGS, "ITEM_PIPELINES": PIPELINES, "BLOCKFILTER_WARMUP_SPOOL": True, "BLOCKFILTER_PAGES": 20}
    source = wide(web, per_page=2, after_items=KILL.format(3))
    killed, before = run_killed(crawl, source, settings)
    assert before == []
    assert spool_rows(killed.store)["spooled_items"] == 6
    # Without a JOBDIR the crawl begins anew: all pages come again.
    result, after = run_on(crawl, source, settings)
    assert Counter(map(item_key, after)) == Counter(web.keys(2))
    check_clean(web, after)
    assert result.stat("warmup/restored") == 0
    assert spool_rows(result.store) == {"spooled_pages": 0, "spooled_items": 0}


@pytest.mark.parametrize(
    "differing",
    [
        "cb_kwargs={'part': part}",
        "meta={'part': part}",
        "method='POST', body=str(part)",
        "callback=[self.parse, self.parse_other][part]",
        "",
    ],
)
def test_items_of_requests_with_one_url_are_told_apart(
    crawl: CrawlFunction, server: MockServer, differing: str
) -> None:
    web = serve(server, pages=1)
    (url,) = web.urls
    source = f"""
import os, signal
import scrapy

class Parts(scrapy.Spider):
    name = "parts"
    seen = 0

    async def start(self):
        for part in self.settings.getlist("PARTS"):
            yield self.request(int(part))

    def request(self, part):
        return scrapy.Request({url!r}, **{{"callback": self.parse, **dict({differing})}}, dont_filter=True)

    def parse(self, response, part=None):
        if part is not None:
            response.cb_kwargs["part"] = response.meta["part"] = None  # callbacks may change what they were given
        self.seen += 1
        for n in range(3):
            yield {{"url": response.url, "n": n, "html": response.text}}
        {KILL.format(2)}

    def parse_other(self, response):
        yield from self.parse(response)
"""
    settings = {
        **SETTINGS,
        "ITEM_PIPELINES": PIPELINES,
        "JOBDIR": "job",
        "BLOCKFILTER_PAGES": 20,
        "CONCURRENT_REQUESTS": 1,
    }
    killed, before = run_killed(crawl, source, {**settings, "PARTS": [0, 1]})
    assert before == []
    assert spool_rows(killed.store)["spooled_items"] == 6
    # Only the second request is made again. The items of the first are nowhere but in the store.
    result, after = run_on(crawl, source, {**settings, "PARTS": [1]})
    assert Counter(map(item_key, after)) == Counter([f"{url} {n}" for n in range(3)] * 2)
    assert result.stat("warmup/restored") == 3
    assert spool_rows(result.store) == {"spooled_pages": 0, "spooled_items": 0}


def test_kill_in_the_callback_of_a_page_that_is_fetched_again(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, pages=2)
    settings = {**SETTINGS, "ITEM_PIPELINES": PIPELINES, "JOBDIR": "job", "BLOCKFILTER_PAGES": 20}
    run_killed(crawl, wide(web, per_page=3, after_items=KILL.format(2)), settings)
    again = wide(web, per_page=3, after_item="if n == 1: os.kill(os.getpid(), signal.SIGKILL)")
    assert run_killed(crawl, again, settings)[1] == []
    result, after = run_on(crawl, only([], "wide"), settings)
    assert Counter(map(item_key, after)) == Counter(web.keys(3))
    check_clean(web, after)
    assert spool_rows(result.store) == {"spooled_pages": 0, "spooled_items": 0}


def test_what_a_callback_that_fails_did_not_make_anew_is_given_back(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, pages=2)
    settings = {**SETTINGS, "ITEM_PIPELINES": PIPELINES, "JOBDIR": "job", "BLOCKFILTER_PAGES": 20}
    run_killed(crawl, wide(web, per_page=3, after_items=KILL.format(2)), settings)
    result = crawl(wide(web, per_page=3, after_item="if n == 1: raise ValueError"), settings)
    assert Counter(map(item_key, result.items)) == Counter(web.keys(3))
    check_clean(web, result.items)
    assert result.stat("warmup/restored") == 2
    assert spool_rows(result.store) == {"spooled_pages": 0, "spooled_items": 0}


def made_anew(urls: list[str], last: str, numbers: str = "range(3)", more: str = "") -> str:
    """A spider of the name "wide" that gets one page when all others are through, and makes its items anew."""
    return f"""
import scrapy

class Wide(scrapy.Spider):
    name = "wide"
    start_urls = {urls!r}
    seen = 0

    def parse(self, response):
        self.seen += 1
        if self.seen == len(self.start_urls):
            yield scrapy.Request({last!r}, dont_filter=True)
        image = response.url.replace("/page/", "/image/")
        for n in {numbers}:
            yield {{"url": response.url, "n": n, "html": response.text, "file_urls": [f"{{image}}.{{n}}"], {more}}}
"""


def test_items_made_anew_and_killed_in_a_slow_pipeline_come_out_of_the_third_start(
    crawl: CrawlFunction, server: MockServer
) -> None:
    web = serve(server, pages=6)
    page, *others = web.urls
    slow = {**PIPELINES, "tests.support.waiting_crawls.KillsWhileSlow": 300}
    settings = {**SETTINGS, "ITEM_PIPELINES": slow, **ANEW}
    _, before = run_killed(
        crawl, wide(web, per_page=3, after_items=KILL.format(1)), {**settings, "BLOCKFILTER_PAGES": 20}
    )
    assert before == []
    # Its site is learnt by now, so that the items of the page do not wait. They are slow when the second kill comes.
    again = made_anew(others, page)
    killed, before = run_killed(crawl, again, {**settings, "BLOCKFILTER_PAGES": 4, "KILLED_AT": page})
    assert page not in {item["url"] for item in before}
    kept = spool_rows(killed.store)
    assert kept["spooled_items"] >= 3

    result, after = run_on(crawl, only([], "wide"), settings)
    assert result.stat("warmup/restored") == kept["spooled_items"]
    out = Counter(map(item_key, after))
    assert [out[f"{page} {n}"] for n in range(3)] == [1, 1, 1]
    check_clean(web, after)
    assert spool_rows(result.store) == {"spooled_pages": 0, "spooled_items": 0}


@pytest.mark.slow
def test_three_kills_at_random_moments_lose_no_held_item(server: MockServer, tmp_path: Path) -> None:
    setup = set_up(server, tmp_path / "crawl", random.Random("three kills"), fewest=8)
    counts = CrawlFault("three kills").plus(*killed_thrice(setup), setup)
    assert (counts.items_out, counts.raw, counts.missed) == (counts.items_in, 0, 0)
    assert counts.items_in > 0


@pytest.mark.parametrize(
    ("numbers", "more", "out", "restored"),
    [
        ("(2, 0)", "", [0, 1, 2], 1),  # in another order, and one is gone
        ("range(3)", "'at': 'later'", [0, 1, 2], 0),
        ("range(4)", "'at': 'later'", [0, 1, 2, 3], 0),
        ("(0, 2)", "'at': 'later'", [0, 2, 2], 1),  # which one is gone cannot be told
    ],
)
def test_items_made_anew_of_a_known_site_replace_those_left(
    crawl: CrawlFunction, server: MockServer, numbers: str, more: str, out: list[int], restored: int
) -> None:
    web = serve(server, pages=6)
    page, *others = web.urls
    settings = {**SETTINGS, "ITEM_PIPELINES": PIPELINES, **ANEW}
    run_killed(crawl, wide(web, per_page=3, after_items=KILL.format(1)), {**settings, "BLOCKFILTER_PAGES": 20})
    result, after = run_on(crawl, made_anew(others, page, numbers, more), {**settings, "BLOCKFILTER_PAGES": 4})
    assert sorted(item["n"] for item in after if item["url"] == page) == out
    assert result.stat("warmup/restored") == restored
    check_clean(web, after)
    assert spool_rows(result.store) == {"spooled_pages": 0, "spooled_items": 0}


def test_items_made_anew_that_a_pipeline_drops_or_fails_on_are_done(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, pages=6)
    page, *others = web.urls
    settings = {**SETTINGS, "ITEM_PIPELINES": PIPELINES, **ANEW}
    run_killed(crawl, wide(web, per_page=3, after_items=KILL.format(1)), {**settings, "BLOCKFILTER_PAGES": 20})
    settings["ITEM_PIPELINES"] = {**PIPELINES, "tests.support.waiting_crawls.Picky": 400}
    result = crawl(made_anew(others, page), {**settings, "BLOCKFILTER_PAGES": 4})
    assert [item["n"] for item in result.items if item["url"] == page] == [0]
    assert result.stat("warmup/restored") == 0
    assert spool_rows(result.store) == {"spooled_pages": 0, "spooled_items": 0}


def test_overlapping_crawls_of_one_process_keep_their_own_items(
    server: MockServer, template: Template | None, tmp_path: Path
) -> None:
    web, other = serve(server, pages=6), serve(server, pages=2)
    source = f"""
import asyncio, json, sys
from scrapy import signals
from scrapy.crawler import AsyncCrawlerRunner
from scrapy.utils.reactor import install_reactor
install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
from twisted.internet import reactor
from twisted.internet.defer import Deferred
{wide(web, per_page=2)}
got, fetched = [], []
settings = {{
    "ADDONS": {{"scrapy_blockfilter.Addon": 500}}, "BLOCKFILTER_WARMUP_SPOOL": True, "BLOCKFILTER_PAGES": 20,
    "HTTPPROXY_ENABLED": True, "TELNETCONSOLE_ENABLED": False, "DOWNLOAD_DELAY": 0.5,
}}

def made():
    crawler = AsyncCrawlerRunner(settings).create_crawler(Wide)
    crawler.signals.connect(note_item, signals.item_scraped)
    crawler.signals.connect(note_page, signals.response_received)
    return crawler

def note_page(response):
    fetched.append(response.url)

def note_item(item):
    got.append([item["url"], item["n"]])

async def main():
    first, second = made(), made()
    running = asyncio.ensure_future(crawl(first, {web.urls!r}))
    while len(fetched) < 4 and not running.done():
        await asyncio.sleep(0.01)
    await crawl(second, {other.urls!r})
    await running

async def crawl(crawler, urls):
    await crawler.crawl_async(start_urls=urls)

done = Deferred.fromFuture(asyncio.ensure_future(main()))
done.addErrback(lambda why: why.printTraceback(sys.stderr)).addBoth(lambda _: reactor.stop())
reactor.run()
print(json.dumps(got))
"""
    result = run_script(tmp_path, source, proxy=server.url, template=template)
    assert (result.returncode, "Traceback" in result.stderr) == (0, False), result.stderr
    got = [f"{url} {n}" for url, n in json.loads(result.stdout)]
    assert Counter(got) == Counter(web.keys(2) + other.keys(2))


def test_spooled_items_come_back_when_the_next_start_is_stopped_too(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, pages=9)
    settings = {
        **SETTINGS,
        "ITEM_PIPELINES": PIPELINES,
        "JOBDIR": "job",
        "BLOCKFILTER_PAGES": 20,
    }
    settings["BLOCKFILTER_OUTPUT_FIELDS"] = {"text": "text"}
    run_killed(crawl, chain(web, after_items=KILL.format(3)), settings)
    (host,) = web.sites
    other = only([f"http://{host}/page/5"]) + "        raise scrapy.exceptions.CloseSpider('enough')\n"
    result = crawl(other, settings)
    assert result.stats["finish_reason"] == "enough"
    assert result.stat("warmup/restored") == 3
    assert sorted(result.by_path()) == ["/page/0", "/page/1", "/page/2", "/page/5"]
    check_clean(web, result.items)
    for page, text in result.by_path("text").items():
        assert all(part in text for part in web.sites[host].pages[int(page[-1])].content)
    assert spool_rows(result.store) == {"spooled_pages": 0, "spooled_items": 0}


def test_crawl_that_ends_well_leaves_no_spool(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, sites=2, pages=6)
    result = crawl(chain(web, per_page=2), {**SETTINGS, "BLOCKFILTER_WARMUP_SPOOL": True}).check()
    assert Counter(map(item_key, result.items)) == Counter(web.keys(2))
    assert result.stat("warmup/spooled") == result.stat("warmup/held") == 2 * 2 * 3
    assert spool_rows(result.store) == {"spooled_pages": 0, "spooled_items": 0}


def test_spool_is_empty_after_a_crawl_whose_item_processor_is_of_the_deprecated_kind(
    crawl: CrawlFunction, server: MockServer
) -> None:
    settings = {
        **SETTINGS,
        "BLOCKFILTER_WARMUP_SPOOL": True,
        "ITEM_PROCESSOR": "tests.support.waiting_crawls.OldProcessor",
    }
    result = crawl(chain(serve(server, pages=6), per_page=2), settings)
    assert result.stat("warmup/spooled") == 2 * 3
    assert spool_rows(result.store) == {"spooled_pages": 0, "spooled_items": 0}


def test_without_a_jobdir_nothing_is_spooled_unasked(crawl: CrawlFunction, server: MockServer) -> None:
    result = crawl(chain(serve(server, pages=6)), SETTINGS).check()
    assert result.stat("warmup/held") == 3
    assert result.stat("warmup/spooled") == 0


def test_what_cannot_be_spooled_is_held_all_the_same(crawl: CrawlFunction, server: MockServer) -> None:
    web = serve(server, pages=5)
    source = chain(web).replace('"n": n', '"n": n, "object": object()')
    result = crawl(source, {"BLOCKFILTER_WARMUP_SPOOL": True}).check()
    assert len(result.items) == 5
    check_clean(web, result.items)
    assert result.stat("warmup/unspooled") == result.stat("warmup/held") == 3
    (warning,) = result.log_lines(level="WARNING")
    assert "is held in memory only: it has a value of the type builtins.object" in warning


def test_another_spider_and_another_job_get_nothing(crawl: CrawlFunction, server: MockServer) -> None:
    web, other = serve(server, pages=6), serve(server, pages=2)
    settings = {
        **SETTINGS,
        "ITEM_PIPELINES": PIPELINES,
        "JOBDIR": "job",
        "BLOCKFILTER_PAGES": 20,
    }
    source = wide(web, after_items=KILL.format(3))
    killed, _ = run_killed(crawl, source, settings)
    for spider, job in ((chain(other), "job"), (wide(other), "another")):
        result, after = run_on(crawl, spider, {**settings, "JOBDIR": job})
        assert Counter(map(item_key, after)) == Counter(other.keys())
        assert result.stat("warmup/restored") == 0
    assert spool_rows(killed.store)["spooled_items"] == 3


def test_second_sigterm_costs_nothing_that_waits(begin: Callable[..., Running], server: MockServer) -> None:
    web = serve(server, pages=9)
    pipelines = {**PIPELINES, "tests.support.waiting_crawls.Slow": 300}
    settings = {
        **SETTINGS,
        "ITEM_PIPELINES": pipelines,
        "JOBDIR": "job",
        "BLOCKFILTER_PAGES": 20,
        "CONCURRENT_ITEMS": 1,
    }
    twice = "if self.seen == 5:\n            for _ in range(2): os.kill(os.getpid(), signal.SIGTERM); time.sleep(0.1)"
    source = "import time\n" + chain(web, per_page=3, after_items=twice, after_item="note(response, n)")
    stopped = begin(source, settings).finish()
    assert "twice, forcing unclean shutdown" in stopped.log
    taken = (stopped.folder / TAKEN).read_text(encoding="utf-8").splitlines()
    assert len(taken) >= 14
    begin(only([]), settings).finish().check()
    out = Counter(map(item_key, feed_items(stopped.folder, EXPORTED)))
    assert set(taken) <= set(out)
    assert out.total() - len(out) <= 1  # one whose row was not deleted yet


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
def test_disk_that_was_full_for_a_while_doubles_nothing_at_the_next_start(
    crawl: CrawlFunction, server: MockServer
) -> None:
    web = serve(server, pages=9)
    settings = {**SETTINGS, "ITEM_PIPELINES": PIPELINES, "JOBDIR": "job", "BLOCKFILTER_PAGES": 8}
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, ({}, resource.RLIM_INFINITY))"
    full = limit.format("os.path.getsize('.scrapy/blockfilter/templates.db')")
    harm = f"if self.seen == 4: {full}\n        if self.seen == 9: {limit.format('resource.RLIM_INFINITY')}"
    source = "import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    result = crawl(source + chain(web, per_page=20, after_items=harm), settings)
    assert Counter(map(item_key, result.items)) == Counter(web.keys(20))
    check_clean(web, result.items)
    assert result.stat("warmup/spooled") > 0
    assert sum("held items are kept in memory only" in line for line in result.log_lines(level="ERROR")) == 1
    assert spool_rows(result.store) == {"spooled_pages": 0, "spooled_items": 0}

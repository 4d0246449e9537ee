"""Whole crawls whose store fails."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scrapy_blockfilter.extras", reason="rule files are of an extra")

from stress.store_pages import is_whole
from tests.support.crawls import BeginFunction, Crawl, CrawlFunction, list_spider
from tests.support.made_sites import make_site
from tests.support.mockserver import MockServer
from tests.support.sqlite_files import run_sql

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals, limits and file systems of POSIX")

PAGES = 12
ASIDE = "sets a damaged store aside"

# N. The first page is written at once, the others with the fit.
N = 8
# Harm done to the store in the middle of a crawl, between the first page and the fit; ``path`` is that of the store.
HARM = """
import os, resource, sqlite3
from pathlib import Path

path = Path(".scrapy/blockfilter/templates.db")
seen = 0

def harm(response):
    global seen
    seen += 1
    if seen == 6:
        {harm}
    if seen == {pages}:
        {repair}
"""
ITEM = '(harm(response), {"url": response.url, "html": response.text})[1]'


def harmful_crawl(crawl: CrawlFunction, server: MockServer, harm: str, repair: str = "pass") -> Crawl:
    """A crawl of a site in whose middle harm is done to the store: all items come out clean."""
    host = server.add_site(make_site(pages=PAGES))
    urls = [f"http://{host}{page.url_path}" for page in make_site(pages=PAGES).pages]
    preamble = HARM.format(harm=harm, repair=repair, pages=PAGES)
    result = crawl(list_spider(urls, ITEM, preamble=preamble), {"BLOCKFILTER_PAGES": N})
    assert result.exit_code == 0, result.log
    assert result.stats["finish_reason"] == "finished"
    assert [item["url"] for item in result.items] == urls
    assert not result.reasons()
    assert result.stat("items/cleaned") == PAGES
    assert result.stat("errors") == 0
    result.check_sums()
    return result


def learnt_pages(store: Path) -> int:
    assert is_whole(store)
    return len(run_sql(store, "SELECT page FROM pages"))


def one_error(result: Crawl) -> str:
    (line,) = result.log_lines(level="ERROR")
    assert "\n" not in line
    assert result.stat("store/errors") >= 1
    return line


def next_crawl(crawl: CrawlFunction, server: MockServer) -> Crawl:
    """Another crawl with the store of the last: it goes well, whatever the store."""
    host = server.add_site(make_site(pages=5, seed=5))
    result = crawl(list_spider([f"http://{host}{page.url_path}" for page in make_site(pages=5, seed=5).pages]))
    assert len(result.items) == 5
    assert result.stat("items/cleaned") == 5
    return result.check()


@pytest.mark.parametrize(
    "harm",
    [
        "os.truncate(path, path.stat().st_size // 2)",
        # From the number on by which SQLite sees that what it has in memory is out of date.
        "path.write_bytes(path.read_bytes()[:24] + os.urandom(4) + path.read_bytes()[28:4096] + os.urandom(40_000))",
    ],
    ids=["cut off", "overwritten"],
)
def test_file_damaged_in_a_crawl_is_set_aside_by_the_next(crawl: CrawlFunction, server: MockServer, harm: str) -> None:
    result = harmful_crawl(crawl, server, harm)
    assert ASIDE in one_error(result)

    after = next_crawl(crawl, server)
    assert after.log_lines(level="ERROR") == []
    (told,) = after.log_lines("scrapy_blockfilter.store.set_aside", "WARNING")
    assert f"The old file is {after.store}.old-1" in told
    assert learnt_pages(after.store) == 4


def test_file_deleted_in_a_crawl_is_told_and_made_anew_by_the_next(crawl: CrawlFunction, server: MockServer) -> None:
    result = harmful_crawl(crawl, server, "path.unlink()")
    assert "was deleted or replaced while it was in use" in one_error(result)
    assert not result.store.exists()
    after = next_crawl(crawl, server)
    assert learnt_pages(after.store) == 4


def test_file_that_another_replaces_in_a_crawl_is_not_written_to(crawl: CrawlFunction, server: MockServer) -> None:
    replace = "Path('other.db').write_bytes(path.read_bytes()); os.replace('other.db', path)"
    result = harmful_crawl(crawl, server, replace)
    assert "was deleted or replaced while it was in use" in one_error(result)
    assert learnt_pages(result.store) == 1


# By the number of the format in its header, which root has to obey too; the other number has SQLite look there again.
SET_READ_ONLY = (
    "f = path.open('r+b'); f.seek(18); f.write(bytes([3])); f.seek(24); f.write(bytes([255, 0, 0, 0])); f.close()"
)


def test_file_that_gets_read_only_in_a_crawl_keeps_what_it_has(crawl: CrawlFunction, server: MockServer) -> None:
    result = harmful_crawl(crawl, server, SET_READ_ONLY)
    line = one_error(result)
    assert "readonly" in line
    assert "Make the file and its folder writable" in line
    assert learnt_pages(result.store) == 1


def test_disk_that_is_full_for_a_while_in_a_crawl_loses_nothing(crawl: CrawlFunction, server: MockServer) -> None:
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, ({}, resource.RLIM_INFINITY))"
    full = limit.format("path.stat().st_size")
    result = harmful_crawl(crawl, server, full)
    assert "Make room on the disk" in one_error(result)
    assert learnt_pages(result.store) == 1
    result.store.unlink()
    result = harmful_crawl(crawl, server, full, limit.format("resource.RLIM_INFINITY"))
    assert "Make room on the disk" in one_error(result)
    assert learnt_pages(result.store) == N


def test_file_that_another_process_holds_costs_one_wait_and_no_item(crawl: CrawlFunction, server: MockServer) -> None:
    hold = "globals().update(held=sqlite3.connect(path, isolation_level=None)); held.execute('BEGIN IMMEDIATE')"
    result = harmful_crawl(crawl, server, hold, "held.execute('ROLLBACK')")
    assert "Another process holds it" in one_error(result)
    assert result.stat("store/errors") <= 2
    assert learnt_pages(result.store) == N


def test_eight_crawls_of_a_site_learn_as_one_would(begin: BeginFunction, server: MockServer, tmp_path: Path) -> None:
    store = tmp_path / "shared.db"
    site = make_site(pages=PAGES)
    host = server.add_site(site)
    settings: dict[str, Any] = {"BLOCKFILTER_STORE": str(store), "BLOCKFILTER_PAGES": 2}
    running = []
    for number in range(8):
        pages = [site.pages[(number + 3 * step) % PAGES] for step in range(6)]
        urls = [f"http://{host}{page.url_path}" for page in pages]
        running.append(begin(list_spider(urls), settings, folder=f"crawl{number}"))
    results = [process.finish().check() for process in running]
    assert [len(result.items) for result in results] == [6] * 8
    assert all(result.log_lines(level="WARNING") == [] for result in results)

    alone = begin(
        list_spider([f"http://{host}{page.url_path}" for page in site.pages]),
        {**settings, "BLOCKFILTER_STORE": str(tmp_path / "alone.db"), "BLOCKFILTER_PAGES": PAGES},
        folder="alone",
    ).finish()
    alone.check()
    rows = "SELECT page, blocks, record FROM pages"
    together, by_one = (set(run_sql(path, rows)) for path in (store, tmp_path / "alone.db"))
    assert together <= by_one
    assert len(together) >= 2
    assert len(by_one) == PAGES

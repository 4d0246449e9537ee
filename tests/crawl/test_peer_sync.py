"""Processes that share a store learn a site together."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from scrapy_blockfilter.crawl import Sites
from scrapy_blockfilter.html import PageCaches, parse, segment
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store import MemoryStore, SqliteStore
from tests.support.made_crawler import CountingStats
from tests.support.made_sites import make_site

N = 10
HOST = "news.example"
SITE = make_site(pages=40)

# Learns pages as they are dealt, and answers with how many it knows and whether it has a model.
PROCESS = f"""
import sys
from scrapy_blockfilter.crawl.sites import Sites
from scrapy_blockfilter.crawl.stats import Uncounted
from scrapy_blockfilter.html import parse, segment
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.store import SqliteStore
from tests.support.made_sites import make_site

pages = make_site(pages={len(SITE.pages)}).pages
crawled = Sites(Options(pages={N}), SqliteStore(sys.argv[1]), Uncounted())
print("ready", flush=True)
for line in sys.stdin:
    number = int(line)
    if crawled.named("{HOST}").wants(number):
        crawled.named("{HOST}").learn(number, segment(parse(pages[number].html), crawled.reader.known))
    print(crawled.named("{HOST}").pages, crawled.named("{HOST}").model() is not None, flush=True)
"""


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[[], Sites]]:
    """Makes crawls with connections of their own to one file, as processes have."""
    with ExitStack() as cleanup:

        def make() -> Sites:
            crawled = Sites(Options(pages=N), SqliteStore(tmp_path / "templates.db"), CountingStats())
            cleanup.callback(crawled.close)
            return crawled

        yield make


def teach(crawled: Sites, number: int) -> None:
    if crawled.named(HOST).wants(number):
        crawled.named(HOST).learn(number, segment(parse(SITE.pages[number].html), crawled.reader.known))


@pytest.mark.slow
def test_eight_processes_have_a_model_when_they_have_seen_n_pages_and_one_more_each(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROCESS, str(tmp_path / "templates.db")]
    with ExitStack() as running:
        processes = [
            running.enter_context(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
            for _ in range(8)
        ]
        for process in processes:
            running.callback(process.kill)
        answers = {}
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for number in range(N + 8):
            process = processes[number % 8]
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(f"{number}\n")
            process.stdin.flush()
            answers[number % 8] = process.stdout.readline().split()
        assert [has_model for _, has_model in answers.values()] == ["True"] * 8
        with closing(SqliteStore(tmp_path / "templates.db")) as store:  # no process has closed yet
            assert len(store.load(HOST, 100)) >= N


def test_model_is_fitted_to_the_pages_of_all(make: Callable[[], Sites]) -> None:
    crawls = [make() for _ in range(4)]
    for number in range(N + 4):
        teach(crawls[number % 4], number)
    assert [crawled.named(HOST).model() is not None for crawled in crawls].count(True) >= 1
    ready = next(crawled for crawled in crawls if crawled.named(HOST).model())
    assert ready.named(HOST).pages >= N


def test_process_that_gets_no_more_pages_takes_in_those_of_others(
    make: Callable[[], Sites], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrapy_blockfilter.crawl.sites.LOOK_EVERY", 0.0)
    waiting, busy = make(), make()
    told: list[str] = []
    waiting.on_ready = told.append
    teach(waiting, 0)
    assert waiting.named(HOST).model() is None
    for number in range(1, N + 1):
        teach(busy, number)
    assert waiting.named(HOST).model() is not None
    assert told == [HOST]


def test_process_alone_writes_its_first_page_and_then_ready_sites_only() -> None:
    saved: list[int] = []

    class Noting(MemoryStore):
        def save(self, site: str, sample):  # type: ignore[no-untyped-def]
            saved.append(len(sample))
            return super().save(site, sample)

    crawled = Sites(Options(pages=N), Noting(), CountingStats())
    for number in range(N):
        teach(crawled, number)
    assert saved == [1, N]


def test_every_page_is_written_at_once_while_others_use_the_store() -> None:
    saved: list[int] = []

    class Busy(MemoryStore):
        def is_shared(self) -> bool:
            return True

        def save(self, site: str, sample: SiteSample) -> SiteSample:
            saved.append(len(sample))
            return super().save(site, sample)

    crawled = Sites(Options(pages=N), Busy(), CountingStats())
    for number in range(2 * N):
        teach(crawled, number)
    assert saved == [*range(1, N + 1)]


def test_others_pages_are_read_once_in_a_while() -> None:
    read: list[float] = []
    now = [0.0]

    class Busy(MemoryStore):
        def is_shared(self) -> bool:
            return True

        def news(self, site: str, sample: SiteSample) -> SiteSample:
            read.append(now[0])
            return sample

    sites = Sites(Options(pages=N), Busy(), CountingStats(), clock=lambda: now[0])
    for now[0] in (0.0, 0.5, 1.0, 1.5):
        sites.named(HOST)
        sites.named(HOST)
    assert read == [0.0, 1.0]


def test_page_more_of_a_site_is_one_row_more(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "templates.db")) as store:
        sample = SiteSample(4 * N)
        known = PageCaches()
        for number in range(N - 1):
            sample.add(number, segment(parse(SITE.pages[number].html), known))
        store.save(HOST, sample)
        sample.add(N, segment(parse(SITE.pages[N].html), known))
        before = store._connection.total_changes
        read: list[object] = []
        store._connection.set_trace_callback(read.append)
        store.save(HOST, sample)
        rows = {statement for statement in map(str, read) if "INSERT OR REPLACE INTO pages" in statement}
        assert len(rows) == 1
        blocks = len(sample.records[N].block_keys())
        assert store._connection.total_changes - before <= 2 + blocks + len(sample.steps)

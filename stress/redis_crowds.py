"""Crawls that share a store: processes that learn the same sites, and a Redis server that fails.

``python -m stress.redis_crowds`` prints what it found, and exits with 1 if a sample is not that of one process, if an
item is lost, or if a crawl waits for longer than it may.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from operator import attrgetter
from pathlib import Path
from typing import Any

from benchmarks.tables import positive, print_made_with, table
from scrapy_blockfilter import Options, SiteSample
from scrapy_blockfilter.crawl.sites import Sites
from scrapy_blockfilter.crawl.soft_store import LOOK_EVERY
from scrapy_blockfilter.extras.redis import RedisStore
from scrapy_blockfilter.html.caches import PageCaches
from scrapy_blockfilter.sample import SAMPLE_GROWTH
from scrapy_blockfilter.store import SqliteStore, StoreError, TemplateStore
from stress.redis_crawls import FAULTS as CRAWL_FAULTS
from stress.redis_crawls import disturb
from stress.store_damage import Tally
from stress.store_pages import Counted, doubled, is_part_of, learn, sample_of
from stress.store_processes import CONTEXT, gather
from tests.support.mockserver import MockServer
from tests.support.redis_server import RedisServer

N = 10
OPTIONS = Options(pages=N)
LIMIT = SAMPLE_GROWTH * N
PROCESSES = 8
# Pages of a site that are dealt to the processes in turn.
DEALT = 40
# Pages of a site in a crowd, and how many of them each process sees.
_PAGES, _SEEN = 17, 8
# Seconds within which a crowd has learnt: minutes, on two processors.
_PATIENCE = 1_800.0
# Seconds of waiting that a minute may have, and of work in store calls that a page may.
MAX_WAIT, MAX_CALLS = 1.0, 0.001
# Pages of each site while the server fails: it fails before the second of these, and is back before the third. The
# sites have N pages meanwhile.
_LEARNT, _FAILS, _BACK = 22, 6, 16


class TimedStore:
    """A store that notes the seconds of each call.

    Attributes:
        seconds: of each call, on the clock.
        work: the same of this thread's processor time: what a call takes where nobody else uses the processor.
        vain: number of calls that waited for an answer, and got none.
    """

    def __init__(self, store: TemplateStore) -> None:
        self._store = store
        self.seconds: list[float] = []
        self.work: list[float] = []
        self.vain = 0

    def __getattr__(self, name: str) -> Any:
        of_store = getattr(self._store, name)
        if not callable(of_store):
            return of_store

        def timed(*arguments: Any) -> Any:
            for sample in arguments:
                if isinstance(sample, SiteSample):  # a fit makes the bytes of its records, with or without a store
                    list(map(attrgetter("body"), sample.records.values()))
            start, work = time.perf_counter(), time.thread_time()
            try:
                return of_store(*arguments)
            except StoreError as error:
                self.vain += "does not answer" in str(error)
                raise
            finally:
                self.seconds.append(time.perf_counter() - start)
                self.work.append(time.thread_time() - work)

        return timed


def open_shared(place: str) -> SqliteStore | RedisStore:
    """Open the store at a path or URL as a crawl does."""
    return RedisStore(place, pages=N) if place.startswith("redis://") else SqliteStore(place)


def deal(place: str, processes: int = PROCESSES) -> tuple[int, int]:
    """Deal the pages of a site to processes in turn.

    Returns:
        How many pages the site had shown when all were ready (0: never), and how many pages the last one had seen.
    """
    with ExitStack() as running:
        pipes = []
        for _ in range(processes):
            ours, theirs = CONTEXT.Pipe()
            process = CONTEXT.Process(target=_learn_dealt, args=(theirs, place), daemon=True)
            process.start()
            running.callback(process.join)
            running.callback(process.kill)
            assert ours.recv() == "ready"
            pipes.append(ours)
        is_ready = [False] * processes
        for number in range(DEALT):
            pipes[number % processes].send(number)
            is_ready[number % processes] = pipes[number % processes].recv()
            if all(is_ready):
                return number + 1, -(-(number + 1) // processes)
        return 0, 0


def _learn_dealt(pipe: Connection, place: str) -> None:
    crawled = Sites(OPTIONS, open_shared(place), Counted())
    pipe.send("ready")
    while True:
        learn(crawled, "dealt.example", [pipe.recv()])
        pipe.send(crawled.named("dealt.example").model() is not None)


@dataclass
class Report:
    """What one process of a crowd did: pages seen, seconds in store calls and of work in them, sites, and errors."""

    visits: int = 0
    calls: list[float] = field(default_factory=list)
    work: float = 0.0
    ready: int = 0
    errors: int = 0


@dataclass
class Crowd:
    """Many processes on the same sites.

    Attributes:
        wrong: sites whose stored sample has fewer than N pages, or others than a process has seen.
        ready: sites with a model, in the process that has fewest.
        calls: seconds of store calls a page, on average.
        work: seconds of processor time among them.
        longest: seconds that 95 % of the store calls take at most.
    """

    sites: int
    visits: int
    seconds: float
    wrong: int
    doubled: int
    errors: int
    ready: int
    calls: float
    work: float
    longest: float


def crowd(place: str, sites: int, processes: int = PROCESSES, seed: int = 1) -> Crowd:
    """Have processes learn the same sites at once, each some of the pages."""
    names = [f"crowd-{number}.example" for number in range(sites)]
    visits = [_visits(names, f"{seed} {process}") for process in range(processes)]
    barrier = CONTEXT.Barrier(processes)
    tally = Tally()
    start = time.perf_counter()
    reports, problems = gather([(_learn_crowd, (place, of_one, barrier)) for of_one in visits], tally, _PATIENCE)
    seconds = time.perf_counter() - start
    shown: dict[str, set[int]] = defaultdict(set)
    for site, page in (visit for of_one in visits for visit in of_one):
        shown[site].add(page)
    known, wrong, twice = PageCaches(), 0, 0
    with closing(open_shared(place)) as store:
        for site in names:
            sample = store.load(site, LIMIT)
            whole = sample_of(site, sorted(shown[site]), known, LIMIT)
            wrong += len(sample) < N or not is_part_of(sample, whole)
            twice += doubled(sample)
    calls = [seconds for report in reports for seconds in report.calls]
    number = sum(report.visits for report in reports)
    return Crowd(
        sites,
        number,
        seconds,
        wrong,
        twice,
        len(problems) + sum(report.errors for report in reports),
        min((report.ready for report in reports), default=0),
        sum(calls) / max(1, number),
        sum(report.work for report in reports) / max(1, number),
        statistics.quantiles(calls, n=20)[-1] if len(calls) > 1 else 0.0,
    )


def _visits(sites: Iterable[str], seed: str) -> list[tuple[str, int]]:
    chooser = random.Random(seed)
    visits = [(site, page) for site in sites for page in chooser.sample(range(_PAGES), _SEEN)]
    chooser.shuffle(visits)
    return visits


def _learn_crowd(told: Connection, place: str, visits: list[tuple[str, int]], barrier: Any) -> None:
    stats = Counted()
    store = TimedStore(open_shared(place))
    crawled = Sites(OPTIONS, store, stats)
    barrier.wait()
    for site, page in visits:
        learn(crawled, site, [page])
    calls, work = store.seconds.copy(), sum(store.work)
    sites = {site for site, _ in visits}
    # A site may get its Nth page when this process has seen all of its own.
    barrier.wait()
    time.sleep(LOOK_EVERY)
    ready = sum(crawled.named(site).model() is not None for site in sites)
    crawled.close()
    told.send(Report(len(visits), calls, work, ready, stats["blockfilter/store/errors"]))


@dataclass
class Outage:
    """A server that failed in a crawl: calls in vain, seconds that calls took meanwhile, and sites that lack pages."""

    fault: str
    vain: int
    waited: float
    missing: int
    sites: int


FAULTS = ("down at the start", "killed and back", "hung and back", "full, then with room")


def outage(fault: str, sites: int = 4) -> Outage:
    """Learn sites page by page while the server fails and is back."""
    names = [f"site-{number}.example" for number in range(sites)]
    with RedisServer() as server, closing(RedisStore(server.url, pages=N)) as plain:
        if fault.startswith("down"):
            server.kill()
        store = TimedStore(RedisStore(server.url, pages=N))
        crawled = Sites(OPTIONS, store, Counted())
        for number in range(_LEARNT):
            if number == _FAILS:
                _fail(fault, server, plain)
            if number == _BACK:
                _come_back(fault, server, plain)
            for site in names:
                learn(crawled, site, [number])
        crawled.close()
        known, missing = PageCaches(), 0
        plain.retry()
        for site in names:
            missing += plain.load(site, LIMIT).records != sample_of(site, range(N), known, N).records
    return Outage(fault, store.vain, sum(store.seconds), missing, sites)


def _fail(fault: str, server: RedisServer, store: RedisStore) -> None:
    if fault.startswith("killed"):
        server.kill()
    elif fault.startswith("hung"):
        server.hang()
    elif fault.startswith("full"):
        store.link.client.config_set("maxmemory", "100kb")


def _come_back(fault: str, server: RedisServer, store: RedisStore) -> None:
    if fault.startswith("hung"):
        server.go_on()
    elif fault.startswith("full"):
        store.link.client.config_set("maxmemory", "0")
    else:
        server.start()


def long_hang(seconds: float) -> float:
    """Return how long a crawl waits for a server that hangs for so many seconds, a page every 20 ms."""
    with RedisServer() as server:
        store = TimedStore(RedisStore(server.url, pages=N))
        crawled = Sites(OPTIONS, store, Counted())
        learn(crawled, "first.example", [0])
        server.hang()
        store.seconds.clear()
        ends = time.monotonic() + seconds
        number = 0
        while time.monotonic() < ends:
            number += 1
            learn(crawled, f"site-{number // 5}.example", [number % 5])
            time.sleep(0.02)
        waited = sum(store.seconds)
        server.kill()
        crawled.close()
    return waited


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m stress.redis_crowds", description="Share a store, and disturb it.")
    parser.add_argument("--sites", type=positive, default=200, help="that a crowd learns (200)")
    parser.add_argument("--processes", type=positive, default=PROCESSES, help=f"of a crowd ({PROCESSES})")
    parser.add_argument("--seconds", type=positive, default=60, help="that a server hangs (60)")
    given = parser.parse_args()
    good = [
        _dealt(given.processes),
        _crowds(given.sites, given.processes),
        _outages(given.seconds),
        _crawls(),
    ]
    print_made_with()
    return 0 if all(good) else 1


def _places(folder: str, server: RedisServer) -> dict[str, str]:
    return {"Redis": server.url, "SQLite": str(Path(folder) / "templates.db")}


def _dealt(processes: int) -> bool:
    is_good = True
    with tempfile.TemporaryDirectory() as folder, RedisServer() as server:
        for name, place in _places(folder, server).items():
            shown, seen = deal(place, processes)
            is_good &= 0 < shown <= N + processes
            print(
                f"{name}: {processes} processes, N = {N}: all ready at page {shown} of a site, each page seen by one,"
            )
            print(
                f"  no process having seen more than {seen} (bound: {N} and one a process, {N + processes}).",
                flush=True,
            )
    return is_good


def _crowds(sites: int, processes: int) -> bool:
    rows, is_good = [], True
    with tempfile.TemporaryDirectory() as folder, RedisServer() as server:
        for name, place in _places(folder, server).items():
            made = crowd(place, sites if name == "Redis" else max(1, sites // 5), processes)
            is_good &= not (made.wrong or made.doubled or made.errors)
            is_good &= name != "Redis" or made.work <= MAX_CALLS
            counts = (made.sites, made.visits, made.wrong, made.doubled, made.errors, made.ready)
            times = (
                f"{made.visits / made.seconds:.0f}",
                f"{1000 * made.work:.2f}",
                f"{1000 * made.calls:.1f}",
                f"{1000 * made.longest:.1f}",
            )
            rows.append((name, *map(str, counts), *times))
    head = ("store", "sites", "pages seen", "wrong samples", "pages doubled", "errors")
    print(f"\n{processes} processes, each with {_SEEN} of a site's {_PAGES} pages:\n")
    print(
        table(
            (
                *head,
                "ready sites a process",
                "pages/s",
                "ms of work in calls a page",
                "ms on the clock",
                "p95 ms a call",
            ),
            rows,
        ),
        flush=True,
    )
    return is_good


def _outages(seconds: int) -> bool:
    made = [outage(fault) for fault in FAULTS]
    rows = [(fault.fault, f"{fault.waited:.2f}", f"{fault.missing} of {fault.sites}") for fault in made]
    print(f"\nThe server fails at page {_FAILS} of {_LEARNT} of each site, and is back at page {_BACK}:\n")
    print(table(("Redis", "seconds in calls", "samples not there at the end"), rows))
    waited = long_hang(seconds)
    print(f"\nA server that hangs for {seconds} s: {waited:.2f} s of waiting.", flush=True)
    allowed = MAX_WAIT * -(-seconds // 60)
    return waited <= allowed and all(not fault.missing and fault.waited <= 2 * MAX_WAIT for fault in made)


def _crawls() -> bool:
    rows, is_good = [], True
    with MockServer() as web:
        for fault in CRAWL_FAULTS:
            with tempfile.TemporaryDirectory() as folder:
                made = disturb(fault, web, Path(folder))
            is_good &= made.is_good
            rows.append((fault, *map(str, (made.items, made.lost, made.doubled, made.raw, made.missing))))
    print("\nWhole crawls, whose items wait while the server fails:\n")
    print(table(("Redis", "items", "lost", "doubled", "with template", "samples not there"), rows))
    return is_good


if __name__ == "__main__":
    raise SystemExit(main())

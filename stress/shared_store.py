"""Many small processes that write and read one store at the same time, each with sites of its own and shared ones."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter
from typing import Any

from scrapy_blockfilter import SiteSample
from scrapy_blockfilter.crawl.sites import Sites
from scrapy_blockfilter.html.caches import PageCaches
from scrapy_blockfilter.store import SqliteStore
from scrapy_blockfilter.store.model_rows import ModelVersion
from scrapy_blockfilter.store.opening import OPENING_TIMEOUT
from scrapy_blockfilter.store.shared_file import BUSY_TIMEOUT
from stress.store_damage import Tally
from stress.store_pages import LIMIT, OPTIONS, Counted, doubled, is_part_of, is_whole, learn, page_hash, sample_of
from stress.store_processes import CONTEXT, PATIENCE, gather

PROCESSES = 40
_SHARED = [f"shared-{number}.example" for number in range(3)]
_SITES_OF_ONE = 2
# Pages that a process learns of a site of its own: fewer than LIMIT, so all stay.
_OWN_PAGES = 6
# Pages of a shared site, and how many of them each process sees. Of those that it learns, LIMIT stay.
_PAGES, _LEARNT = 30, 12
# Pages learnt between two reads.
_READ_EVERY = 4


@dataclass
class Report:
    """What one process did: its writes and reads, the seconds of its longest write, and what went wrong.

    Attributes:
        learnt: the pages of each site that the store has acknowledged.
    """

    writes: int = 0
    reads: int = 0
    longest: float = 0.0
    problems: list[str] = field(default_factory=list)
    learnt: dict[str, set[int]] = field(default_factory=dict)


class _TimedStore(SqliteStore):
    """Times each write, and keeps which pages were acknowledged."""

    def __init__(self, path: Path, report: Report, patience: float) -> None:
        super().__init__(path, busy_timeout=patience, opening_timeout=max(patience, OPENING_TIMEOUT))
        self._report = report
        self.acknowledged: dict[str, set[int]] = defaultdict(set)

    @contextmanager
    def together(self) -> Iterator[None]:
        with self._timed(), super().together():
            yield

    def save(self, site: str, sample: SiteSample) -> SiteSample:
        given = list(sample.records)
        with self._timed():
            merged = super().save(site, sample)
        self.acknowledged[site].update(given)
        return merged

    def save_model(self, site: str, limit: int, conditions: str, sample: str, data: bytes) -> None:
        with self._timed():
            super().save_model(site, limit, conditions, sample, data)

    def note(self, site: str, version: ModelVersion) -> None:
        with self._timed():
            super().note(site, version)

    @contextmanager
    def _timed(self) -> Iterator[None]:
        if self._connection.in_transaction:  # timed as a whole, with the commit
            yield
            return
        start = perf_counter()
        yield
        self._report.writes += 1
        self._report.longest = max(self._report.longest, perf_counter() - start)


def share_store(
    folder: Path, rounds: int, seed: int, processes: int = PROCESSES, patience: float = BUSY_TIMEOUT
) -> Tally:
    """Have processes learn and read at once: all that was learnt must be there, and no write waits too long.

    Args:
        patience: seconds that a process waits for the others at most, once it has the file open.
    """
    tally = Tally()
    writes = reads = sites = 0
    longest = 0.0
    for number in range(rounds):
        path = folder / f"shared-{number}.db"
        barrier = CONTEXT.Barrier(processes)
        seeds = [f"{seed} shared {number} {process}" for process in range(processes)]
        work: list[tuple[Callable[..., None], tuple[Any, ...]]] = [
            (_learn_and_read, (path, process, seeds[process], barrier, patience)) for process in range(processes)
        ]
        reports, problems = gather(work, tally, max(PATIENCE, patience))
        for report in reports:
            tally.errors += len(report.problems)
            problems += report.problems
            writes, reads = writes + report.writes, reads + report.reads
            longest = max(longest, report.longest)
        expected = {site: _learnt_by_all(site, reports) for site in _sites_of_all(seeds)}
        problems += [f"{site} is not learnt" for site, pages in expected.items() if len(pages) < OPTIONS.pages]
        sites += len(expected)
        problems += missing(path, expected, tally)
        if longest > patience:
            problems.append(f"a write took {longest:.1f} s")
        tally.trial(not problems and is_whole(path), f"seed {seed}, shared {number}: {problems[:3]}")
    tally.notes.append(
        f"{processes} processes on one store, {rounds} times: {sites:,} sites, {writes:,} writes and {reads:,} reads, "
        f"the longest write {longest:.1f} s (bound: {patience:.0f})."
    )
    return tally


def missing(path: Path, expected: Mapping[str, set[int]], tally: Tally) -> list[str]:
    """Return the sites of a store that have not exactly the pages they should have; count pages that are doubled."""
    problems = []
    known = PageCaches()
    with closing(SqliteStore(path)) as store:
        for site, pages in expected.items():
            sample = store.load(site, LIMIT)
            tally.doubled += doubled(sample)
            if sample.records != sample_of(site, sorted(pages), known).records:
                problems.append(f"{site} has not the sample it should have")
    return problems


def _sites_of_all(seeds: list[str]) -> set[str]:
    """Return the sites that processes with these seeds learn."""
    return {site for number, seed in enumerate(seeds) for site, _ in _visits(number, seed)}


def _learnt_by_all(site: str, reports: list[Report]) -> set[int]:
    """Return the numbers of the pages of a site that processes have learnt."""
    learnt = set().union(*(report.learnt.get(site, set()) for report in reports))
    return {page for page in range(_PAGES) if page_hash(page) in learnt}


def _visits(number: int, seed: str) -> list[tuple[str, int]]:
    """Return the sites and pages that a process learns, in its order."""
    chooser = random.Random(seed)
    own = [f"own-{number}-{site}.example" for site in range(_SITES_OF_ONE)]
    visits = [(site, page) for site in own for page in range(_OWN_PAGES)]
    visits += [(site, page) for site in _SHARED for page in chooser.sample(range(_PAGES), _LEARNT)]
    chooser.shuffle(visits)
    return visits


def _learn_and_read(told: Connection, path: Path, number: int, seed: str, barrier: Any, patience: float) -> None:
    report, stats = Report(), Counted()
    known = PageCaches()
    whole = {site: sample_of(site, range(_PAGES), known, _PAGES) for site in _SHARED}
    barrier.wait()
    try:
        store = _TimedStore(path, report, patience)
        crawled = Sites(OPTIONS, store, stats)
        with closing(SqliteStore(path, busy_timeout=patience)) as reader:
            for step, (site, page) in enumerate(_visits(number, seed)):
                learn(crawled, site, [page])
                if step % _READ_EVERY == 0:
                    shared = _SHARED[step // _READ_EVERY % len(_SHARED)]
                    report.reads += 1
                    read = reader.load(shared, LIMIT)
                    report.problems += _wrong_with(shared, read, whole[shared], store.acknowledged[shared])
        crawled.close()
        report.learnt = dict(store.acknowledged)
    except Exception as error:
        report.problems.append(repr(error))
    if stats["blockfilter/store/errors"]:
        report.problems.append(f"{stats['blockfilter/store/errors']} store errors")
    told.send(report)


def _wrong_with(site: str, sample: SiteSample, whole: SiteSample, acknowledged: set[int]) -> list[str]:
    """Return what is wrong with a site that is read while others write it."""
    if doubled(sample) or not is_part_of(sample, whole):
        return [f"{site} was read with pages that were never learnt, or twice"]
    largest = max(sample.records, default=0)
    lost = [page for page in acknowledged - sample.records.keys() if len(sample) < LIMIT or page < largest]
    return [f"{site} was read without {len(lost)} pages that were acknowledged"] if lost else []

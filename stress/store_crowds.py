"""Processes that write one store at the same time, one of them killed while writing."""

from __future__ import annotations

import multiprocessing
import random
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter, sleep

from scrapy_blockfilter import SiteSample
from scrapy_blockfilter.crawl import Sites
from scrapy_blockfilter.crawl.stats import Uncounted
from scrapy_blockfilter.store import SqliteStore
from stress.store_damage import Tally
from stress.store_pages import LIMIT, OPTIONS, doubled, is_part_of, is_whole, learn, sample_of

# A process that reports nothing for this many seconds hangs: its work takes milliseconds.
PATIENCE = 120.0
# A server that has imported all modules starts a process in milliseconds.
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["stress.store_crowds"])
# Seconds to wait for a transaction, to kill a process inside it; there are several per second.
_AIMING = 1.0
# Pages of a site that each writer learns in its own order; LIMIT of them stay.
_PAGES = 30


class AcknowledgingStore(SqliteStore):
    """Reports saved pages once they are committed."""

    def __init__(self, path: Path, told: Connection) -> None:
        super().__init__(path)
        self._told = told
        self._written: list[tuple[str, list[int]]] = []

    @contextmanager
    def together(self) -> Iterator[None]:
        try:
            with super().together():
                yield
        except BaseException:
            self._written.clear()
            raise
        self._acknowledge()

    def save(self, site: str, sample: SiteSample) -> SiteSample:
        merged = super().save(site, sample)
        self._written.append((site, list(sample.records)))
        self._acknowledge()
        return merged

    def _acknowledge(self) -> None:
        if not self._connection.in_transaction:
            for written in self._written:
                self._told.send(written)
            self._written.clear()


class _Writer:
    """A process that learns sites for ever, and the pages that it has acknowledged."""

    def __init__(self, path: Path, number: int, seed: int, learnt: dict[str, set[int]]) -> None:
        self._told, teller = CONTEXT.Pipe(duplex=False)
        self._process = CONTEXT.Process(target=_learn_forever, args=(teller, path, number, seed), daemon=True)
        self._process.start()
        teller.close()
        self._learnt = learnt

    def saves(self) -> bool:
        """Tell whether it saves something within ``PATIENCE``."""
        try:
            if not self._told.poll(PATIENCE):
                return False
            site, pages = self._told.recv()
        except (EOFError, OSError):
            return False
        self._learnt[site].update(pages)
        return True

    def kill(self) -> None:
        """Kill it, and read all that it had reported."""
        self._process.kill()
        self._process.join()
        while self.saves():
            pass
        self._told.close()


def kill_writers(folder: Path, rounds: int, seed: int) -> Tally:
    """Kill one process per round, at any moment, while two learn the same sites.

    Acknowledged pages must be in the store, none twice, and no page that was never learnt.
    """
    path = folder / "killed.db"
    tally = Tally()
    for number in range(rounds):
        learnt: dict[str, set[int]] = defaultdict(set)
        chooser = random.Random(f"{seed} kill {number}")
        killed, survivor = (_Writer(path, number, chooser.randrange(2**32), learnt) for _ in range(2))
        is_hanging = not (killed.saves() and survivor.saves())
        sleep(chooser.uniform(0, 0.05))
        if number % 2:
            _await_journal(path)
        killed.kill()
        tally.journals += _has_journal(path)
        # The other process finds the journal of the dead one.
        is_hanging = is_hanging or not survivor.saves()
        survivor.kill()
        tally.hangs += is_hanging
        problem = "" if is_whole(path) else "not whole"
        try:
            with closing(SqliteStore(path)) as store:
                for site in {*learnt, *_sites_of(path, number)}:
                    sample = store.load(site, LIMIT)
                    tally.doubled += doubled(sample)
                    problem = problem or _lost(site, sample, learnt[site])
        except Exception as error:
            tally.errors += 1
            problem = repr(error)
        tally.trial(not problem, f"seed {seed}, kill {number}: {problem}")
    return tally


def _lost(site: str, sample: SiteSample, learnt: set[int]) -> str:
    """Return what is wrong with a site's sample after ``learnt`` pages were acknowledged, "" if nothing."""
    if not is_part_of(sample, sample_of(site, range(_PAGES), _PAGES)):
        return f"{site} has pages that were never learnt"
    largest = max(sample.records, default=0)
    missing = [page for page in learnt - sample.records.keys() if len(sample) < LIMIT or page < largest]
    return f"{site} has lost {len(missing)} pages" if missing else ""


def _sites_of(path: Path, number: int) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT site FROM sites WHERE site LIKE ?", (f"killed-{number}-%",))
        return [site for (site,) in rows]


def _has_journal(path: Path) -> bool:
    """Tell whether a transaction is under way, or was when its process was killed."""
    journal = Path(f"{path}-journal")
    return journal.exists() and journal.stat().st_size > 0


def _await_journal(path: Path) -> None:
    """Wait for a transaction, so that the kill hits it."""
    start = perf_counter()
    while not _has_journal(path) and perf_counter() - start < _AIMING:
        pass


def _learn_forever(told: Connection, path: Path, number: int, seed: int) -> None:
    chooser = random.Random(seed)
    crawled = Sites(OPTIONS, AcknowledgingStore(path, told), Uncounted())
    for visit in count():
        for page in chooser.sample(range(_PAGES), 10):
            learn(crawled, f"killed-{number}-{visit}.example", [page])

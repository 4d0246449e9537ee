"""Processes that write one store at the same time, one of them killed while writing."""

from __future__ import annotations

import multiprocessing
import os
import random
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any

from scrapy_blockfilter import SiteSample
from scrapy_blockfilter.crawl import Sites
from scrapy_blockfilter.store import SqliteStore
from stress.store_damage import Tally
from stress.store_pages import LIMIT, OPTIONS, Counted, doubled, is_part_of, is_whole, learn, sample_of

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext, SpawnContext

# A process that reports nothing for this many seconds hangs: its work takes milliseconds.
PATIENCE = 120.0
# A server that has imported all modules starts a process in milliseconds.
CONTEXT: ForkServerContext | SpawnContext = (
    multiprocessing.get_context("forkserver") if os.name == "posix" else multiprocessing.get_context("spawn")
)
CONTEXT.set_forkserver_preload(["stress.store_crowds"])
Work = tuple[Callable[..., None], tuple[Any, ...]]
Running = tuple[Any, Connection]
# Seconds to wait for a transaction, to kill a process inside it; there are several per second.
_AIMING = 1.0
# Pages of a site that each writer learns in its own order; LIMIT of them stay.
_PAGES = 30


@contextmanager
def processes(work: Sequence[Work]) -> Iterator[list[Running]]:
    """Start processes, each with a pipe for its reports, and kill those that are left at the end."""
    running = []
    try:
        for target, arguments in work:
            told, teller = CONTEXT.Pipe(duplex=False)
            process = CONTEXT.Process(target=target, args=(teller, *arguments), daemon=True)
            process.start()
            teller.close()
            running.append((process, told))
        yield running
    finally:
        for process, told in running:
            process.kill()
            process.join()
            told.close()


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


def kill_writers(folder: Path, rounds: int, seed: int) -> Tally:
    """Kill one process per round, at any moment, while two learn the same sites.

    Acknowledged pages must be in the store, none twice, and no page that was never learnt."""
    path = folder / "killed.db"
    tally = Tally()
    for number in range(rounds):
        learnt: dict[str, set[int]] = defaultdict(set)
        chooser = random.Random(f"{seed} kill {number}")
        with processes([(_learn_forever, (path, number, chooser.randrange(2**32))) for _ in range(2)]) as running:
            is_hanging = not all(_takes(told, learnt) for _, told in running)
            sleep(chooser.uniform(0, 0.05))
            if number % 2:
                _await_journal(path)
            killed, survivor = running
            killed[0].kill()
            _drain(killed, learnt)
            tally.journals += _has_journal(path)
            # The other process finds the journal of the dead one.
            is_hanging = is_hanging or not _takes(survivor[1], learnt)
            survivor[0].kill()
            _drain(survivor, learnt)
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
    crawled = Sites(OPTIONS, AcknowledgingStore(path, told), Counted())
    for visit in count():
        for page in chooser.sample(range(_PAGES), 10):
            learn(crawled, f"killed-{number}-{visit}.example", [page])


def _takes(told: Connection, learnt: dict[str, set[int]]) -> bool:
    """Tell whether a process has saved something."""
    try:
        if not told.poll(PATIENCE):
            return False
        site, pages = told.recv()
    except (EOFError, OSError):
        return False
    learnt[site].update(pages)
    return True


def _drain(running: Running, learnt: dict[str, set[int]]) -> None:
    """Read all that a killed process had reported."""
    process, told = running
    process.join()
    while _takes(told, learnt):
        pass

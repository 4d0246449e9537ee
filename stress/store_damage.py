"""Store files that are damaged, cut off, full or gone: reads must give what was written, and the crawl must go on."""

from __future__ import annotations

import logging
import random
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from logging.handlers import BufferingHandler
from pathlib import Path

from scrapy_blockfilter import SiteSample
from scrapy_blockfilter.crawl import Sites
from scrapy_blockfilter.crawl.stats import Uncounted
from scrapy_blockfilter.crawl.stores import store_of
from scrapy_blockfilter.store import SqliteStore, StoreError
from scrapy_blockfilter.store.errors import damaged
from scrapy_blockfilter.store.set_aside import set_aside
from stress.store_pages import LIMIT, OPTIONS, doubled, is_clear, is_part_of, is_whole, learn, make_store

SITES = {f"site-{number}.example": range(10 * number, 10 * number + 10) for number in range(4)}


@dataclass
class Tally:
    """Counts of the trials of a fault."""

    tried: int = 0
    # Trials without harm. Either all data read was as written, and no acknowledged page was lost. Or the file was
    # refused with advice, and the crawl went on.
    intact: int = 0
    doubled: int = 0  # pages that a sample held more than once
    errors: int = 0  # exceptions and lock errors that reached the user
    hangs: int = 0  # processes that reported nothing for two minutes
    journals: int = 0  # kills during a transaction
    problems: list[str] = field(default_factory=list)  # the harm done, in words

    @property
    def did_no_harm(self) -> bool:
        return self.intact == self.tried and not (self.doubled or self.errors or self.hangs)

    def trial(self, is_intact: bool, problem: object = "") -> None:
        self.tried += 1
        self.intact += is_intact
        if not is_intact:
            self.problems.append(str(problem))


Damage = Callable[[random.Random, Path], None]


def flip_bytes(
    chooser: random.Random, path: Path, counts: Sequence[int] = (1, 1, 3, 30, 300), within: int | None = None
) -> None:
    """Change some bytes anywhere, or within the first ones."""
    data = bytearray(path.read_bytes())
    for _ in range(chooser.choice(counts)):
        data[chooser.randrange(within or len(data))] ^= chooser.randrange(1, 256)
    path.write_bytes(data)


def flip_header(chooser: random.Random, path: Path) -> None:
    """Change some bytes of SQLite's header."""
    flip_bytes(chooser, path, (1, 1, 2, 8), within=100)


def cut_off(chooser: random.Random, path: Path) -> None:
    """Cut off the end of the file."""
    with path.open("r+b") as file:
        file.truncate(chooser.randrange(path.stat().st_size))


def wipe_page(chooser: random.Random, path: Path) -> None:
    """Fill one block of the disk with zeros."""
    data = bytearray(path.read_bytes())
    start = 4096 * chooser.randrange(len(data) // 4096)
    data[start : start + 4096] = bytes(4096)
    path.write_bytes(data)


def damage_files(folder: Path, damage: Damage, rounds: int, seed: int) -> Tally:
    """Damage copies of a store, then read them, crawl with them and set them aside."""
    original = folder / "original.db"
    written = make_store(original, SITES)
    tally = Tally()
    for number in range(rounds):
        chooser = random.Random(f"{seed} {damage.__name__} {number}")
        path = folder / f"{number}" / "templates.db"
        path.parent.mkdir()
        shutil.copyfile(original, path)
        damage(chooser, path)
        try:
            problem = _read(path, written, tally) or _crawl(path) or _replace(path)
        except Exception as error:
            tally.errors += 1
            problem = repr(error)
        tally.trial(not problem, f"seed {seed}, {damage.__name__} {number}: {problem}")
        shutil.rmtree(path.parent)
    original.unlink()
    return tally


def _read(path: Path, written: Mapping[str, SiteSample], tally: Tally) -> str:
    """Return what is wrong with the data read, "" if nothing."""
    try:
        with closing(SqliteStore(path, replaces=False)) as store:
            for site, sample in written.items():
                try:
                    read = store.load(site, LIMIT)
                except StoreError as error:
                    if not is_clear(str(error)):
                        return f"no advice: {error}"
                    continue
                tally.doubled += doubled(read)
                if not is_part_of(read, sample):
                    return f"{site} has pages that were never written"
    except StoreError as error:
        return "" if is_clear(str(error)) else f"no advice: {error}"
    return ""


def _crawl(path: Path) -> str:
    """Crawl known and new sites over a copy of a damaged file, and return what went wrong, "" if nothing."""
    copy = path.with_name("crawled.db")
    shutil.copyfile(path, copy)
    logged, logger = BufferingHandler(1_000), logging.getLogger("scrapy_blockfilter")
    logged.setLevel(logging.ERROR)
    logger.addHandler(logged)
    try:
        learner = Sites(OPTIONS, store_of(replace(OPTIONS, store=str(copy)), Uncounted()), Uncounted())
        for site in (*SITES, "new.example"):
            learn(learner, site, range(3))
            if learner.named(site).model() is None:
                return f"{site} has no model"
        learner.close()
    finally:
        logger.removeHandler(logged)
    lines = [record.getMessage() for record in logged.buffer]
    return "" if len(lines) <= 2 and all(map(is_clear, lines)) else f"error lines: {lines}"


def _replace(path: Path) -> str:
    """Set the store aside, and return what is wrong with the new one, "" if nothing."""
    try:
        set_aside(path, path.stat(), damaged(path, "by this test"))
    except StoreError as error:
        return "" if is_clear(str(error)) else f"no advice: {error}"
    with closing(SqliteStore(path)) as store:
        loaded = [store.load(site, LIMIT) for site in SITES]
    return "" if is_whole(path) and not any(map(len, loaded)) else "the new store is not whole"

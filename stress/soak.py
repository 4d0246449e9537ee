"""A long crawl of many sites in one process, which is stopped by Ctrl-C and resumed.

``python -m stress.soak --minutes 30`` crawls until it has all pages or the time is over, prints what it measured minute
by minute, and exits with 1 if memory, time or delay grew, or an item was lost, doubled or damaged.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from benchmarks.tables import RESULTS, environment, positive, write_json
from scrapy_blockfilter.store.size_limit import DEFAULT_MAX_BYTES
from stress.made_hosts import Place
from stress.soak_crawl import ASKED, OUT, STORE, TICK, Job, Minute, Run, crawl
from stress.soak_report import about, by_minute

# Part of the pages, and of the time, after which the crawl is stopped and resumed.
STOP_AT = 0.9
# How much more memory the last quarter may take than the second: what an allocator does not give back.
MORE_MEMORY = 1.1
# How much more processor time a page may take in the last quarter than in the second: noise.
SLOWER = 1.3
# How much later, and a tick, a timer may fire in the last quarter than in the second by the work of the process: noise.
LATER = 2.0
# Seconds of work by which a timer may be late at any time. A peer that waits for an answer gives up after some ten.
LATEST = 5.0
# A quarter of fewer minutes than this many in all tells nothing.
_FEWEST = 8
# Seconds of a minute.
_MINUTE = 60.0


class Notes(NamedTuple):
    """What the two runs of a crawl noted.

    Attributes:
        asked: pages that were asked for.
        items: items that came out.
        lost: pages that were asked for and gave no item.
        doubled: items beyond the first of a page.
        damaged: items that lack content.
        raw: items that have template.
    """

    asked: int
    items: int
    lost: int
    doubled: int
    damaged: int
    raw: int


@dataclass(frozen=True)
class Soak:
    """Figures of a long crawl.

    Attributes:
        planned: pages of all sites.
        unlearnt: items that left the warm-up before their site was learnt, because the crawl closed. They may be raw.
        reasons: why the two runs ended.
        minutes: of the first run.
        resumed: minutes of the second.
    """

    sites: int
    planned: int
    notes: Notes
    unlearnt: int
    errors: int
    reasons: tuple[str, ...]
    minutes: tuple[Minute, ...]
    resumed: tuple[Minute, ...]
    file_bytes: int
    seconds: float

    @property
    def problems(self) -> list[str]:
        """What went wrong, in words."""
        notes = self.notes
        checks = {
            "items were lost": not notes.lost,
            "items came twice": not notes.doubled,
            "items lack content": not notes.damaged,
            "items of learnt sites have template": notes.raw <= self.unlearnt,
            "errors": not self.errors,
            f"the runs ended by {' and '.join(self.reasons)}": self.reasons == ("shutdown", "finished"),
            "the store is over its bound": self.file_bytes <= DEFAULT_MAX_BYTES,
            **self._flatness(),
        }
        return [problem for problem, is_well in checks.items() if not is_well]

    def _flatness(self) -> dict[str, bool]:
        """Compare the last quarter of the first run with its second: in the first, sites are learnt."""
        if len(self.minutes) < _FEWEST:
            return {f"the crawl took fewer than {_FEWEST} minutes": False}
        quarter = len(self.minutes) // 4
        early, late = self.minutes[quarter : 2 * quarter], self.minutes[-quarter:]
        memory, page, delay = ((take(early), take(late)) for take in (_memory, _seconds_a_page, _delay))
        return {
            "memory grows": memory[1] <= MORE_MEMORY * memory[0],
            "pages take longer and longer": page[1] <= SLOWER * page[0],
            "timers fire later and later": delay[1] <= LATER * delay[0] + TICK,
            f"a timer fired more than {LATEST:.0f} s late": all(one.worst_own <= LATEST for one in self.minutes),
        }

    def figures(self) -> dict[str, Any]:
        """Return what tables and the picture are made of."""
        made = asdict(self)
        named = {
            "notes": self.notes._asdict(),
            "minutes": [minute._asdict() for minute in self.minutes],
            "resumed": [minute._asdict() for minute in self.resumed],
            "bounds": {"memory": MORE_MEMORY, "page": SLOWER, "delay": LATER, "latest": LATEST},
            "problems": self.problems,
        }
        return {"environment": environment(), **made, **named}


def soak(
    sites: int, pages: int, minutes: float, *, minute: float = _MINUTE, settings: dict[str, Any] | None = None
) -> Soak:
    """Crawl made sites, stop the crawl by SIGINT, resume it, and compare what came out with what was asked for.

    Args:
        minutes: bound of the whole crawl.
        minute: seconds of a minute; tests have shorter ones.
        settings: more settings of Scrapy; tests plant faults by them.
    """
    start = perf_counter()
    counts = [pages // sites + (site < pages % sites) for site in range(sites)]
    seconds = minutes * minute
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first = _run(Job(folder, counts, STOP_AT, STOP_AT * seconds, minute, settings or {}))
        second = _run(Job(folder, counts, None, (1 - STOP_AT) * seconds, minute, settings or {}))
        return Soak(
            sites=sites,
            planned=pages,
            notes=compare(folder),
            unlearnt=sum(map(_unlearnt, (first, second))),
            errors=sum(map(_errors, (first, second))),
            reasons=(first.reason, second.reason),
            minutes=tuple(first.minutes),
            resumed=tuple(second.minutes),
            file_bytes=(folder / STORE).stat().st_size,
            seconds=perf_counter() - start,
        )


def compare(folder: Path) -> Notes:
    """Compare the items that came out of the runs in a folder with the pages that they asked for."""
    asked: set[Place] = set()
    for line in (folder / ASKED).read_text(encoding="ascii").splitlines():
        host, number = map(int, line.split())
        asked.add((host, number))
    out: Counter[Place] = Counter()
    damaged = raw = 0
    for line in (folder / OUT).read_text(encoding="ascii").splitlines():
        host, number, is_whole, is_raw = map(int, line.split())
        out[host, number] += 1
        damaged += not is_whole
        raw += is_raw
    return Notes(
        asked=len(asked),
        items=out.total(),
        lost=len(asked - out.keys()),
        doubled=out.total() - len(out),
        damaged=damaged,
        raw=raw,
    )


def _run(job: Job) -> Run:
    """Run a crawl in a process of its own."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(crawl, job).result()


def _errors(run: Run) -> int:
    return sum(run.stats.get(name, 0) for name in ("log_count/ERROR", "blockfilter/store/errors", "blockfilter/errors"))


def _unlearnt(run: Run) -> int:
    released = {name: count for name, count in run.stats.items() if name.startswith("blockfilter/warmup/released/")}
    return sum(count for name, count in released.items() if not name.endswith("/learnt"))


def _memory(minutes: Sequence[Minute]) -> float:
    return median(minute.memory for minute in minutes)


def _seconds_a_page(minutes: Sequence[Minute]) -> float:
    """Return processor time: of the time by the clock other processes have a share."""
    return sum(minute.worked for minute in minutes) / max(1, sum(minute.pages for minute in minutes))


def _delay(minutes: Sequence[Minute]) -> float:
    return median(minute.own_delay for minute in minutes)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m stress.soak", description=__doc__)
    parser.add_argument("--minutes", type=positive, default=30, help="bound of the crawl (30)")
    parser.add_argument("--pages", type=positive, default=200_000, help="of all sites (200000)")
    parser.add_argument("--sites", type=positive, default=2_000, help="under way at the same time (2000)")
    parser.add_argument("--json", type=Path, default=RESULTS / "soak.json", metavar="FILE", help="file for the figures")
    given = parser.parse_args(arguments)
    found = soak(given.sites, given.pages, given.minutes)
    figures = found.figures()
    print(by_minute(figures), end="\n\n")
    print(about(figures))
    for problem in found.problems:
        print(f"soak: {problem}")
    write_json(given.json, figures)
    return 1 if found.problems else 0


if __name__ == "__main__":
    sys.exit(main())

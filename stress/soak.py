"""A long crawl of many sites that is killed, stopped by Ctrl-C and resumed.

``python -m stress.soak --minutes 30`` crawls until it has all pages or the time is over, prints what came of it, and
exits with 1 if memory, time or delay grew, or an item was lost, doubled, damaged or raw.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from benchmarks.tables import RESULTS, environment, positive, write_json
from scrapy_blockfilter.options.output_forms import FORMS
from scrapy_blockfilter.store.size_limit import DEFAULT_MAX_BYTES
from stress.made_hosts import Place
from stress.soak_crawl import LOG, MINUTES, TICK, Job, Minute, crawl
from stress.soak_notes import STORE, Notes, begin_again, compare, killed

# Parts of the pages, and of the time, after which runs end, and how. The first ends while items of all sites wait, and
# the second, of which memory and time are judged, has most pages. The third goes on with the queue that Ctrl-C left.
_RUNS = ((0.05, signal.SIGKILL), (0.85, signal.SIGINT), (0.1, None))
# Why runs end.
_REASONS = ("killed", "shutdown", "finished")
# The run that has most minutes.
LONG = 1
# One site in so many changes its template, somewhere in such a part of its pages.
_CHANGES_OF, _CHANGES_IN = 4, (0.3, 0.97)
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


class Run(NamedTuple):
    """A run of the crawl."""

    reason: str
    minutes: tuple[Minute, ...]
    stats: dict[str, Any]


@dataclass(frozen=True)
class Soak:
    """Figures of a long crawl."""

    sites: int
    planned: int  # pages of all sites
    notes: Notes
    # Items that left the warm-up before their site was learnt, because the crawl closed. They may be raw.
    unlearnt: int
    errors: int  # in the log
    runs: tuple[Run, ...]
    file_bytes: int  # of the larger of the store and the memory of pages
    seconds: float

    @property
    def problems(self) -> list[str]:
        """What went wrong, in words."""
        notes = self.notes
        reasons = tuple(run.reason for run in self.runs)
        checks = {
            "items were lost": not notes.lost,
            "items came twice": not notes.doubled,
            "items lack content": not notes.damaged,
            "items of learnt sites have template": notes.raw <= self.unlearnt,
            "pages are not told for what they are": not notes.mistold,
            "errors": not self.errors,
            f"the runs ended by {', '.join(reasons)}": reasons == _REASONS,
            "the kill took no page": notes.under_way > 0,
            "no site changed its template": notes.changing > 0,
            "the store is over its bound": self.file_bytes <= DEFAULT_MAX_BYTES,
            **self._flatness(),
        }
        return [problem for problem, is_well in checks.items() if not is_well]

    def _flatness(self) -> dict[str, bool]:
        """Compare the last quarter of the long run with its second: in the first, sites are learnt."""
        minutes = self.runs[LONG].minutes
        if len(minutes) < _FEWEST:
            return {f"the crawl took fewer than {_FEWEST} minutes": False}
        quarter = len(minutes) // 4
        early, late = minutes[quarter : 2 * quarter], minutes[-quarter:]
        (memory, page, delay), (later_memory, later_page, later_delay) = map(_state, (early, late))
        return {
            "memory grows": later_memory <= MORE_MEMORY * memory,
            "pages take longer and longer": later_page <= SLOWER * page,
            "timers fire later and later": later_delay <= LATER * delay + TICK,
            f"a timer fired more than {LATEST:.0f} s late": all(one.worst_own <= LATEST for one in minutes),
        }

    def figures(self) -> dict[str, Any]:
        """Return what the table and the words are made of."""
        made = asdict(self)
        named = {
            "notes": self.notes._asdict(),
            "runs": [{"ended": run.reason, "minutes": [one._asdict() for one in run.minutes]} for run in self.runs],
            "bounds": {"memory": MORE_MEMORY, "page": SLOWER, "delay": LATER, "latest": LATEST},
            "problems": self.problems,
        }
        return {"environment": environment(), **made, **named}


def soak(
    sites: int, pages: int, minutes: float, *, minute: float = _MINUTE, settings: dict[str, Any] | None = None
) -> Soak:
    """Crawl made sites, end the crawl by signals, resume it, and compare what came out with the pages.

    Args:
        minutes: bound of the whole crawl.
        minute: seconds of a minute; tests have shorter ones.
        settings: more settings of Scrapy.
    """
    start = perf_counter()
    counts = [pages // sites + (site < pages % sites) for site in range(sites)]
    changes = [_change(site, count) for site, count in enumerate(counts)]
    seconds = minutes * minute
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        notes = folder / "crawl"
        notes.mkdir()
        first: list[Place] = [(site, 0) for site in range(sites)]
        runs: list[Run] = []
        under_way: set[Place] = set()
        for number, (share, end) in enumerate(_RUNS):
            job = Job(
                folder=folder,
                notes=notes,
                number=number,
                pages=counts,
                changes=changes,
                end=end,
                most=int(share * pages),
                seconds=share * seconds,
                minute=minute,
                first=first,
                settings=settings or {},
            )
            runs.append(_run(job))
            first = []
            if end == signal.SIGKILL:
                under_way = killed(notes)
                first = begin_again(notes, under_way, counts)
        return Soak(
            sites=sites,
            planned=pages,
            notes=compare(notes, changes, len(under_way)),
            unlearnt=sum(map(_unlearnt, runs)),
            errors=_errors(runs, notes),
            runs=tuple(runs),
            file_bytes=max(path.stat().st_size for path in folder.glob(f"{STORE}*.db")),
            seconds=perf_counter() - start,
        )


def _change(site: int, pages: int) -> int:
    """Return the first page of a site that has its second template; one that it lacks if the site does not change."""
    if site % _CHANGES_OF != _CHANGES_OF - 1:
        return pages
    first, last = _CHANGES_IN
    return int(pages * (first + (last - first) * (site * 7919 % 1000) / 1000))


def _run(job: Job) -> Run:
    """Run a crawl in a process of its own, which may be killed."""
    stats: dict[str, Any] = {"finish_reason": "killed"}
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        try:
            stats = pool.submit(crawl, job).result()
        except BrokenProcessPool:
            if job.end != signal.SIGKILL:
                raise
    lines = (job.notes / f"{job.number}-{MINUTES}").read_text(encoding="ascii").splitlines()
    return Run(stats["finish_reason"], tuple(Minute(**json.loads(line)) for line in lines), stats)


def _errors(runs: Sequence[Run], notes: Path) -> int:
    """Return the errors that were counted, some of which are logged once, and those in the log, which is shown."""
    names = ("blockfilter/store/errors", "blockfilter/errors")
    counted = sum(int(run.stats.get(name, 0)) for run in runs for name in names)
    text = (notes / LOG).read_text(encoding="utf-8")
    print(text[:10_000], end="", file=sys.stderr)
    return counted + len(re.findall(r"^\S+ \S+ \[.*?\] (?:ERROR|CRITICAL): ", text, re.MULTILINE))


def _unlearnt(run: Run) -> int:
    released = {name: count for name, count in run.stats.items() if name.startswith("blockfilter/warmup/released/")}
    return sum(count for name, count in released.items() if not name.endswith("/learnt"))


def _state(minutes: Sequence[Minute]) -> tuple[float, float, float]:
    """Return memory, processor time of a page and delay: of the time by the clock other processes have a share."""
    a_page = sum(minute.worked for minute in minutes) / max(1, sum(minute.pages for minute in minutes))
    return median(minute.memory for minute in minutes), a_page, median(minute.own_delay for minute in minutes)


def about(figures: Mapping[str, Any]) -> str:
    """List how far the crawl got, and what came out of it."""
    notes, bounds = figures["notes"], figures["bounds"]
    parts = "the whole crawl" if notes["asked"] == figures["planned"] else f"of {figures['planned']:,} planned"
    problems = "; ".join(figures["problems"]) or "all bounds held"
    versions = figures["environment"]
    told = (
        f"{notes['asked']:,} pages ({parts}) of {figures['sites']:,} sites in {figures['seconds'] / 60:.0f} minutes "
        f"gave {notes['items']:,} items: {notes['lost']} lost, {notes['doubled']} doubled, {notes['damaged']} without "
        f"all of their content, {notes['raw']} with template of their site, {notes['mistold']} told wrongly as new, "
        f"content or a wall; {figures['unlearnt']} left before their site was learnt.",
        f"A kill took {notes['under_way']:,} pages, which were asked for again.",
        f"{notes['changing']:,} pages were the first of a new template, {notes['changing_raw']:,} of them raw.",
        f"{figures['errors']} errors; {figures['file_bytes'] / 1e6:,.0f} MB of the larger file.",
        "Bounds of the last quarter of the long run against its second: "
        f"memory {bounds['memory']:g} times, time of a page {bounds['page']:g} times, delay {bounds['delay']:g} times; "
        f"no timer more than {bounds['latest']:g} s late by own work. Result: {problems}.",
        f"scrapy-blockfilter {versions['scrapy-blockfilter']}, Python {versions['python']}.",
    )
    return "\n".join(f"- {line}" for line in told)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m stress.soak", description=__doc__)
    parser.add_argument("--minutes", type=positive, default=30, help="bound of the crawl (30)")
    parser.add_argument("--pages", type=positive, default=200_000, help="of all sites (200000)")
    parser.add_argument("--sites", type=positive, default=2_000, help="under way at the same time (2000)")
    parser.add_argument("--every-form", action="store_true", help="give items each form that is installed")
    parser.add_argument("--json", type=Path, default=RESULTS / "soak.json", metavar="FILE", help="file for the figures")
    given = parser.parse_args(arguments)
    forms = {form: form for form in FORMS.names()}
    settings = {"BLOCKFILTER_OUTPUT_FIELDS": forms} if given.every_form else None
    found = soak(given.sites, given.pages, given.minutes, settings=settings)
    figures = found.figures()
    print(about(figures))
    for problem in found.problems:
        print(f"soak: {problem}")
    write_json(given.json, figures)
    return 1 if found.problems else 0


if __name__ == "__main__":
    sys.exit(main())

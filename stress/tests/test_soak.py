"""The long crawl that is killed, stopped and resumed: what it notes, and that each fault is told."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from scrapy_blockfilter.store.size_limit import DEFAULT_MAX_BYTES
from stress.soak import LONG, Run, Soak, soak
from stress.soak_crawl import Minute
from stress.soak_notes import ASKED, OUT, Notes, begin_again, compare, killed

posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

# More pages than Scrapy fetches at once come before the first kill.
SITES, PAGES = 10, 600
# Seconds. Machines that crawl fast have enough minutes, too.
MINUTE = 0.1
ENDS = ("killed", "shutdown", "finished")


def faults(found: Notes) -> dict[str, int]:
    names = ("lost", "doubled", "damaged", "raw", "mistold")
    return {name: count for name in names if (count := getattr(found, name))}


MINUTE_OF_RUN = Minute(pages=6_000, worked=30.0, memory=200_000_000, own_delay=0.01, worst_own=0.2)

NOTES = Notes(
    asked=70_000,
    items=70_000,
    lost=0,
    doubled=0,
    damaged=0,
    mistold=0,
    raw=0,
    changing=5_000,
    changing_raw=500,
    under_way=2_000,
)
LONG_RUN = (MINUTE_OF_RUN,) * 12


def runs(of_long: tuple[Minute, ...], ends: tuple[str, ...] = ENDS) -> tuple[Run, ...]:
    return tuple(Run(end, of_long if number == LONG else (MINUTE_OF_RUN,), {}) for number, end in enumerate(ends))


GOOD = Soak(
    sites=2_000,
    planned=70_000,
    notes=NOTES,
    unlearnt=0,
    errors=0,
    runs=runs(LONG_RUN),
    file_bytes=90_000_000,
    seconds=800.0,
)


@posix
@pytest.mark.slow
def test_of_a_crawl_that_is_killed_stopped_and_resumed_every_item_comes_out_once_and_clean() -> None:
    found = soak(SITES, PAGES, minutes=1_200 / MINUTE, minute=MINUTE)
    assert faults(found.notes) == {}
    assert found.notes.asked == PAGES == found.notes.items
    assert min(found.notes.under_way, found.notes.changing) > 0
    assert tuple(run.reason for run in found.runs) == ENDS
    assert found.errors == 0
    minutes = found.runs[LONG].minutes
    stopped = sum(each.pages for each in minutes)
    assert 0 < stopped < PAGES
    assert all(each.memory > 10_000_000 and each.worked > 0 for each in minutes)
    assert all(each.worst_own >= each.own_delay >= 0 for each in minutes)


def test_items_are_compared_with_the_pages_asked_for(tmp_path: Path) -> None:
    pages = "".join(f"1 {number}\n" for number in range(8, 30))
    (tmp_path / ASKED).write_text(f"0 0\n2 0\n0 0\n3 0\n{pages}", encoding="ascii")
    out = "".join(f"{line} 1 1 1\n" for line in pages.splitlines())
    (tmp_path / OUT).write_text(f"0 0 1 0 1\n0 0 0 0 0\n2 0 1 1 1\n{out}", encoding="ascii")
    found = compare(tmp_path, [100, 10, 100, 100], 7)
    assert (found.asked, found.items, found.under_way) == (25, 25, 7)
    # Of host 1 the pages from the tenth on have another template, and the first ten of these may be raw.
    assert (found.changing, found.changing_raw) == (10, 10)
    assert faults(found) == {"lost": 1, "doubled": 1, "damaged": 1, "raw": 1 + 22 - 10, "mistold": 1}


def test_after_a_kill_pages_under_way_and_the_next_of_each_host_are_asked_for(tmp_path: Path) -> None:
    (tmp_path / ASKED).write_text("0 0\n1 0\n1 1\n2 0\n2 1\n", encoding="ascii")
    (tmp_path / OUT).write_text("0 0 1 0 1\n1 1 1 0 1\n2 0 1 0 1\n", encoding="ascii")
    under_way = killed(tmp_path)
    assert under_way == {(1, 0), (2, 1)}
    # Host 1 has no third page, and host 3 was not asked for anything.
    assert begin_again(tmp_path, under_way, [5, 2, 5, 5]) == [(1, 0), (3, 0), (0, 1), (2, 1)]


def test_each_fault_is_told() -> None:
    assert GOOD.problems == []
    worse = [NOTES._replace(**{bad: 1}) for bad in ("lost", "doubled", "damaged", "raw", "mistold")]
    worse += [NOTES._replace(**{good: 0}) for good in ("under_way", "changing")]
    for notes in worse:
        assert len(replace(GOOD, notes=notes).problems) == 1, notes
    for fault in (
        {"errors": 1},
        {"runs": runs(LONG_RUN, ("finished", *ENDS[1:]))},
        {"runs": runs(LONG_RUN[:7])},
        {"runs": runs((*LONG_RUN[:9], *[MINUTE_OF_RUN._replace(memory=400_000_000)] * 3))},
        {"file_bytes": DEFAULT_MAX_BYTES + 1},
    ):
        assert len(replace(GOOD, **fault).problems) == 1, fault
    assert replace(GOOD, notes=NOTES._replace(raw=1), unlearnt=1).problems == []

"""The long crawl that is killed, stopped and resumed: what it notes, and that each fault is told."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scrapy_blockfilter.store.size_limit import DEFAULT_MAX_BYTES
from stress.made_hosts import is_raw, is_whole, page_of
from stress.soak import LATER, LATEST, LONG, MORE_MEMORY, SLOWER, Run, Soak, soak
from stress.soak_crawl import TICK, Minute, NoteOut
from stress.soak_notes import ASKED, OUT, Kill, Notes, compare, killed
from stress.soak_report import about, by_minute
from tests.support.planted import Doubles, Grows, Loses

posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

# More pages than Scrapy fetches at once come before the first kill.
SITES, PAGES = 10, 600
# Seconds. Machines that crawl fast have enough minutes, too.
MINUTE = 0.1
ENDS = ("killed", "shutdown", "killed", "finished")


def crawl(**settings: Any) -> Soak:
    return soak(SITES, PAGES, minutes=1_200 / MINUTE, minute=MINUTE, settings=settings)


def faults(found: Notes) -> dict[str, int]:
    names = ("lost", "doubled", "damaged", "raw")
    return {name: count for name in names if (count := getattr(found, name))}


def minute(number: int, **changed: Any) -> Minute:
    each = Minute(60.0 * number, 60.0, 6_000, 30.0, 200_000_000, 90_000_000, 0.02, 0.3, 0.01, 0.2)
    return each._replace(**changed)


NOTES = Notes(
    asked=70_000,
    items=70_000,
    lost=0,
    doubled=0,
    damaged=0,
    raw=0,
    changing=5_000,
    changing_raw=500,
    under_way=2_000,
)
LONG_RUN = tuple(minute(number) for number in range(1, 13))


def runs(of_long: tuple[Minute, ...], ends: tuple[str, ...] = ENDS) -> tuple[Run, ...]:
    return tuple(Run(end, of_long if number == LONG else (minute(1),), {}) for number, end in enumerate(ends))


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


def with_late(**changed: Any) -> Soak:
    """A soak whose last quarter is another."""
    return replace(GOOD, runs=runs((*LONG_RUN[:9], *(minute(number, **changed) for number in (10, 11, 12)))))


@posix
@pytest.mark.slow
def test_of_a_crawl_that_is_killed_stopped_and_resumed_every_item_comes_out_once_and_clean() -> None:
    found = crawl()
    assert faults(found.notes) == {}
    assert found.notes.asked == PAGES == found.notes.items
    assert min(found.notes.under_way, found.notes.changing) > 0
    assert tuple(run.reason for run in found.runs) == ENDS
    assert found.errors == 0
    minutes = found.runs[LONG].minutes
    stopped = sum(each.pages for each in minutes)
    assert 0 < stopped < PAGES
    assert all(each.length >= MINUTE for each in minutes)
    assert all(each.memory > 10_000_000 and each.worked > 0 for each in minutes)
    assert all(each.worst_delay >= each.delay >= 0 for each in minutes)
    assert minutes[-1].file_bytes > minutes[0].file_bytes > 0


@posix
@pytest.mark.slow
def test_planted_loss_doubling_and_growth_are_told() -> None:
    found = crawl(
        ITEM_PIPELINES={Loses: 800, Grows: 850, NoteOut: 900},
        SPIDER_MIDDLEWARES={Doubles: 10},
        LOG_LEVEL="CRITICAL",
    )
    assert faults(found.notes) == {"lost": 1, "doubled": 1}
    assert {"items were lost", "items came twice", "memory grows"} <= set(found.problems)


def compared(folder: Path, asked: str, out: str, kills: dict[int, Kill] | None = None, changes: int = 100) -> Notes:
    """Compare notes of a crawl of five hosts."""
    (folder / ASKED).write_text(asked, encoding="ascii")
    (folder / OUT).write_text(out, encoding="ascii")
    return compare(folder, [changes] * 5, kills or {})


def left(reached: dict[int, int] | None = None) -> Kill:
    return Kill(under_way=frozenset({(3, 0)}), reached=reached or {})


def test_items_are_compared_with_the_pages_asked_for(tmp_path: Path) -> None:
    out = "0 0 1 0\n1 0 0 0\n1 0 1 0\n2 0 1 1\n"
    found = compared(tmp_path, "0 0\n1 0\n2 0\n0 0\n3 0\n", out)
    assert (found.asked, found.items) == (4, 4)
    assert faults(found) == {"lost": 1, "doubled": 1, "damaged": 1, "raw": 1}


def test_the_first_pages_of_a_new_template_may_be_raw_and_those_after_a_kill_amid_them(tmp_path: Path) -> None:
    pages = "".join(f"{host} {number}\n" for host in (0, 1) for number in range(5, 30))
    out = "".join(f"{line} 1 1\n" for line in pages.splitlines())
    found = compared(tmp_path, pages, out, kills={0: left(reached={0: 12, 1: 9})}, changes=10)
    assert (found.changing, found.changing_raw) == (13 + 10, 13 + 10)
    assert found.raw == 2 * 25 - 23


def test_after_a_kill_pages_under_way_and_the_next_of_each_host_are_asked_for() -> None:
    kill = Kill(under_way=frozenset({(2, 1), (4, 2)}), reached={0: 1, 1: 1, 2: 1, 3: 1, 4: 3})
    assert kill.first([5, 5, 5, 2, 4, 5]) == [(5, 0), (2, 1), (0, 2), (1, 2), (4, 2)]


def test_what_a_kill_takes_are_the_pages_asked_for_whose_items_are_not_out(tmp_path: Path) -> None:
    (tmp_path / ASKED).write_text("0 0\n1 0\n2 0\n1 1\n", encoding="ascii")
    (tmp_path / OUT).write_text("0 0 1 0\n", encoding="ascii")
    assert killed(tmp_path, settled=[(2, 0)]) == Kill(frozenset({(1, 0), (1, 1)}), {0: 0, 1: 1, 2: 0})


def test_a_made_host_has_two_templates() -> None:
    for page in (page_of(7, 1), page_of(7, 1, changed=True)):
        assert is_raw(page, (7, 1))
        assert is_whole(page, (7, 1))


def test_each_fault_is_told() -> None:
    assert GOOD.problems == []
    for fault in (
        {"notes": NOTES._replace(lost=1)},
        {"notes": NOTES._replace(doubled=1)},
        {"notes": NOTES._replace(damaged=1)},
        {"notes": NOTES._replace(raw=1)},
        {"notes": NOTES._replace(under_way=0)},
        {"notes": NOTES._replace(changing=0)},
        {"errors": 1},
        {"runs": runs(LONG_RUN, ("finished", *ENDS[1:]))},
        {"runs": runs(LONG_RUN[:7])},
        {"file_bytes": DEFAULT_MAX_BYTES + 1},
    ):
        assert len(replace(GOOD, **fault).problems) == 1, fault
    assert replace(GOOD, notes=NOTES._replace(raw=1), unlearnt=1).problems == []


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ({"memory": round(200_000_000 * MORE_MEMORY) + 1}, "memory grows"),
        ({"worked": 30.0 * SLOWER + 0.1}, "pages take longer and longer"),
        ({"pages": round(6_000 / SLOWER) - 10}, "pages take longer and longer"),
        ({"own_delay": 0.01 * LATER + TICK + 0.001}, "timers fire later and later"),
        ({"worst_own": LATEST + 0.1}, "a timer fired more than 5 s late"),
    ],
)
def test_what_grows_is_told(fault: dict[str, float], told: str) -> None:
    assert with_late(**fault).problems == [told]
    assert with_late(**{name: getattr(LONG_RUN[0], name) for name in fault}).problems == []


def test_table_has_each_minute_of_all_runs_and_words_say_how_far_it_got() -> None:
    figures = json.loads(json.dumps(GOOD.figures()))
    rows = by_minute(figures).splitlines()[2:]
    assert len(rows) == 15
    assert [cell.strip() for cell in rows[1].strip("|").split("|")] == [
        *("run 2, 1", "100", "5.0", "200", "90", "20", "300", "10.0", "200"),
    ]
    assert "70,000 pages (the whole crawl) of 2,000 sites" in about(figures)
    assert "of 200,000 planned" in about({**figures, "planned": 200_000})

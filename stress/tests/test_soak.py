"""The long crawl that is killed, stopped and resumed: what it notes, and that each fault is told."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scrapy.exceptions import DropItem
from scrapy.http import Response

from scrapy_blockfilter.store.size_limit import DEFAULT_MAX_BYTES
from stress.soak import LONG, Run, Soak, about, soak
from stress.soak_crawl import Minute, NoteOut
from stress.soak_notes import ASKED, OUT, Notes, begin_again, compare, killed

posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

# More pages than Scrapy fetches at once come before the first kill.
SITES, PAGES = 10, 600
# Seconds. Machines that crawl fast have enough minutes, too.
MINUTE = 0.1
# The page that is lost, and the one that is doubled; their hosts are learnt by then.
LOST, DOUBLED = "http://host-3.example/12", "http://host-4.example/12"
# Bytes that are kept of each item.
_KEPT = 500_000
ENDS = ("killed", "shutdown", "finished")


class Loses:
    """Pipeline that drops one item."""

    def process_item(self, item: dict[str, Any]) -> dict[str, Any]:
        if item["url"] == LOST:
            raise DropItem("planted")
        return item


class Doubles:
    """Spider middleware that gives one item twice."""

    async def process_spider_output(self, response: Response, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        async for each in result:
            yield each
            if isinstance(each, dict) and each["url"] == DOUBLED:
                yield dict(each)


class Grows:
    """Pipeline that remembers something of each item."""

    def __init__(self) -> None:
        self._kept: list[bytes] = []

    def process_item(self, item: dict[str, Any]) -> dict[str, Any]:
        self._kept.append(b"x" * _KEPT)
        return item


def crawl(**settings: Any) -> Soak:
    return soak(SITES, PAGES, minutes=1_200 / MINUTE, minute=MINUTE, settings=settings)


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
    found = crawl()
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
    for fault in (
        {"notes": NOTES._replace(lost=1)},
        {"notes": NOTES._replace(doubled=1)},
        {"notes": NOTES._replace(damaged=1)},
        {"notes": NOTES._replace(raw=1)},
        {"notes": NOTES._replace(mistold=1)},
        {"notes": NOTES._replace(under_way=0)},
        {"notes": NOTES._replace(changing=0)},
        {"errors": 1},
        {"runs": runs(LONG_RUN, ("finished", *ENDS[1:]))},
        {"runs": runs(LONG_RUN[:7])},
        {"file_bytes": DEFAULT_MAX_BYTES + 1},
    ):
        assert len(replace(GOOD, **fault).problems) == 1, fault
    assert replace(GOOD, notes=NOTES._replace(raw=1), unlearnt=1).problems == []


def test_words_say_how_far_it_got() -> None:
    figures = json.loads(json.dumps(GOOD.figures()))
    assert "70,000 pages (the whole crawl) of 2,000 sites" in about(figures)
    assert "of 200,000 planned" in about({**figures, "planned": 200_000})

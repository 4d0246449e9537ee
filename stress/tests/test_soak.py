"""The long crawl that is stopped and resumed: what it notes, and that each fault is told."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from scrapy_blockfilter.store.size_limit import DEFAULT_MAX_BYTES
from stress.soak import LATER, LATEST, MORE_MEMORY, SLOWER, Notes, Soak, compare, soak
from stress.soak_crawl import ASKED, OUT, TICK, Minute, NoteOut
from stress.soak_report import about, by_minute, picture
from tests.support.planted import Doubles, Grows, Loses

posix = pytest.mark.skipif(os.name != "posix", reason="SIGINT of POSIX")

SITES, PAGES = 10, 260
# Seconds. Machines that crawl fast have enough minutes, too.
MINUTE = 0.1


def crawl(**settings: Any) -> Soak:
    return soak(SITES, PAGES, minutes=120 / MINUTE, minute=MINUTE, settings=settings)


def minute(number: int, **changed: Any) -> Minute:
    each = Minute(60.0 * number, 60.0, 6_000, 30.0, 200_000_000, 90_000_000, 0.02, 0.3, 0.01, 0.2)
    return each._replace(**changed)


GOOD = Soak(
    sites=2_000,
    planned=70_000,
    notes=Notes(asked=70_000, items=70_000, lost=0, doubled=0, damaged=0, raw=0),
    unlearnt=0,
    errors=0,
    reasons=("shutdown", "finished"),
    minutes=tuple(minute(number) for number in range(1, 13)),
    resumed=(minute(1),),
    file_bytes=90_000_000,
    seconds=800.0,
)


def with_late(**changed: Any) -> Soak:
    """A soak whose last quarter is another."""
    return replace(GOOD, minutes=(*GOOD.minutes[:9], *(minute(number, **changed) for number in (10, 11, 12))))


@posix
@pytest.mark.slow
def test_of_a_crawl_that_is_stopped_and_resumed_every_item_comes_out_once_and_clean() -> None:
    found = crawl()
    assert found.notes == Notes(asked=PAGES, items=PAGES, lost=0, doubled=0, damaged=0, raw=0)
    assert found.reasons == ("shutdown", "finished")
    assert found.errors == 0
    stopped = sum(each.pages for each in found.minutes)
    assert 0 < stopped < PAGES
    assert all(each.length >= MINUTE for each in found.minutes)
    assert all(each.memory > 10_000_000 and each.worked > 0 for each in found.minutes)
    assert all(each.worst_delay >= each.delay >= 0 for each in found.minutes)
    assert found.minutes[-1].file_bytes > found.minutes[0].file_bytes > 0


@posix
@pytest.mark.slow
def test_planted_loss_doubling_and_growth_are_told() -> None:
    found = crawl(
        ITEM_PIPELINES={Loses: 800, Grows: 850, NoteOut: 900},
        SPIDER_MIDDLEWARES={Doubles: 10},
        LOG_LEVEL="CRITICAL",
    )
    assert found.notes == Notes(asked=PAGES, items=PAGES, lost=1, doubled=1, damaged=0, raw=0)
    assert {"items were lost", "items came twice", "memory grows"} <= set(found.problems)


@posix
@pytest.mark.slow
def test_a_crawl_ends_when_its_time_is_over_with_all_that_it_asked_for() -> None:
    found = soak(SITES, 100_000, minutes=3, minute=1)
    assert SITES <= found.notes.asked == found.notes.items < found.planned
    assert (found.notes.lost, found.notes.doubled, found.notes.damaged) == (0, 0, 0)
    assert found.reasons == ("shutdown", "finished")


def test_items_are_compared_with_the_pages_asked_for(tmp_path: Path) -> None:
    (tmp_path / ASKED).write_text("0 0\n1 0\n2 0\n0 0\n3 0\n", encoding="ascii")
    (tmp_path / OUT).write_text("0 0 1 0\n1 0 0 0\n1 0 1 0\n2 0 1 1\n", encoding="ascii")
    assert compare(tmp_path) == Notes(asked=4, items=4, lost=1, doubled=1, damaged=1, raw=1)


def test_each_fault_is_told() -> None:
    assert GOOD.problems == []
    for fault in (
        {"notes": GOOD.notes._replace(lost=1)},
        {"notes": GOOD.notes._replace(doubled=1)},
        {"notes": GOOD.notes._replace(damaged=1)},
        {"notes": GOOD.notes._replace(raw=1)},
        {"errors": 1},
        {"reasons": ("finished", "finished")},
        {"file_bytes": DEFAULT_MAX_BYTES + 1},
        {"minutes": GOOD.minutes[:7]},
    ):
        assert len(replace(GOOD, **fault).problems) == 1, fault
    assert replace(GOOD, notes=GOOD.notes._replace(raw=1), unlearnt=1).problems == []


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
    assert with_late(**{name: getattr(GOOD.minutes[0], name) for name in fault}).problems == []


def test_the_first_quarter_in_which_sites_are_learnt_counts_for_nothing() -> None:
    warming = tuple(minute(number, memory=100, worked=1.0, own_delay=0.0) for number in (1, 2, 3))
    assert replace(GOOD, minutes=(*warming, *GOOD.minutes[3:])).problems == []


def test_table_and_picture_have_each_minute_of_both_runs_and_say_how_far_it_got() -> None:
    figures = json.loads(json.dumps(GOOD.figures()))
    rows = by_minute(figures).splitlines()[2:]
    assert len(rows) == 13
    assert [cell.strip() for cell in rows[0].strip("|").split("|")] == [
        *("first run, 1", "100", "5.0", "200", "90", "20", "300", "10.0", "200"),
    ]
    assert "70,000 pages (the whole crawl) of 2,000 sites" in about(figures)
    assert "of 200,000 planned" in about({**figures, "planned": 200_000})
    svg = picture(figures)
    assert svg == picture(GOOD.figures())
    root = etree.fromstring(svg.encode())
    panels = root.findall("{*}g")
    assert len(panels) == 5
    for panel in panels:
        lines = panel.findall("{*}polyline")
        assert [len(line.get("points", "").split()) for line in lines] == [12, 1]
        points = [tuple(map(float, point.split(","))) for line in lines for point in line.get("points", "").split()]
        assert all(62 <= x <= 696 and 30 <= y <= 122 for x, y in points)
        assert len({x for x, _ in points}) == 13
    assert not re.search(r"href|url\(|@import|<script|<image", svg)

"""The measurement of how time grows: it tells a square from a line, and covers every output."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from scrapy_blockfilter import SiteModel
from stress import fault_time
from stress.fault_time import LIMIT, OUTPUTS, CraftedGrowth, Growth, run, run_crafted
from stress.fragments import fragments

pytestmark = pytest.mark.slow


def test_there_are_150_kinds_of_pages_and_twice_the_size_is_twice_the_page() -> None:
    kinds = fragments()
    assert len(kinds) >= 150
    ratios = {kind: len(make(800_000)) / len(make(400_000)) for kind, make in kinds.items()}
    assert {kind: ratio for kind, ratio in ratios.items() if not 1.8 < ratio < 2.3} == {}


def test_a_square_is_over_the_limit_and_a_line_is_not() -> None:
    assert Growth("a", "text", (0.1, 0.4)).exponent == 2 > LIMIT
    assert Growth("a", "text", (0.1, 0.2)).exponent == 1
    assert Growth("a", "text", (0.0001, 0.0004)).exponent == 0


def test_a_planted_power_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = [0.0]

    def works(model: SiteModel, html: str) -> None:
        seconds[0] += 0.012 * (len(html) / 3_000) ** 1.5

    monkeypatch.setattr(fault_time, "time", SimpleNamespace(process_time=lambda: seconds[0]))
    monkeypatch.setitem(OUTPUTS, "text", works)
    (growth,) = run(3_000, 1, ["siblings"], ["text"])
    assert growth.exponent > LIMIT


def test_every_output_is_measured() -> None:
    pytest.importorskip("datasketch")
    growths = run(300, 1, ["siblings", "deep", "<svg>", "short rows"])
    assert {growth.output for growth in growths} == set(OUTPUTS)
    assert len(growths) == 4 * len(OUTPUTS)
    assert fault_time.SIZE > 300


def test_a_crafted_page_is_over_the_limit_if_it_takes_longer_than_one_at_random() -> None:
    assert CraftedGrowth("a", "text", (0.1, 0.2), 0.1).is_over
    assert CraftedGrowth("a", "text", (0.1, 0.4), 0.4).is_over
    assert not CraftedGrowth("a", "text", (0.1, 0.2), 0.19).is_over


def test_every_output_is_measured_over_crafted_pages() -> None:
    pytest.importorskip("datasketch")
    growths = run_crafted(20, 1, ["texts"])
    assert [growth.output for growth in growths] == list(OUTPUTS)

"""Tests hold on a machine that is busy: they have no deadline, and read no clock to judge by it."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Clocks that measure how long something takes.
_CLOCK = re.compile(r"\b(?:process_time|perf_counter|thread_time)\b")
# Besides this one, modules that make something slow, so that it is found out.
_NAME_CLOCKS = {"tests/test_patience.py", "stress/tests/test_oracle.py"}


def test_no_test_measures_how_long_something_takes() -> None:
    paths = [*ROOT.glob("tests/**/test_*.py"), *ROOT.glob("*/tests/**/test_*.py")]
    timed = {path.relative_to(ROOT).as_posix() for path in paths if _CLOCK.search(path.read_text(encoding="utf-8"))}
    assert timed <= _NAME_CLOCKS

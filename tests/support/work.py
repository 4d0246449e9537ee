"""Work that is counted, not timed: a busy machine does as much of it as an idle one."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

# Seconds of processor time: what takes some seconds does not come near, and a square takes longer.
_HANGING = 200.0


def work_of(act: Callable[[], object]) -> int:
    """Return how many instructions of Python are run, those of libraries too. Native code is not counted."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    finally:
        sys.settrace(before)
    return count


@contextmanager
def ends() -> Iterator[None]:
    """Fail what takes minutes of processor time, as only a square of the input does. Windows waits for its end."""

    def fail(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"it does not end within {_HANGING:.0f} seconds of processor time")

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGPROF, fail)
    signal.setitimer(signal.ITIMER_PROF, _HANGING)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)

"""Show the progress of a long command: a bar on a terminal, a line now and then in a log."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TextIO

# Seconds between two lines in a log, and between two updates of a bar.
_LINE_EVERY = 10.0
_BAR_EVERY = 0.2
_WIDTH = 30


class Progress:
    """Count records and bytes of ``total``, and show them on ``stream`` with the rate and the time left."""

    def __init__(self, stream: TextIO, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._total = max(1, total)
        self._clock = clock
        self._is_bar = stream.isatty()
        self._began = clock()
        self._next = self._began + (_BAR_EVERY if self._is_bar else _LINE_EVERY)
        self._records = self._position = 0
        self._skipped = self._skipped_bytes = 0

    def skip(self, records: int, position: int) -> None:
        """Note what was done earlier. It does not count for the rate."""
        self._records = self._skipped = records
        self._position = self._skipped_bytes = position

    def note(self, records: int, position: int) -> None:
        """Note how many records are done, and the byte up to which input is read."""
        self._records, self._position = records, position
        now = self._clock()
        if now >= self._next:
            self._next = now + (_BAR_EVERY if self._is_bar else _LINE_EVERY)
            self._tell(now)

    def end(self) -> None:
        """Remove the bar."""
        if self._is_bar:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _tell(self, now: float) -> None:
        passed = max(1e-9, now - self._began)
        share = min(1.0, self._position / self._total)
        done = self._position - self._skipped_bytes
        left = f"{_clock(passed * (self._total - self._position) / done)} left" if done > 0 else "time left unknown"
        text = f"{self._records:,} records, {share:.0%}, {(self._records - self._skipped) / passed:,.0f}/s, {left}"
        if self._is_bar:
            filled = round(_WIDTH * share)
            self._stream.write(f"\r\x1b[K{'█' * filled}{'░' * (_WIDTH - filled)} {text}")
        else:
            self._stream.write(f"{text}\n")
        self._stream.flush()


def _clock(seconds: float) -> str:
    """Format seconds for people.

    >>> _clock(75), _clock(3_700)
    ('1:15', '1:01:40')
    """
    minutes, seconds = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"

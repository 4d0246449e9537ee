"""Print text for people and JSON for programs, without characters by which a page could control a terminal."""

from __future__ import annotations

import json
import os
import re
import shutil
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any, TextIO

# Control characters, also C1, and changes of text direction: a page may hold any, and a terminal obeys them.
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# Characters that JSON leaves as they are, but a terminal may obey: C1 controls, and changes of text direction.
_ESCAPED = re.compile(r"[\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_STYLES = {"red": "31", "green": "32", "yellow": "33", "dim": "2", "bold": "1"}


def printable(text: str) -> str:
    """Return a page's text on one line, safe for a terminal.

    >>> printable("a\\x1b[31m b\\nc")
    'a�[31m b c'
    """
    return _UNPRINTABLE.sub("�", " ".join(text.split()))


def output_file(name: str) -> str | None:
    """Return the name of a file to write; None for a name of standard output."""
    return None if name in ("-", "/dev/stdout", "/dev/fd/1") else name


@dataclass(frozen=True)
class Literal:
    """JSON that is written as it is, such as a number for which floats are too small."""

    text: str


def to_json(value: Any, *, indent: int | None = None) -> str:
    """Return a value as JSON, on one line if there is no ``indent``.

    >>> print(to_json({"a": "Ж\\x9b"}))
    {"a":"Ж\\u009b"}
    """
    separators = (",", ":") if indent is None else (",", ": ")
    # The encoder writes strings only, so the place of a literal is a mark that no text can hold by chance or intent.
    mark = uuid.uuid4().hex
    literals: list[str] = []

    def written(part: object) -> str:
        if not isinstance(part, Literal):
            return str(part)
        literals.append(part.text)
        return f"{mark}{len(literals) - 1}"

    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators, default=written)
    if literals:
        text = re.sub(f'"{mark}([0-9]+)"', lambda found: literals[int(found[1])], text)
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class Output:
    """Print a result as lines, or as one JSON document if JSON was asked for."""

    def __init__(self, stream: TextIO, *, is_json: bool) -> None:
        self.is_json = is_json
        self._stream = stream
        is_terminal = stream.isatty()
        self._has_colours = is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        # Columns of the terminal; 0 without one, where nothing is cut short.
        self.width = shutil.get_terminal_size((120, 24)).columns if is_terminal else 0

    def line(self, text: str = "", *styles: str, indent: int = 0) -> None:
        self._stream.write(f"{' ' * indent}{self.styled(text, *styles)}\n")

    def heading(self, text: str) -> None:
        self.line()
        self.line(text, "bold")

    def json(self, value: Any) -> None:
        self.line(to_json(value, indent=2))

    def result(self, values: Any, *lines: str) -> None:
        """Print values if JSON was asked for, else lines that say the same."""
        if self.is_json:
            self.json(values)
        else:
            self.line("\n".join(lines))

    def styled(self, text: str, *styles: str) -> str:
        """Return text in colour, if the terminal shows colours and NO_COLOR is not set."""
        codes = ";".join(_STYLES[style] for style in styles)
        return f"\x1b[{codes}m{text}\x1b[0m" if self._has_colours and codes else text

    def fitted(self, text: str, before: int = 0) -> str:
        """Return a page's text, cut to the rest of a terminal's line after ``before`` columns."""
        text = printable(text)
        room = max(20, self.width - before)
        return text if not self.width or len(text) <= room else f"{text[: room - 1]}…"

    def table(self, head: Sequence[str], rows: Iterable[Sequence[object]], right: Iterable[int] = ()) -> None:
        """Print columns under their names; those with the numbers in ``right`` are right-aligned."""
        cells = [list(head), *([printable(str(cell)) for cell in row] for row in rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        flush = set(right)
        for number, row in enumerate(cells):
            padded = [
                cell.rjust(width) if place in flush else cell.ljust(width)
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            self.line("  ".join(padded).rstrip(), *([] if number else ["bold"]))


# Seconds between two lines in a log, and between two updates of a bar.
_LINE_EVERY = 10.0
_BAR_EVERY = 0.2
_WIDTH = 30


class Progress:
    """Count records and bytes of ``total``, and show them on ``stream`` with the rate and the time left.

    Records and bytes that were done earlier are ``skipped``: they do not count for the rate.
    """

    def __init__(self, stream: TextIO, total: int, skipped: int = 0, skipped_bytes: int = 0) -> None:
        self._stream = stream
        self._total = max(1, total)
        self._is_bar = stream.isatty()
        self._pause = _BAR_EVERY if self._is_bar else _LINE_EVERY
        self._began = monotonic()
        self._next = self._began + self._pause
        self._skipped, self._skipped_bytes = skipped, skipped_bytes

    def note(self, records: int, position: int) -> None:
        """Note the number of records that are done, and the byte up to which input is read."""
        now = monotonic()
        if now < self._next:
            return
        self._next = now + self._pause
        passed = max(1e-9, now - self._began)
        share = min(1.0, position / self._total)
        done = position - self._skipped_bytes
        left = f"{_clock(passed * (self._total - position) / done)} left" if done > 0 else "time left unknown"
        text = f"{records:,} records, {share:.0%}, {(records - self._skipped) / passed:,.0f}/s, {left}"
        if self._is_bar:
            filled = round(_WIDTH * share)
            self._stream.write(f"\r\x1b[K{'█' * filled}{'░' * (_WIDTH - filled)} {text}")
        else:
            self._stream.write(f"{text}\n")
        self._stream.flush()

    def end(self) -> None:
        """Remove the bar."""
        if self._is_bar:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def _clock(seconds: float) -> str:
    """Format seconds for people.

    >>> _clock(75), _clock(3_700)
    ('1:15', '1:01:40')
    """
    minutes, seconds = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"

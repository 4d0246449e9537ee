"""The printing of results and of progress, on a terminal and elsewhere."""

from __future__ import annotations

from io import StringIO

import pytest

from scrapy_blockfilter.commands import output
from scrapy_blockfilter.commands.output import Output, Progress


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_terminal_gets_colours_unless_it_asks_for_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert Output(Terminal(), is_json=False).styled("strip", "red") == "\x1b[31mstrip\x1b[0m"
    assert Output(StringIO(), is_json=False).styled("strip", "red") == "strip"
    monkeypatch.setenv("NO_COLOR", "1")
    assert Output(Terminal(), is_json=False).styled("strip", "red") == "strip"


@pytest.mark.parametrize("stream", [Terminal(), StringIO()])
def test_progress_tells_rate_and_time_left(stream: StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(output, "monotonic", lambda: now[0])
    progress = Progress(stream, 1000, 10, 200)
    progress.note(11, 210)
    assert stream.getvalue() == ""
    now[0] = 20.0
    progress.note(110, 400)
    assert "110 records, 40%, 5/s, 1:00 left" in stream.getvalue()
    assert ("\r" in stream.getvalue()) == stream.isatty()
    progress.end()
    assert stream.getvalue().endswith("\r\x1b[K" if stream.isatty() else "left\n")

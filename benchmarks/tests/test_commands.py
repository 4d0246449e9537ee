"""What all commands that read a corpus say of one that is not there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from benchmarks import changes, crawl, gate, report, told, warmup
from research.papers import papers

COMMANDS = (changes.main, crawl.main, gate.main, papers.main, report.main, told.main, warmup.main)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__module__)
def test_a_corpus_that_is_not_there_is_named(
    command: Callable[[Sequence[str]], int], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        command(["nowhere"])
    assert stopped.value.code == 2
    assert "nowhere does not exist" in capsys.readouterr().err

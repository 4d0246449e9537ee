"""Processes forked for tests do what started ones do."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.forked import Template, run_python

_SHOW = """
import os, sys
print(sys.argv, os.getcwd(), os.environ["PYTHONPATH"], sys.path[1], __name__, os.listdir("/dev/fd"))
"""
_AT_EXIT = "import atexit, sys; atexit.register(print, 'the end'); sys.stderr.write('error'); sys.exit(7)"
_THREAD = "import threading, time; threading.Thread(target=lambda: print(time.sleep(0.01))).start()"


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["-c", _SHOW, "one", "two"],
        ["-c", _AT_EXIT],
        ["-c", _THREAD],
        ["-c", "raise ValueError('no')"],
        ["-c", "import os; os.kill(os.getpid(), 9)"],
        ["-c", "import os, signal; os.kill(os.getpid(), signal.SIGINT)"],
        ["-c", "import sys; print(repr(sys.stdin.read()))"],
        ["-m", "scrapy", "version"],
        ["-m", "shown", "three"],
    ],
)
def test_a_forked_process_does_what_a_started_one_does(
    template: Template | None, tmp_path: Path, arguments: list[str]
) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "shown.py").write_text(_SHOW, encoding="utf-8")
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(tmp_path / "other"), "PYTHONUTF8": "1"}
    forked = run_python(arguments, tmp_path, environment, template)
    started = run_python(arguments, tmp_path, environment)
    assert (forked.returncode, forked.stdout) == (started.returncode, started.stdout)
    # The traceback has the frames of the template, too.
    assert forked.stderr.splitlines()[-1:] == started.stderr.splitlines()[-1:]


def test_forked_processes_run_at_the_same_time_and_can_be_killed(template: Template | None, tmp_path: Path) -> None:
    if template is None:
        pytest.skip("crawls are started, not forked, on this system")
    with (tmp_path / "output").open("wb") as output:
        running = [
            template.start(
                ["-c", "input()" if number else "import time; time.sleep(600)"],
                folder=tmp_path,
                environment={},
                output=output,
                errors=output,
            )
            for number in range(3)
        ]
    assert [process.wait(120) for process in running[1:]] == [1, 1]
    assert running[0].poll() is None
    running[0].kill()
    assert running[0].wait(120) == -9
    running[0].kill()

"""Worker processes, and what becomes of them when the process that gives them work is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import os, time
from scrapy_blockfilter.extras.files.processes import Processes


class Worker:
    def work(self, seconds):
        time.sleep(seconds)
        return os.getpid()

    def close(self):
        return 0


if __name__ == "__main__":
    workers = Processes(2, Worker)
    for number in range(4):
        for pid in workers.give(number, 0 if number < 2 else 600 * (number % 2)):
            print(pid, flush=True)
    print("killed now", flush=True)
    time.sleep(600)
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills by a signal")
def test_workers_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(SCRIPT, encoding="utf-8")
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        lines = [parent.stdout.readline().strip() for _ in range(3)]
        assert lines[2] == "killed now"
        pids = {int(line) for line in lines[:2]}
        assert len(pids) == 2
        parent.send_signal(signal.SIGKILL)
        try:
            # They have inherited the output: it ends when all of them have, the idle one and the one at work.
            parent.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            for pid in pids:
                os.kill(pid, signal.SIGKILL)
            raise

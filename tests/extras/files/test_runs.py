"""Runs of ``learn`` and ``clean`` in several processes, and runs that were stopped or killed and go on."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from scrapy_blockfilter.commands import CommandError, ExitCode
from scrapy_blockfilter.commands.clean import RecordCleaner
from scrapy_blockfilter.commands.offline.plain import Done, Tally
from scrapy_blockfilter.extras.files.processes import Processes
from scrapy_blockfilter.extras.files.resumable_output import ResumableOutput
from tests.support.archives import items_of, read_lines, write_folder, write_lines, write_warc
from tests.support.command_line import Commands
from tests.support.feeds import ITEMS, NEWS, digests
from tests.support.forked import Template


@pytest.mark.slow
def test_several_processes_do_what_one_does(commands: Commands, template: Template | None, tmp_path: Path) -> None:
    path = str(write_lines(tmp_path / "feed.jsonl", [*ITEMS, *ITEMS, *ITEMS]))
    other = Commands(tmp_path, template=template)
    other.store = tmp_path / "other.db"
    assert commands.run("learn", path).code == 0
    assert other.run_apart("learn", path, "--jobs", "2").code == 0
    assert digests(commands) == digests(other)
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    assert commands.run("clean", path, "-o", str(one)).code == 0
    assert commands.run_apart("clean", path, "-o", str(two), "--jobs", "2").code == 0
    assert one.read_bytes() == two.read_bytes()
    assert [item["url"] for item in read_lines(two)] == [item["url"] for item in [*ITEMS] * 3]


@pytest.mark.slow
def test_processes_share_what_one_of_them_has_fitted(learnt: Commands) -> None:
    path = str(write_lines(learnt.folder / "more.jsonl", [*ITEMS] * 4))
    with closing(sqlite3.connect(learnt.store)) as connection, connection:
        assert len(connection.execute("SELECT * FROM fitted_models").fetchall()) == 2
        connection.execute("DELETE FROM fitted_models")
    outputs = []
    stores = []
    for number in range(2):
        out = learnt.folder / f"{number}.jsonl"
        done = learnt.run_apart("clean", path, "-o", str(out), "--jobs", "2")
        assert done.code == 0, done.err
        outputs.append(out.read_bytes())
        stores.append(learnt.store.read_bytes())
    assert outputs[0] == outputs[1]
    assert stores[0] == stores[1]
    with closing(sqlite3.connect(learnt.store)) as connection:
        assert len(connection.execute("SELECT * FROM fitted_models").fetchall()) == 2


@pytest.mark.slow
def test_several_processes_count_and_tell_what_one_does(commands: Commands) -> None:
    image = {"image": ("200 OK", "image/png", b"PNG")}
    paths = [str(write_warc(commands.folder / f"{n}.warc.gz", ITEMS[n : n + 1], **image)) for n in range(3)]
    out = str(commands.folder / "out.jsonl")
    told = commands.run("clean", *paths, "--learn", "-o", out, "--jobs", "2", "--json").json
    assert told["counts"] == {"cleaned": 3, "not_html": 3}
    assert len(read_lines(Path(out))) == 3
    folder = write_folder(commands.folder / "mixed", NEWS)
    for number, path in enumerate(sorted(folder.iterdir())):
        link = f"<link rel=canonical href=http://{'ab'[number % 2]}.example/></head>"
        path.write_text(path.read_text(encoding="utf-8").replace("</head>", link), encoding="utf-8")
    (mixed,) = commands.run("learn", str(folder), "--jobs", "2", "--json").json["mixed"]
    assert mixed.startswith("mixed: its pages say that they are of a.example (4), b.example (3)")


def test_run_that_is_stopped_says_that_it_can_go_on(learnt: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(cleaner: RecordCleaner) -> None:
        raise KeyboardInterrupt

    path = str(write_lines(learnt.folder / "feed.jsonl", 10 * ITEMS))
    out = str(learnt.folder / "out.jsonl")
    with monkeypatch.context() as patched:
        patched.setattr(RecordCleaner, "close", stop)
        stopped = learnt.run("clean", path, "-o", out, "--jobs", "1")
        printed = learnt.run("clean", path, "--jobs", "1")
    assert stopped.code == printed.code == ExitCode.INTERRUPTED
    (line,) = [line for line in stopped.err.splitlines() if line.startswith("scrapy")]
    read = int(re.fullmatch(r"scrapy blockfilter: stopped after (\d+) records: run it again to go on", line)[1])  # type: ignore[index]
    assert printed.err.endswith("scrapy blockfilter: stopped\n")
    resumed = learnt.run("clean", path, "-o", out)
    assert resumed.err.startswith(f"resumes after {read} records\n")
    assert len(read_lines(learnt.folder / "out.jsonl")) == 10 * len(ITEMS)


# A command that is killed when it has made its first lines durable.
KILLED = """
import os, signal, sys
from scrapy.cmdline import execute
from scrapy_blockfilter.extras.files.resumable_output import ResumableOutput

save = ResumableOutput.save

def save_and_end(self):
    save(self)
    os.kill(os.getpid(), signal.SIGKILL)

ResumableOutput.save = save_and_end
execute(["scrapy", *sys.argv[1:]])
"""


@pytest.mark.slow
def test_killed_run_goes_on_without_doubling_or_losing_a_record(learnt: Commands) -> None:
    page = NEWS.pages[0]
    big = [
        {"url": f"http://news.example/{n}", "html": page.html.replace(page.content[1], f"{n} " + 30_000 * f"word{n} ")}
        for n in range(40)
    ]
    path = str(write_lines(learnt.folder / "big.jsonl", big))
    whole, out = learnt.folder / "whole.jsonl", learnt.folder / "out.jsonl"
    progress = learnt.folder / "out.jsonl.progress"
    settings = ("-s", "BLOCKFILTER_PAGES=4", "-s", f"BLOCKFILTER_STORE={learnt.store}")
    command = [sys.executable, "-c", KILLED, "blockfilter", "clean", path, "-o", str(out), "--jobs", "2", *settings]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True) as run:
        assert run.wait() == -signal.SIGKILL
    with suppress(ProcessLookupError):
        os.killpg(run.pid, signal.SIGKILL)  # its processes, which wait for records
    done = json.loads(progress.read_text(encoding="utf-8"))["read"]
    assert 0 < done < 40
    assert not out.exists()
    refused = learnt.run("clean", path, "-o", str(out), "--format", "text")
    assert refused.code == ExitCode.USAGE
    assert "was left by a run with other input or arguments" in refused.error
    resumed = learnt.run("clean", path, "-o", str(out))
    assert resumed.err.startswith(f"resumes after {done} records\n")
    assert resumed.out.startswith("40 records: 40 cleaned")
    learnt.run("clean", path, "-o", str(whole))
    assert out.read_bytes() == whole.read_bytes()
    assert len(read_lines(out)) == 40
    assert not list(learnt.folder.glob("out.jsonl.*"))


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
def test_output_goes_on_from_what_was_put_down_last(tmp_path: Path, name: str) -> None:
    now = [0.0]

    def begin(folder: Path, job: dict[str, Any], *, overwrite: bool = False) -> ResumableOutput:
        return ResumableOutput(folder / name, job, overwrite=overwrite, clock=lambda: now[0])

    first = begin(tmp_path, {"a": 1})
    first.add(Done(['{"n": 1}'], Tally(), 1, 10))
    now[0] = 10.0
    first.add(Done(['{"n": 2}'], Tally(), 2, 20))
    first.add(Done(['{"n": 3}'], Tally(), 3, 30))  # not put down: lost with the kill, and read again
    folder = tmp_path / "killed"
    shutil.copytree(tmp_path, folder)
    first.close()
    with (folder / f"{name}.part").open("ab") as part:
        part.write(b"half a li")
    with pytest.raises(CommandError, match="--overwrite"):
        begin(folder, {"a": 2})
    second = begin(folder, {"a": 1})
    assert (second.read, second.position) == (2, 20)
    second.add(Done(['{"n": 3}', '{"n": 4}'], Tally(), 4, 40))
    second.finish()
    assert [item["n"] for item in read_lines(folder / name)] == [1, 2, 3, 4]
    assert [path.name for path in folder.iterdir()] == [name]
    with pytest.raises(CommandError, match="exists already"):
        begin(folder, {"a": 1})
    third = begin(folder, {"a": 1}, overwrite=True)
    third.add(Done(['{"n": 5}'], Tally(), 1, 10))
    third.finish()
    assert [item["n"] for item in read_lines(folder / name)] == [5]


def test_two_runs_never_write_one_output(learnt: Commands) -> None:
    path = str(write_lines(learnt.folder / "feed.jsonl", items_of(NEWS, "news.example")))
    out = learnt.folder / "out.jsonl"
    running = ResumableOutput(out, {"a": 1}, overwrite=False)
    running.add(Done(['{"n": 1}'], Tally(), 1, 10))
    running.save()
    for more in ([], ["--overwrite"]):
        refused = learnt.run("clean", path, "-o", str(out), *more)
        assert refused.code == ExitCode.USAGE
        assert f"Another run is writing {out} now" in refused.error
    running.finish()
    assert read_lines(out) == [{"n": 1}]
    assert [file.name for file in learnt.folder.glob("out.jsonl*")] == ["out.jsonl"]
    assert learnt.run("clean", path, "-o", str(out), "--overwrite").code == ExitCode.DONE


@pytest.mark.slow
def test_worker_killed_while_it_is_idle_is_told(learnt: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(write_lines(learnt.folder / "feed.jsonl", items_of(NEWS, "news.example")))
    finish = Processes.finish

    def kill_one_and_finish(workers: Processes[Any], first: int = 0) -> Iterator[Any]:
        victim = workers._pools[0].submit(os.getpid).result()
        os.kill(victim, signal.SIGKILL)
        return finish(workers, first)

    monkeypatch.setattr(Processes, "finish", kill_one_and_finish)
    done = learnt.run("clean", path, "--jobs", "2")
    assert done.code == ExitCode.FAILED
    assert "a worker process was killed" in done.err
    assert "Traceback" not in done.err

"""``forget``, ``vacuum`` and ``check`` on real stores."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from scrapy_blockfilter.commands import ExitCode
from stress.store_damage import cut_off
from tests.support.archives import write_lines
from tests.support.command_line import Commands, pages_of
from tests.support.sqlite_files import run_sql


@pytest.fixture
def commands(tmp_path: Path) -> Commands:
    commands = Commands(tmp_path)
    commands.learn({"a.example": pages_of(5), "ab.example": pages_of(5)})
    commands.learn({"a.example": [*pages_of(5), *pages_of(6, seed=2, layout="table")]})
    return commands


def keys(path: Path) -> list[str]:
    return run_sql(path, "SELECT site FROM sites ORDER BY site")


def test_forget_removes_a_site_with_its_layouts_and_no_other(commands: Commands) -> None:
    assert keys(commands.store) == ["a.example", "a.example\tlayout 2", "a.example\tmisfits", "ab.example"]
    done = commands.run("forget", "a.example")
    assert done.code == 0
    assert done.out.startswith("a.example is forgotten: ")
    assert keys(commands.store) == ["ab.example"]
    assert commands.run("check").code == 0


def test_vacuum_gives_the_space_of_what_was_forgotten_back(commands: Commands) -> None:
    commands.run("forget", "a.example")
    size = commands.store.stat().st_size
    done = commands.run("vacuum", "--json").json
    assert done["bytes_before"] == size
    assert done["bytes_after"] == commands.store.stat().st_size < size
    assert keys(commands.store) == ["ab.example"]


def test_check_says_that_a_whole_store_is_sound(commands: Commands) -> None:
    done = commands.run("check", "--json")
    assert done.code == 0
    assert done.json["sound"] is True
    assert done.json["sites"] == 2 < len(keys(commands.store))  # layouts and misfits are of their site
    assert done.json["pages"] >= 12
    assert "is sound" in commands.run("check").out


def test_check_tells_a_site_whose_record_is_not_what_was_written(commands: Commands) -> None:
    site_id = "(SELECT id FROM sites WHERE site = 'ab.example')"
    run_sql(commands.store, f"UPDATE pages SET record = substr(record, 2) WHERE site_id = {site_id}")
    done = commands.run("check", "--json")
    assert done.code == ExitCode.FAILED
    assert not done.json["sound"]
    (damaged,) = done.json["problems"]
    assert "'ab.example'" in damaged
    assert "scrapy blockfilter forget ab.example" in damaged


@pytest.mark.parametrize(
    "arguments", ["check", "sites", "show a.example", "clean a.jsonl", "drop a.example p", "forget a.example", "vacuum"]
)
def test_file_that_was_cut_off_is_told_and_left_as_it_is(commands: Commands, arguments: str) -> None:
    write_lines(commands.folder / "a.jsonl", [{"url": "http://a.example/", "html": pages_of(1)[0]}])
    cut_off(random.Random(1), commands.store)
    before = {path: path.read_bytes() for path in commands.folder.iterdir()}
    done = commands.run(*arguments.replace("a.jsonl", str(commands.folder / "a.jsonl")).split())
    assert done.code == (ExitCode.FAILED if arguments == "check" else ExitCode.STORE)
    assert "is not sound:" in done.out or done.err
    assert "sets a damaged store aside" in done.out + done.err
    assert {path: path.read_bytes() for path in commands.folder.iterdir()} == before

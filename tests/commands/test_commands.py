"""``scrapy blockfilter``: where it works, its exit codes, and its messages when it cannot do what it is asked."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from scrapy_blockfilter.commands import EXIT_CODES, ExitCode
from scrapy_blockfilter.commands.subcommands import CORE, subcommands
from tests.support.command_line import Commands, pages_of
from tests.support.crawls import run_scrapy, run_script
from tests.support.forked import Template


@pytest.fixture
def learnt(commands: Commands) -> Commands:
    commands.learn({"news.example": pages_of(), "shop.example": pages_of(2, seed=1)})
    return commands


@pytest.mark.slow
def test_help_names_every_command_outside_a_project(tmp_path: Path) -> None:
    done = run_scrapy(tmp_path, "blockfilter", "--help")
    assert done.returncode == 0
    for command in subcommands():
        assert f"    {command.name} " in done.stdout
        assert command.summary.split()[0] in done.stdout


def test_other_commands_of_scrapy_do_not_wait_for_the_import_of_ours(tmp_path: Path) -> None:
    script = "import sys, scrapy_blockfilter.commands; print(*(name for name in sys.modules if '.commands.' in name))"
    done = run_script(tmp_path, script, proxy="")
    assert done.returncode == 0, done.stderr
    assert [name for name in done.stdout.split() if name.startswith("scrapy_blockfilter")] == []


def test_command_alone_lists_what_there_is(commands: Commands) -> None:
    done = commands.run()
    assert done.code == ExitCode.DONE
    listed = [line.split(maxsplit=1) for line in done.out.splitlines() if line.startswith("  ")]
    assert listed == [[command.name, command.summary] for command in subcommands()]


# Begins the section that the extra `teacher` adds to `learn`.
_OF_EXTRA = "With a teacher"


@pytest.mark.parametrize("command", [command.name for command in CORE])
def test_help_has_no_headings_but_those_of_its_sections(
    commands: Commands, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    for columns in ("60", "80", "100"):  # lines of help end elsewhere
        monkeypatch.setenv("COLUMNS", columns)
        lines = commands.run(command, "--help").out.splitlines()
        assert lines[0].startswith(f"Usage: scrapy blockfilter {command} ")
        assert not [line for line in lines if line and not line.strip("=-")]
        sections = [line for line in lines[1:] if line.endswith(":") and not line.startswith((" ", _OF_EXTRA))]
        assert sections in (
            ["Positional arguments:", "Options:", "Options of all commands:"],
            ["Options:", "Options of all commands:"],
        )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["cleen"], "there is no command 'cleen'; did you mean clean? `scrapy blockfilter` lists the commands."),
        (["xyz"], "there is no command 'xyz'. `scrapy blockfilter` lists the commands."),
        (["clean", "a.html", "--format", "txt"], "did you mean text? "),
        (["clean", "a.html", "--formt", "text"], "unrecognized arguments: --formt text; did you mean --format? "),
    ],
)
def test_what_is_mistyped_is_answered_with_what_may_be_meant(
    commands: Commands, arguments: list[str], said: str
) -> None:
    done = commands.run(*arguments)
    assert done.code == ExitCode.USAGE
    assert said in done.error


@pytest.mark.slow
def test_command_of_a_project_finds_the_store_of_its_settings(tmp_path: Path) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = project_settings\n", encoding="utf-8")
    (tmp_path / "project_settings.py").write_text(
        'BLOCKFILTER_STORE = "data/learnt.db"\nBLOCKFILTER_PAGES = 4\n', encoding="utf-8"
    )
    commands = Commands(tmp_path / "data")
    commands.folder.mkdir()
    commands.store = commands.folder / "learnt.db"
    commands.learn({"news.example": pages_of(4)})
    inside = tmp_path / "package"
    inside.mkdir()
    done = run_scrapy(inside, "blockfilter", "sites")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1].split()[:3] == ["news.example", "4", "ready"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["sites"], ExitCode.NOT_FOUND, "There is no store"),
        (["check", "--store", "other.db"], ExitCode.NOT_FOUND, "There is no store other.db"),
        (["sites", "--sort", "colour"], ExitCode.USAGE, "`scrapy blockfilter sites --help` shows its arguments"),
        (["clean", "a", "--formatt", "html"], ExitCode.USAGE, "--format? `scrapy blockfilter clean --help` shows"),
        (["forget"], ExitCode.USAGE, "the following arguments are required: SITE"),
        (["clean", "a.jsonl", "--site", "a", "--site", "b"], ExitCode.USAGE, "--site: it is there twice"),
        (["sites", "-s", "BLOCKFILTER_PAGES=none"], ExitCode.USAGE, "BLOCKFILTER_PAGES is 'none', but must be"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    commands: Commands, template: Template | None, arguments: list[str], code: ExitCode, said: str
) -> None:
    done = run_scrapy(commands.folder, "blockfilter", *arguments, template=template)
    assert done.returncode == code
    (line,) = done.stderr.splitlines()
    assert said in line
    assert not done.stdout
    assert not list(commands.folder.iterdir())


def test_unknown_site_is_answered_with_the_one_that_may_be_meant(learnt: Commands) -> None:
    done = learnt.run("forget", "new.example")
    assert done.code == ExitCode.NOT_FOUND
    assert done.error.endswith("did you mean news.example?")
    assert "`scrapy blockfilter sites` lists" in learnt.run("forget", "zzz").error


@pytest.mark.parametrize("named", ["news.example", "www.news.example", "http://www.NEWS.example:80/a?b"])
def test_site_is_named_by_key_host_or_url(learnt: Commands, named: str) -> None:
    assert learnt.run("forget", named, "--json").json["site"] == "news.example"


@pytest.mark.parametrize("arguments", [["sites"], ["forget", "news.example"], ["vacuum"]])
def test_file_that_is_no_store_is_refused(commands: Commands, arguments: list[str]) -> None:
    commands.store.write_bytes(b"not a database, but long enough to be looked at by SQLite " * 100)
    done = commands.run(*arguments)
    assert done.code == ExitCode.STORE
    assert "is damaged or not a store" in done.error
    assert "set BLOCKFILTER_STORE to another path" in done.error


def test_store_that_another_process_keeps_is_said_to_be_in_use(
    learnt: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrapy_blockfilter.commands.base.PATIENCE", 0.05)
    with closing(sqlite3.connect(learnt.store, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        done = learnt.run("sites")
    assert done.code == ExitCode.STORE
    assert "is in use by another process: try again" in done.error


def test_exit_codes_are_all_told() -> None:
    assert set(EXIT_CODES) == set(ExitCode)

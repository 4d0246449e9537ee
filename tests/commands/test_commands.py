"""``scrapy blockfilter``: where it works, its exit codes, and its messages when it cannot do what it is asked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scrapy_blockfilter.commands import EXIT_CODES, ExitCode
from scrapy_blockfilter.commands.subcommands import CORE, subcommands
from tests.support.command_line import Commands, pages_of
from tests.support.crawls import run_scrapy
from tests.support.feeds import ITEMS
from tests.support.sqlite_files import locked


@pytest.mark.slow
def test_help_names_every_command_outside_a_project(tmp_path: Path) -> None:
    done = run_scrapy(tmp_path, "blockfilter", "--help")
    assert done.returncode == 0
    for command in subcommands():
        assert f"    {command.name} " in done.stdout
        assert command.summary.split()[0] in done.stdout


def test_command_alone_lists_what_there_is(commands: Commands) -> None:
    done = commands.run()
    assert done.code == ExitCode.DONE
    listed = [line.split(maxsplit=1) for line in done.out.splitlines() if line.startswith("  ")]
    assert listed == [[command.name, command.summary] for command in subcommands()]


# Begins the section that the extra `teacher` adds to `learn`.
_OF_EXTRA = "With a teacher"


@pytest.mark.parametrize("command", [command.name for command in CORE])
def test_help_has_headings_of_sections_alone(commands: Commands, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
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


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ("sites --store none.db", ExitCode.NOT_FOUND, "There is no store none.db"),
        ("sites --store empty.jsonl", ExitCode.NOT_FOUND, "There is no store empty.jsonl"),
        ("sites --sort colour", ExitCode.USAGE, "`scrapy blockfilter sites --help` shows its arguments"),
        ("learn feed.jsonl -s BLOCKFILTER_SITE=json.loads", ExitCode.USAGE, "BLOCKFILTER_SITE fails for 'http://news."),
        ("sites -s BLOCKFILTER_PAGES=none", ExitCode.USAGE, "BLOCKFILTER_PAGES is 'none', but must be"),
        ("sites --limit -1", ExitCode.USAGE, "argument --limit: it is -1, but must be at least 1."),
        ("show news.example --limit 0", ExitCode.USAGE, "argument --limit: it is 0, but must be at least 1."),
        ("clean blank.html --to url", ExitCode.USAGE, "has a field 'url' already: name another one"),
        ("clean feed.jsonl -o feed.html", ExitCode.USAGE, "feed.html would hold JSON lines: name it *.jsonl"),
        ("clean feed.jsonl -o feed.jsonl --overwrite", ExitCode.USAGE, "feed.jsonl is read, too: name another"),
        ("clean https://a.example/b", ExitCode.NOT_FOUND, "`scrapy fetch --nolog https://a.example/b | scrapy block"),
        ("show blank.html", ExitCode.NOT_FOUND, "A file is of its folder's site, or of --site SITE."),
        ("cleen", ExitCode.USAGE, "there is no command 'cleen'; did you mean clean? `scrapy blockfilter` lists the"),
        ("clean a.html --format txt", ExitCode.USAGE, "did you mean text? "),
        ("clean a.html --formt text", ExitCode.USAGE, "unrecognized arguments: --formt text; did you mean --format? "),
        ("clean feed.jsonl --site a --site b", ExitCode.USAGE, "--site: it is there twice"),
        ("clean feed.jsonl --site a\tb", ExitCode.USAGE, "is not a site"),
        ("clean empty.jsonl -o out", ExitCode.NOT_FOUND, "No record in"),
        ("clean feed.jsonl -o no/out", ExitCode.FAILED, "No such file or directory"),
        ("clean feed.jsonl -o . --overwrite", ExitCode.USAGE, "is a folder: name a file"),
        ("clean feed.jsonl -o templates.db --overwrite", ExitCode.USAGE, "templates.db is the store: name another"),
        ("learn empty.jsonl", ExitCode.NOT_FOUND, "No record in"),
        (f"learn feed.jsonl --store {os.devnull}", ExitCode.STORE, "is a folder, device, pipe or socket"),
        ("forget", ExitCode.USAGE, "the following arguments are required: SITE"),
        ("forget new.example", ExitCode.NOT_FOUND, "did you mean news.example?"),
        ("forget zzz", ExitCode.NOT_FOUND, "`scrapy blockfilter sites` lists"),
        ("show feed.jsonl --site news.example", ExitCode.USAGE, "feed.jsonl is no page: type the path of one with"),
        ("show news.example --layout 7", ExitCode.NOT_FOUND, "has no layout 7; type one of 1."),
        ("show blank.html --layout 1", ExitCode.USAGE, "--layout is one of a site"),
        ("show news.example --site a.example", ExitCode.USAGE, "news.example is no URL and no file: --site and --sort"),
        ("show news.example --pages a.html", ExitCode.USAGE, "type SITE --html FILE"),
        ("show news.example --html a.html --pages b.html", ExitCode.NOT_FOUND, "There is no file b.html"),
        ("show news.example --html templates.db", ExitCode.USAGE, "templates.db is the store: name another"),
        ("show news.example --html no/a.html", ExitCode.FAILED, "no/a.html: No such file"),
        ("show blank.html --site news.example", ExitCode.FAILED, "cannot be judged: "),
    ],
)
def test_what_is_wrong_is_said_in_one_line_and_nothing_is_written(
    learnt: Commands, arguments: str, code: ExitCode, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(learnt.folder)
    for name, text in {"empty.jsonl": "", "blank.html": " "}.items():
        (learnt.folder / name).write_text(text, encoding="utf-8")
    before = sorted(learnt.folder.iterdir())
    done = learnt.run(*arguments.split(" "))
    assert done.code == code
    assert said in done.error
    assert sorted(learnt.folder.iterdir()) == before


def test_paths_may_stand_before_and_behind_options(learnt: Commands) -> None:
    feed = str(learnt.folder / "feed.jsonl")
    done = learnt.run("clean", feed, "--format", "text", feed)
    assert done.code == ExitCode.DONE
    assert len(done.out.splitlines()) == 2 * len(ITEMS)


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


def test_store_that_another_process_keeps_is_in_use(learnt: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_blockfilter.commands.base.PATIENCE", 0.05)
    with locked(learnt.store, "EXCLUSIVE"):
        done = learnt.run("sites")
    assert done.code == ExitCode.STORE
    assert "is in use by another process: try again" in done.error


def test_exit_codes_are_all_told() -> None:
    assert set(EXIT_CODES) == set(ExitCode)

"""``merge`` by its command."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from scrapy_blockfilter.commands import ExitCode
from tests.support.command_line import Commands, pages_of


@pytest.fixture
def crawls(tmp_path: Path) -> list[Commands]:
    made = [Commands(tmp_path / name) for name in ("one", "other")]
    for number, commands in enumerate(made):
        commands.learn({"a.example": pages_of(8)[4 * number :], f"only-{number}.example": pages_of(4)})
    return made


def test_merge_says_what_it_merged(crawls: list[Commands], tmp_path: Path) -> None:
    stores = [str(commands.store) for commands in crawls]
    crawls[0].run("drop", "a.example", ".advert")
    output = tmp_path / "all.db"
    done = crawls[0].run("merge", *stores, "-o", str(output))
    assert done.code == 0
    assert done.out.splitlines()[:3] == [
        f"{stores[0]}: 2 sites, 8 pages, 1 correction",
        f"{stores[1]}: 2 sites, 8 pages, 0 corrections",
        f"{output} before: 0 sites, 0 pages, 0 corrections",
    ]
    assert f"{output} now: 3 sites, 12 pages, 1 correction; 3 sites changed." in done.out
    again = crawls[0].run("merge", *stores[::-1], stores[0], "-o", str(output), "--json").json
    assert again["sites_changed"] == 0
    assert again["output"]["before"] == again["output"]["after"] == {"sites": 3, "pages": 12, "corrections": 1}


def test_sites_that_were_crawled_months_apart_are_told(crawls: list[Commands], tmp_path: Path) -> None:
    stores = [str(commands.store) for commands in crawls]
    with closing(sqlite3.connect(stores[0])) as connection, connection:
        connection.execute("UPDATE sites SET first_seen = '2020-01-01 00:00:00', last_seen = '2020-01-02 00:00:00'")
    done = crawls[0].run("merge", *stores, "-o", str(tmp_path / "all.db"))
    assert "1 site was crawled more than 60 days apart, such as a.example: " in done.out
    again = crawls[0].run("merge", *stores[1:], "-o", str(tmp_path / "other.db"), "--json").json
    assert again["apart"] == []


def test_file_that_is_not_there_is_named(crawls: list[Commands], tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    for name in ("missing.db", str(tmp_path / "empty.db")):
        done = crawls[0].run("merge", str(crawls[0].store), name, "-o", str(tmp_path / "all.db"))
        assert (done.code, f"There is no store {name}" in done.err) == (ExitCode.NOT_FOUND, True)
    refused = crawls[0].run("merge", str(crawls[1].store), "-o", str(tmp_path / "all.db"), "--store", "a.db")
    assert (refused.code, "--store has no effect here" in refused.error) == (ExitCode.USAGE, True)
    assert not (tmp_path / "all.db").exists()
    piped = crawls[0].run("merge", str(crawls[0].store), "-o", "-")
    assert (piped.code, "cannot be written to the standard output" in piped.err) == (ExitCode.USAGE, True)

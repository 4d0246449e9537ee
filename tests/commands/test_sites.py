"""``sites``: its list of the sites in a store, and their order."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from scrapy_blockfilter.store import SqliteStore, Suspect
from tests.support.command_line import Commands, pages_of
from tests.support.sqlite_files import run_sql


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Commands:
    commands = Commands(tmp_path_factory.mktemp("sites"))
    commands.learn({"a.example": pages_of(2), "b.example": pages_of(9), "news.org": pages_of(5, seed=1)})
    commands.learn({"b.example": [*pages_of(9), *pages_of(6, seed=2, layout="table")]})
    return commands


def test_sites_are_listed_with_what_was_learnt_and_json_has_more(commands: Commands) -> None:
    done = commands.run("sites")
    assert done.code == 0, done.err
    head, *rows, last = done.out.splitlines()
    assert head.split() == ["site", "pages", "state", "layouts", "version", "stripped", "suspicious", "last", "seen"]
    assert [row.split()[:4] for row in rows] == [
        ["a.example", "2", "learning", "1"],
        ["b.example", "4", "ready", "2"],
        ["news.org", "4", "ready", "1"],
    ]
    assert [row.split()[4] for row in rows[1:]] == ["1", "1"]
    assert rows[1].split()[5].endswith("%")
    assert last == "3 sites"
    first, second, third = commands.run("sites", "--json").json
    assert (first["site"], first["state"], first["version"], first["stripped"]) == ("a.example", "learning", None, None)
    assert second["layouts"] == 2
    assert 0 < third["stripped"] < 1
    assert third["method"] == "consensus"
    assert third["first_seen"] <= third["last_seen"]


def test_tokens_saved_are_those_of_show_beside_those_of_pages_judged_alone(commands: Commands) -> None:
    assert "tokens_saved" not in commands.run("sites", "--json").json[0]
    found = {site["site"]: site for site in commands.run("sites", "--tokens", "--json").json}
    names = ("tokens_saved", "tokens_saved_alone")
    for name in ("a.example", "b.example", "news.org"):
        layout = commands.run("show", name, "--json").json["layouts"][0]
        assert [found[name][column] for column in names] == [layout[column] for column in names]
    head, *rows, _ = commands.run("sites", "news.org", "--tokens").out.splitlines()
    assert head.endswith("tokens saved  alone")
    assert rows[0].split()[-2:] == [f"{found['news.org'][column]:,}" for column in names]
    by_recurrence = commands.run("sites", "news.org", "--tokens", "--json", "-s", "BLOCKFILTER_STRIP=template").json[0]
    assert by_recurrence["tokens_saved"] > by_recurrence["tokens_saved_alone"] == 0


def test_method_that_learns_nothing_of_a_site_saves_what_it_strips_of_each_page(commands: Commands) -> None:
    by_page = "-s", "BLOCKFILTER_METHOD=tag_ratio"
    saved = commands.run("sites", "news.org", "--tokens", "--json", *by_page).json[0]
    assert saved["tokens_saved"] == saved["tokens_saved_alone"] > 0
    shown = commands.run("show", "news.org", "--json", *by_page).json
    assert shown["is_ready"]
    assert shown["layouts"][0]["tokens_saved"] == saved["tokens_saved"]
    assert shown["layouts"][0]["stripped"] > 0


def test_tokens_of_a_site_whose_pages_are_damaged_are_unknown(tmp_path: Path) -> None:
    commands = Commands(tmp_path)
    commands.learn({"a.example": pages_of(2), "b.example": pages_of(2)})
    run_sql(commands.store, "UPDATE pages SET record = x'00' WHERE site_id = 1")
    first, second = commands.run("sites", "--tokens", "--json").json
    assert first["tokens_saved"] is None
    assert second["tokens_saved"] > 0


@pytest.mark.parametrize(
    ("arguments", "sites"),
    [
        (["--sort", "pages"], ["b.example", "news.org", "a.example"]),
        (["--sort", "stripped"], ["news.org", "b.example", "a.example"]),
        (["--state", "ready"], ["b.example", "news.org"]),
        (["*.example", "--state", "learning"], ["a.example"]),
        (["--sort", "pages", "--limit", "1"], ["b.example"]),
        (["nothing"], []),
    ],
)
def test_sites_are_sorted_and_filtered(commands: Commands, arguments: list[str], sites: list[str]) -> None:
    assert [site["site"] for site in commands.run("sites", *arguments, "--json").json] == sites


def test_site_key_cannot_steer_the_terminal(tmp_path: Path) -> None:
    commands = Commands(tmp_path)
    commands.learn({"a\x1b[31m": pages_of(2)})
    assert "\x1b" not in commands.run("sites").out


def test_sites_with_suspicious_pages_come_first(tmp_path: Path) -> None:
    commands = Commands(tmp_path)
    commands.learn({f"{name}.example": pages_of(2) for name in "abcd"})
    with closing(SqliteStore(commands.store)) as store:
        for name, number in {"b": 1, "d": 2}.items():
            suspects = [Suspect(f"http://{name}.example/{page}", "keeps 3% of its text") for page in range(number)]
            store.note_suspects(f"{name}.example", suspects, ())
    rows = commands.run("sites").out.splitlines()[1:5]
    assert [row.split()[0] for row in rows] == ["d.example", "b.example", "a.example", "c.example"]
    by_name = commands.run("sites", "--sort", "site", "--json").json
    assert [site["site"] for site in by_name] == [f"{name}.example" for name in "abcd"]

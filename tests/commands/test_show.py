"""``show``: what was learnt of a site, and why each block of a page stays or goes."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest

from scrapy_blockfilter.commands import ExitCode
from scrapy_blockfilter.commands.output import Output
from tests.support.command_line import Commands, pages_of
from tests.support.forked import Template
from tests.support.made_sites import make_site
from tests.support.mockserver import MockServer
from tests.support.pages import segmented, texts

SITE = make_site(pages=6)


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Commands:
    commands = Commands(tmp_path_factory.mktemp("show"))
    commands.learn({"news.example": [page.html for page in SITE.pages], "small.example": pages_of(2, seed=3)})
    return commands


def test_show_lists_slots_and_blocks_that_go_with_counts_example_and_reason(commands: Commands) -> None:
    found = commands.run("show", "news.example", "--json").json
    saved = found["layouts"][0]["tokens_saved"]
    template, whole = SITE.pages[0].template, texts(segmented(SITE.pages[0].html))
    assert sum(map(len, template)) / 8 < saved < sum(map(len, whole)) / 4
    assert f"text is stripped, some {saved:,} tokens" in commands.run("show", "news.example").out
    assert found["is_ready"]
    assert [version["version"] for version in found["versions"]] == [1]
    (layout,) = found["layouts"]
    slots = {slot["path"]: slot for slot in layout["slots"]}
    assert slots["html/body/div#footer"]["pages"] == 4
    assert slots["html/body/div#footer"]["kept"] == 0
    stripped = {block["text"] for block in layout["blocks"]}
    assert set(SITE.pages[0].template) <= stripped
    assert not set(SITE.pages[0].content) & stripped
    assert all(block["reason"] and 0 <= block["score"] <= 1 for block in layout["blocks"])


def test_page_lists_first_what_the_scores_doubt(commands: Commands) -> None:
    page = commands.folder / "page.html"
    page.write_text(SITE.pages[0].html, encoding="utf-8")
    placed, doubted = (
        commands.run("show", str(page), "--site", "news.example", "--json", "--sort", order).json["blocks"]
        for order in ("place", "doubt")
    )
    assert placed == commands.run("show", str(page), "--site", "news.example", "--json").json["blocks"] != doubted
    assert sorted(map(str, placed)) == sorted(map(str, doubted))
    sureness = [block["score"] if block["keep"] else 1 - block["score"] for block in doubted]
    assert sureness == sorted(sureness)


def test_show_prints_as_many_as_asked_for(commands: Commands) -> None:
    short, long = (commands.run("show", "news.example", "--limit", number).out for number in ("1", "30"))
    assert "html/body/div#footer" in long
    assert "“" in long
    assert "4 of 4" in long
    assert 0 < len(short.splitlines()) < len(long.splitlines())


def test_show_has_the_threshold_curve_of_the_entropy_method(commands: Commands) -> None:
    found = commands.run("show", "news.example", "--json", BLOCKFILTER_METHOD="entropy").json
    curve = found["layouts"][0]["threshold_curve"]
    shares = [point["features_included"] for point in curve["points"]]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert 0 < curve["threshold"] < 1
    text = commands.run("show", "news.example", BLOCKFILTER_METHOD="entropy").out
    assert [line.split()[0] for line in text.splitlines() if "<- threshold" in line] == [f"{curve['threshold']:.2f}"]
    assert "threshold_curve" not in commands.run("show", "news.example", "--json").json["layouts"][0]


def test_show_says_that_a_site_is_still_being_learnt(commands: Commands) -> None:
    assert "2 pages, learning: 2 more pages make it ready" in commands.run("show", "small.example").out
    assert commands.run("show", "small.example", "--json").json["is_ready"] is False


def test_showing_writes_nothing(commands: Commands) -> None:
    before = commands.store.read_bytes()
    commands.run("show", "news.example", BLOCKFILTER_METHOD="ibdf")
    page = commands.folder / "page.html"
    page.write_text(SITE.pages[1].html, encoding="utf-8")
    commands.run("show", str(page), "--site", "news.example", BLOCKFILTER_METHOD="ibdf")
    assert commands.store.read_bytes() == before


def test_every_block_is_given_of_a_file_in_the_order_of_the_page(commands: Commands) -> None:
    folder = commands.folder / "news.example"
    folder.mkdir()
    page = make_site(pages=9).pages[8]
    (folder / "page.html").write_text(page.html, encoding="utf-8")
    found = commands.run("show", str(folder / "page.html"), "--json").json
    assert found["site"] == "news.example"
    title, *kept = [block["text"] for block in found["blocks"] if block["keep"]]
    assert (title, kept) == (page.title, list(page.content))
    assert [block["text"] for block in found["blocks"]] == texts(segmented(page.html))
    assert {"keep", "score", "text", "path", "reason"} <= set(found["blocks"][0])
    text = commands.run("show", str(folder / "page.html"))
    assert "\x1b" not in text.out
    assert sum(line.startswith(("keep ", "strip ")) for line in text.out.splitlines()) == len(found["blocks"])


def test_page_is_fetched_with_the_settings_of_the_project(
    tmp_path: Path, server: MockServer, template: Template | None
) -> None:
    host = server.add_site(SITE)
    commands = Commands(tmp_path, server.url, template)
    commands.learn({host: [page.html for page in SITE.pages]})
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = project_settings\n", encoding="utf-8")
    (tmp_path / "items.json").write_text("[1]", encoding="utf-8")
    (tmp_path / "project_settings.py").write_text(
        'ADDONS = {"scrapy_blockfilter.Addon": 500}\nUSER_AGENT = "explainer"\n'
        'FEEDS = {"items.json": {"format": "json", "overwrite": True}}\n',
        encoding="utf-8",
    )
    with closing(sqlite3.connect(commands.store)) as connection:
        pages = connection.execute("SELECT count(*) FROM pages").fetchone()
    done = commands.run_apart("show", f"http://{host}/page/2", "--json")
    assert done.code == 0, done.err
    assert done.json["site"] == host
    assert {block["text"] for block in done.json["blocks"] if block["keep"]} == set(SITE.pages[2].content)
    assert (tmp_path / "items.json").read_text(encoding="utf-8") == "[1]"
    with closing(sqlite3.connect(commands.store)) as connection:
        assert connection.execute("SELECT count(*) FROM pages").fetchone() == pages
    gone = commands.run_apart("show", f"http://{host}/nothing")
    assert gone.code == ExitCode.FAILED
    assert gone.error.endswith("could not be fetched: the server says 404.")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["show", "other.example"], ExitCode.NOT_FOUND, "There is no site 'other.example'"),
        (["show", "news.example", "--layout", "7"], ExitCode.NOT_FOUND, "has no layout 7; type one of 1."),
        (["show", "news.example", "--pages", "a.html"], ExitCode.USAGE, "type SITE --html FILE"),
    ],
)
def test_what_is_not_there_is_said(commands: Commands, arguments: list[str], code: ExitCode, said: str) -> None:
    done = commands.run(*arguments)
    assert done.code == code
    assert said in done.error


def test_page_that_cannot_be_judged_is_said(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "empty.html").write_text(" ", encoding="utf-8")
    done = commands.run("show", str(tmp_path / "empty.html"), "--site", "news.example")
    assert done.code == ExitCode.FAILED
    assert "cannot be judged: " in done.error


def test_page_is_judged_alone_where_there_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(SITE.pages[0].html, encoding="utf-8")
    done = Commands(tmp_path).run("show", str(tmp_path / "page.html"), "--json")
    assert (done.code, done.json["pages"]) == (0, 1)
    assert "There is no store" in done.err
    assert "the page is judged by itself alone" in done.err
    assert SITE.pages[0].content[1] in {block["text"] for block in done.json["blocks"] if block["keep"]}
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_terminal_gets_colours_unless_it_asks_for_none(
    commands: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert Output(Terminal(), is_json=False).styled("strip", "red") == "\x1b[31mstrip\x1b[0m"
    assert Output(StringIO(), is_json=False).styled("strip", "red") == "strip"
    monkeypatch.setenv("NO_COLOR", "1")
    assert Output(Terminal(), is_json=False).styled("strip", "red") == "strip"


def test_text_of_a_page_cannot_steer_the_terminal(tmp_path: Path) -> None:
    commands = Commands(tmp_path)
    evil = "<p>Menu &#27;]0;owned&#7; here</p>"
    commands.learn({"evil.example": [html.replace("<body>", f"<body>{evil}") for html in pages_of(6)]})
    (tmp_path / "page.html").write_text(pages_of(1)[0].replace("<body>", f"<body>{evil}"), encoding="utf-8")
    for arguments in (["show", "evil.example"], ["show", str(tmp_path / "page.html"), "--site", "evil.example"]):
        done = commands.run(*arguments)
        assert "Menu" in done.out
        assert not {"\x1b", "\x07"} & set(done.out)
    json.loads(commands.run("show", "evil.example", "--json").out)

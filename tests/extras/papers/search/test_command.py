"""``search``: pages of a feed, or of an index, that have the words, with the passage that has them."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from scrapy_blockfilter.commands import ExitCode
from tests.support.archives import write_lines
from tests.support.command_line import Commands

ITEMS: list[dict[str, Any]] = [
    {
        "url": "http://sea.example/tides",
        "title": "Tides",
        "html": "<html lang=en><p>High water at noon.</p><p>The harbour is open.</p></html>",
    },
    {"url": "http://sea.example/boats", "html": "<title>Boats</title><h1>Boats</h1><p>Sloops have one mast.</p>"},
    {"url": "http://town.example/水道", "text": "東京都の水道局は水を供給します。\n別の話題", "title": "水道"},
    {"url": "http://town.example/\x1b[31m", "title": "\x1b[31mred", "html": "<p>Evil \x1b]0;x\x07mast</p>"},
    {"url": "http://town.example/none", "n": 5},
    {"url": "http://town.example/mall", "html": "<p>Shops are open.</p>"},
]


@pytest.fixture
def feed(commands: Commands) -> str:
    return str(write_lines(commands.folder / "feed.jsonl", ITEMS))


def found(commands: Commands, *arguments: str, **settings: Any) -> list[str]:
    return [one["url"] for one in commands.run("search", *arguments, "--json", **settings).json["found"]]


def test_listing_has_title_address_and_the_passage_with_the_words_marked(commands: Commands, feed: str) -> None:
    done = commands.run("search", "harbours", feed)
    assert done.code == ExitCode.DONE
    assert done.out.splitlines() == [
        " 1. Tides",
        "    http://sea.example/tides",
        "    The *harbour* is open.",
        "1 page has a word of the query.",
    ]


def test_json_has_scores_passages_and_where_the_words_are(commands: Commands, feed: str) -> None:
    result = commands.run("search", "open harbours", feed, "--json").json
    assert (result["words"], result["pages"]) == (["open", "harbours", "harbour"], 2)
    first, second = result["found"]
    assert (first["url"], first["site"], first["title"]) == ("http://sea.example/tides", "sea.example", "Tides")
    assert first["score"] > second["score"]
    assert [first["passage"][start:end] for start, end in first["marked"]] == ["harbour", "open"]


def test_items_of_text_in_any_script_are_found(commands: Commands, feed: str) -> None:
    (one,) = commands.run("search", "水道局", feed, "--json").json["found"]
    assert one["passage"] == "東京都の水道局は水を供給します。"
    assert found(commands, "水", feed) == [one["url"]]


def test_page_cannot_control_the_terminal(commands: Commands, feed: str) -> None:
    out = commands.run("search", "mast", feed).out
    assert "*mast*" in out
    assert not [character for character in out if ord(character) < 32 and character != "\n"]


def test_index_is_made_once_and_searched_without_the_feed(commands: Commands, feed: str) -> None:
    index = str(commands.folder / "index.db")
    assert found(commands, "open", feed, "--index", index) == found(commands, "open", "--index", index)
    more = write_lines(commands.folder / "more.jsonl", [{**ITEMS[0], "html": "<p>Ebb.</p>"}])
    assert found(commands, "ebb", str(more), "--index", index) == ["http://sea.example/tides"]
    assert found(commands, "open", "--index", index) == ["http://town.example/mall"]


def test_search_of_one_site_and_a_number_of_pages(commands: Commands, feed: str) -> None:
    assert found(commands, "open", feed, "--site", "town.example") == ["http://town.example/mall"]
    assert len(found(commands, "open", feed, "--limit", "1")) == 1
    done = commands.run("search", "open", feed, "--site", "other.example")
    assert (done.code, "no page of the site 'other.example'" in done.error) == (ExitCode.NOT_FOUND, True)


def test_fields_are_those_of_the_settings_or_those_named(commands: Commands) -> None:
    items = [{"url": "http://a.example/1", "page": "<p>alpha</p>", "lead": "beta", "body": "gamma"}]
    path = str(write_lines(commands.folder / "feed.jsonl", items))
    assert found(commands, "alpha", path, BLOCKFILTER_FIELDS={"page": "html"}) == ["http://a.example/1"]
    assert found(commands, "gamma", path, BLOCKFILTER_OUTPUT_FIELDS={"body": "text"}) == ["http://a.example/1"]
    assert found(commands, "beta gamma", path, "--field", "lead", "--field", "body") == ["http://a.example/1"]
    done = commands.run("search", "alpha", path)
    assert done.code == ExitCode.NOT_FOUND
    assert "fields there: url, page, lead, body. --field names one." in done.err


def test_pages_in_files_are_searched(commands: Commands) -> None:
    folder = commands.folder / "sea.example"
    folder.mkdir()
    (folder / "a.html").write_text("<html lang=en><title>Tides</title><p>High water</p></html>", encoding="utf-8")
    (one,) = commands.run("search", "waters", str(folder), "--json").json["found"]
    assert (one["site"], one["title"], one["url"]) == ("sea.example", "Tides", (folder / "a.html").as_uri())


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["open"], ExitCode.USAGE, "Name files of items to search, or an index with --index FILE."),
        (["open", "--index", "none.db"], ExitCode.NOT_FOUND, "There is no index none.db"),
        (["open", "FEED", "--store", "a.db"], ExitCode.USAGE, "--store has no effect here."),
        (["open", "FEED", "--index", "FEED"], ExitCode.STORE, "is damaged or no index"),
        (["open", "FEED", "--index", os.devnull], ExitCode.STORE, "is a folder, device, pipe or socket. Name a file"),
    ],
)
def test_errors_are_one_line_that_says_what_to_do(
    commands: Commands, feed: str, arguments: list[str], code: ExitCode, said: str
) -> None:
    done = commands.run("search", *[feed if one == "FEED" else one for one in arguments])
    assert done.code == code
    assert said in done.error


def test_search_that_finds_nothing_says_so(commands: Commands, feed: str) -> None:
    done = commands.run("search", "zeppelin", feed)
    assert (done.code, done.out) == (ExitCode.NOT_FOUND, "0 pages have a word of the query.\n")
    assert json.loads(commands.run("search", "zeppelin", feed, "--json").out)["found"] == []

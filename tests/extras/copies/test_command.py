"""``scrapy blockfilter copies``: groups of pages with the same text on several sites, of feeds of every kind."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import pytest

from scrapy_blockfilter.commands import ExitCode
from scrapy_blockfilter.extras.copies.copy_groups import CopyGroups, Keys
from scrapy_blockfilter.extras.copies.keys import NUMBERS
from tests.support.archives import items_of, write_lines
from tests.support.command_line import Commands, Done
from tests.support.made_sites import make_site

pytestmark = pytest.mark.skipif(find_spec("datasketch") is None, reason="no datasketch")
PAGES = 6
# Publishers that print the same articles in their own templates, and one that prints others.
ONE, OTHER, THIRD = (make_site(tags, PAGES, seed=seed) for tags, seed in [("div", 1), ("semantic", 1), ("div", 2)])
ITEMS = [*items_of(ONE, "one.example"), *items_of(OTHER, "other.example"), *items_of(THIRD, "third.example")]


def key(seed: int, changed: float = 0, other: int = 0) -> str:
    """Return a similar key with a share of its numbers from another one."""
    numbers = [random.Random(f"{seed} {place}").getrandbits(32) for place in range(NUMBERS)]
    for place in random.Random(f"{seed} {other}").sample(range(NUMBERS), round(changed * NUMBERS)):
        numbers[place] = random.Random(f"{other} {place}").getrandbits(32)
    return "".join(f"{number:08x}" for number in numbers)


def keyed(site: str, page: int | str, content: str, similar: str) -> dict[str, Any]:
    return {"url": f"http://{site}.example/{page}", "content_key": content, "similar_key": similar}


KEYED = [
    *(keyed("a", 1, "x", key(1)), keyed("b", 1, "x", key(1, 0.9, 5)), keyed("c", 1, "y", key(1, 0.2, 6))),
    *(keyed("c", 2, "z", key(2)), keyed("c", 3, "z", key(2)), keyed("d", 1, "", ""), keyed("e", "\ud800", "w", key(3))),
]
A, B, C, C_2, C_3 = (item["url"] for item in KEYED[:5])


def feed_of(commands: Commands, items: Sequence[dict[str, Any]] = KEYED) -> str:
    return str(write_lines(commands.folder / "feed.jsonl", items))


def groups_of(done: Done) -> list[list[str]]:
    assert done.code == 0, done.err
    return [[page["url"] for page in json.loads(line)["pages"]] for line in done.out.splitlines()]


def same_on_both() -> list[list[str]]:
    return [[f"http://one.example/page/{n}", f"http://other.example/page/{n}"] for n in range(PAGES)]


ALONE = pytest.mark.skipif(find_spec("scrapy_blockfilter.extras.files") is None, reason="there is one process")
SEVERAL = pytest.param(["--jobs", "2"], marks=[pytest.mark.slow, ALONE])


@pytest.mark.parametrize("jobs", [[], SEVERAL])
def test_pages_of_a_feed_are_cleaned_and_listed_if_their_text_is_the_same(commands: Commands, jobs: list[str]) -> None:
    path = feed_of(commands, ITEMS)
    assert commands.run("learn", path).code == 0
    done = commands.run("copies", path, "--json", *jobs)
    assert groups_of(done) == same_on_both()
    first = json.loads(done.out.splitlines()[0])
    assert first["sites"] == 2
    assert [page["likeness"] for page in first["pages"]] == [1, 1]
    assert [page["site"] for page in first["pages"]] == ["one.example", "other.example"]
    summary = json.loads(done.err[done.err.index("{") :])  # a slow machine shows the progress before
    assert (summary["records"], summary["groups"], summary["pages"]) == (3 * PAGES, PAGES, 2 * PAGES)


def test_list_for_people_says_how_alike_pages_are(commands: Commands) -> None:
    done = commands.run("copies", feed_of(commands))
    assert done.out.splitlines() == [
        "3 pages of 3 sites, much the same text",
        "  100%  http://a.example/1",
        "  100%  http://b.example/1",
        "   80%  http://c.example/1",
        "7 records: 6 compared, 3 in 1 group on several sites.",
        "  1 not compared: without any text that is left",
    ]


@pytest.mark.parametrize(
    ("arguments", "groups"),
    [
        *((arguments, [[A, B, C]]) for arguments in ("", "--within --limit 1")),
        ("--within", [[A, B, C], [C_2, C_3]]),
        *((f"--likeness {share}", [[A, B]]) for share in (".9", "1")),
    ],
)
def test_keys_of_a_feed_need_no_store(commands: Commands, arguments: str, groups: list[list[str]]) -> None:
    assert groups_of(commands.run("copies", feed_of(commands), "--json", *arguments.split())) == groups
    assert not commands.store.exists()


def test_keys_that_clean_wrote_are_compared(commands: Commands) -> None:
    path, cleaned = feed_of(commands, ITEMS), commands.folder / "keys.jsonl"
    for form in ("content_key", "similar_key"):
        assert commands.run("clean", path, "--learn", "--format", form, "-o", str(cleaned), "--overwrite").code == 0
        commands.store.unlink()
        assert groups_of(commands.run("copies", str(cleaned), "--json")) == same_on_both()


@pytest.mark.parametrize("likeness", ["0.2", "1.1", "much"])
def test_likeness_out_of_bounds_is_refused(commands: Commands, likeness: str) -> None:
    done = commands.run("copies", feed_of(commands), "--likeness", likeness)
    assert (done.code, f"{likeness} is no number from 0.3 to 1" in done.error) == (ExitCode.USAGE, True)


def test_same_address_read_twice_is_no_copy(commands: Commands) -> None:
    assert groups_of(commands.run("copies", feed_of(commands, KEYED[3:4] * 3), "--within", "--json")) == []


def test_without_a_store_the_way_to_one_is_told(commands: Commands) -> None:
    done = commands.run("copies", feed_of(commands, ITEMS))
    assert done.code == ExitCode.NOT_FOUND
    assert "run `scrapy blockfilter learn` on the same paths" in done.error


def test_without_the_library_the_way_to_it_is_told(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    path = feed_of(commands, ITEMS)
    commands.run("learn", path)
    monkeypatch.setattr("scrapy_blockfilter.plugins.find_spec", lambda name: None)
    done = commands.run("copies", path)
    assert done.code == ExitCode.USAGE
    assert "scrapy-blockfilter[copies]" in done.error
    assert "--likeness 1" in done.error
    assert groups_of(commands.run("copies", path, "--json", "--likeness", "1")) == same_on_both()


def test_damaged_keys_are_told_and_the_rest_is_compared(commands: Commands) -> None:
    done = commands.run("copies", feed_of(commands, [*KEYED, keyed("f", 1, "x", "no key")]))
    assert done.code == 0
    assert "feed.jsonl:8: similar_key is none" in done.err
    assert "3 pages of 3 sites" in done.out


def test_feed_of_nothing_to_compare_is_an_error(commands: Commands) -> None:
    commands.run("learn", str(write_lines(commands.folder / "pages.jsonl", ITEMS)))
    done = commands.run("copies", feed_of(commands, [{"url": "http://a.example/", "page": ONE.pages[0].html}]))
    assert done.code == ExitCode.FAILED
    assert "Nothing was compared" in done.error
    assert "type --field page" in done.error


def test_pages_of_sites_that_are_not_learnt_are_not_compared(commands: Commands) -> None:
    commands.run("learn", str(write_lines(commands.folder / "known.jsonl", ITEMS[: 2 * PAGES])))
    done = commands.run("copies", feed_of(commands, ITEMS))
    assert f"{PAGES} not compared: nothing is learnt of their site" in done.out


def found_by(pages: Sequence[Keys], least: float = 0.5) -> list[list[str]]:
    groups = CopyGroups(least)
    groups.add(pages)
    found = [[page.url for page in group] for group in groups.groups()]
    groups.close()
    return found


def test_order_of_a_feed_does_not_change_what_is_grouped() -> None:
    pages = [Keys(f"s{copy}", f"{copy}/{page}", "", key(page, copy / 20, 99)) for copy in range(6) for page in range(9)]
    found = {frozenset(group) for group in found_by(pages)}
    random.Random(1).shuffle(pages)
    assert {frozenset(group) for group in found_by(pages)} == found
    assert len(found) == 9


@pytest.mark.slow
def test_a_text_on_thousands_of_pages_is_grouped_in_linear_time() -> None:
    pages = [Keys(f"s{number}", str(number), "", key(1)) for number in range(3_000)]
    (group,) = found_by(pages)
    assert len(group) == 3_000

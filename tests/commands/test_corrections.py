"""``keep``, ``drop``, ``undo``: a person's correction holds from the next page on, whatever is learnt later."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scrapy_blockfilter import Options
from scrapy_blockfilter.commands import ExitCode
from scrapy_blockfilter.crawl import Sites
from scrapy_blockfilter.crawl.soft_store import LOOK_EVERY
from scrapy_blockfilter.options import Corrections
from scrapy_blockfilter.store import SqliteStore
from scrapy_blockfilter.store.corrections import MAX_OF_SITE, add, undo
from scrapy_blockfilter.store.errors import damaged
from scrapy_blockfilter.store.set_aside import set_aside
from tests.support.command_line import Commands, pages_of
from tests.support.crawls import chain_spider
from tests.support.made_crawler import CountingStats
from tests.support.made_sites import make_site
from tests.support.mockserver import MockServer

SITE = make_site(pages=8)
HTML = [page.html for page in SITE.pages]


@pytest.fixture
def commands(tmp_path: Path) -> Commands:
    commands = Commands(tmp_path)
    commands.learn({"news.example": HTML})
    return commands


def cleaned(commands: Commands, html: str, **options: Any) -> str:
    """A page of the site as a next crawl would clean it."""
    with closing(SqliteStore(commands.store)) as store:
        crawled = Sites(Options(pages=4, **options), store, CountingStats())
        page = crawled.reader.read(html, whole=True)
        model = crawled.named("news.example").judge(page)
        assert model is not None
        return model.clean_page(html, page).html


@pytest.mark.parametrize("selector", ["#footer", "h1", "span.gone", "body.gone #footer", "//i[1]", ".gone, #footer"])
def test_selector_that_may_match_is_taken_without_a_word(commands: Commands, selector: str) -> None:
    assert commands.run("drop", "news.example", selector, "--json").json["doubt"] == ""


@pytest.mark.parametrize(
    ("selector", "name"), [("div.no-12 > #footer", ".no-0"), ("#x:not(.y)", "#x"), ("NAV", "nav"), ("logo", "logo")]
)
def test_selector_with_names_that_no_stored_page_has_is_doubted(commands: Commands, selector: str, name: str) -> None:
    done = commands.run("keep", "news.example", selector)
    assert f"None of the 4 pages in the store shows {name}." in done.out
    assert commands.run("keep", "news.example", selector, "--json").json["doubt"] == ""  # told once


def test_corrections_hold_until_they_are_taken_back_the_last_first(commands: Commands) -> None:
    page = SITE.pages[5]
    footer = page.template[-1]
    assert page.title in cleaned(commands, page.html)
    assert footer not in cleaned(commands, page.html)
    assert commands.run("drop", "news.example", "h1").code == 0
    assert commands.run("keep", "www.news.example", "#footer").code == 0
    assert f"<h1>{page.title}</h1>" not in cleaned(commands, page.html)
    assert footer in cleaned(commands, page.html)
    assert commands.run("undo", "news.example", "--json").json["selector"] == "#footer"
    assert footer not in cleaned(commands, page.html)
    assert f"<h1>{page.title}</h1>" not in cleaned(commands, page.html)
    assert commands.run("undo", "news.example").code == 0
    assert f"<h1>{page.title}</h1>" in cleaned(commands, page.html)
    assert commands.run("undo", "news.example").code == ExitCode.NOT_FOUND


def test_the_last_correction_of_one_selector_is_undone(commands: Commands) -> None:
    for action, selector in (("keep", "h1"), ("drop", "h1"), ("drop", ".quote")):
        commands.run(action, "news.example", selector)
    assert f"<h1>{SITE.pages[1].title}" not in cleaned(commands, HTML[1])
    undone = commands.run("undo", "news.example", "h1", "--json").json
    assert (undone["action"], undone["selector"], undone["left"]) == ("drop", "h1", 2)
    assert f"<h1>{SITE.pages[1].title}" in cleaned(commands, HTML[1])
    done = commands.run("undo", "news.example", ".other")
    assert (done.code, done.error.partition(";")[0]) == (
        ExitCode.NOT_FOUND,
        "scrapy blockfilter: news.example has no correction '.other'",
    )
    assert commands.run("undo", "news.example", "h1", "--all").code == ExitCode.USAGE


def test_corrections_hold_for_fragments_of_a_feed(commands: Commands, tmp_path: Path) -> None:
    commands.run("drop", "news.example", ".quote")
    feed = tmp_path / "items.jsonl"
    item = {"url": "http://news.example/new", "html": "<p>A paragraph.</p><p class=quote>A quotation.</p>"}
    feed.write_text(json.dumps(item), encoding="utf-8")
    out = tmp_path / "clean.jsonl"
    assert commands.run("clean", str(feed), "-o", str(out)).code == 0
    assert json.loads(out.read_text(encoding="utf-8"))["html"] == "<p>A paragraph.</p>"


def test_corrections_stand_beside_the_selectors_of_the_settings(commands: Commands) -> None:
    commands.run("drop", "news.example", "h1")
    html = cleaned(commands, HTML[1], keep=["#footer"])
    assert f"<h1>{SITE.pages[1].title}" not in html
    assert SITE.pages[1].template[-1] in html
    assert f"<h1>{SITE.pages[1].title}" in cleaned(commands, HTML[1], keep=["h1"]), "keeping wins"


@pytest.mark.parametrize(
    ("selector", "reason"),
    [
        (".a >", "Expected selector"),
        ("", "it is empty"),
        ("a" * 2000, "more than 1,000"),
        ("//a[//b]", "only inside"),
        ("//a/@href", "not elements"),
    ],
)
def test_wrong_selector_is_refused_with_its_reason(commands: Commands, selector: str, reason: str) -> None:
    done = commands.run("drop", "news.example", selector)
    assert done.code == ExitCode.USAGE
    assert "cannot be used as a selector" in done.error
    assert reason in done.error
    assert commands.run("undo", "news.example").code == ExitCode.NOT_FOUND


def full(commands: Commands) -> None:
    """Give the site as many corrections as it may have."""
    with closing(SqliteStore(commands.store)) as store:
        add(store, "news.example", [("drop", f".advert-{number}") for number in range(MAX_OF_SITE)])


def test_one_correction_too_many_is_refused_and_a_known_one_is_not(commands: Commands) -> None:
    full(commands)
    done = commands.run("drop", "news.example", "h1")
    assert done.code == ExitCode.USAGE
    assert "1,000 are the most of a site" in done.error
    assert commands.run("drop", "news.example", ".advert-7", "--json").json["changed"] is False
    assert commands.run("undo", "news.example", "--json").json["selector"] == f".advert-{MAX_OF_SITE - 1}"
    assert commands.run("drop", "news.example", "h1").code == 0
    assert f"<h1>{SITE.pages[1].title}" not in cleaned(commands, HTML[1])


def test_corrections_outlast_what_was_learnt(commands: Commands) -> None:
    commands.run("drop", "news.example", "h1")
    commands.learn({"news.example": HTML, "other.example": pages_of(5, seed=4)})
    assert commands.run("forget", "news.example", "--json").json["corrections_kept"] == 1
    set_aside(commands.store, commands.store.stat(), damaged(commands.store, "as this test says"))
    commands.learn({"news.example": HTML})
    assert f"<h1>{SITE.pages[1].title}" not in cleaned(commands, HTML[1])
    assert commands.run("forget", "news.example", "--corrections").out.endswith("Its corrections are undone: 1.\n")
    commands.learn({"news.example": HTML})
    assert f"<h1>{SITE.pages[1].title}" in cleaned(commands, HTML[1])


def test_corrections_outlast_the_bound_of_the_file(tmp_path: Path) -> None:
    commands = Commands(tmp_path)
    commands.learn({"news.example": HTML})
    commands.run("drop", "news.example", "h1")
    with closing(SqliteStore(commands.store, max_bytes=10_000)) as store:
        store.save("other.example", store.load("news.example", 100))
        assert len(store.load("news.example", 100)) == 0
        assert store.corrections() == {"news.example": Corrections(drop=("h1",))}


def test_every_layout_of_a_site_is_corrected(commands: Commands) -> None:
    other = pages_of(7, seed=5, layout="semantic")
    commands.learn({"news.example": other})
    commands.run("drop", "news.example", "h1")
    assert commands.run("sites", "--json").json[0]["layouts"] == 2
    for html in (HTML[2], other[2]):
        assert "<h1>" in html
        assert "<h1>" not in cleaned(commands, html)


def test_store_tells_what_another_process_changed(tmp_path: Path) -> None:
    path = tmp_path / "templates.db"
    with closing(SqliteStore(path)) as mine, closing(SqliteStore(path)) as other:
        assert mine.corrections() == {}
        add(other, "a.example", [("drop", ".x")])
        first = mine.corrections()
        assert first == {"a.example": Corrections(drop=(".x",))}
        other.save("b.example", other.load("b.example", 3))
        assert mine.corrections() is first, "what else is written makes no new ones"
        undo(other, "a.example")
        add(other, "a.example", [("keep", ".y")])
        assert mine.corrections() == {"a.example": Corrections(keep=(".y",))}


def test_crawl_under_way_heeds_a_correction(server: MockServer, crawl: Any) -> None:
    host = server.add_site(SITE)
    command = [sys.executable, "-m", "scrapy", "blockfilter", "drop", host, "h1"]
    body = f"""
def items(self, response):
    if response.url.endswith("/page/5"):
        import subprocess, time
        subprocess.run({command!r}, check=True)
        time.sleep({LOOK_EVERY + 0.1})
    return {{"url": response.url, "html": response.text}}
"""
    done = crawl(chain_spider(f"http://{host}/page/0", items="self.items(response)", body=body)).check()
    pages = done.by_path()
    assert len(pages) == 8
    for number, page in enumerate(SITE.pages):
        assert (f"<h1>{page.title}" in pages[f"/page/{number}"]) == (number < 5), number

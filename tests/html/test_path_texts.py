"""Paths of blocks as text: whole where people can read them, bounded where pages are deep."""

from __future__ import annotations

from scrapy_blockfilter import learn
from scrapy_blockfilter.html.paths import LONGEST_PATH, style_label
from scrapy_blockfilter.report import page_report
from tests.support.pages import segmented

MODEL = learn(["<p>x", "<p>y"])


def deep(levels: int, name: str = "a") -> str:
    """Return a page with a block at each level."""
    return f"<div class={name}>x" * levels


def test_a_path_has_every_level_where_it_is_not_long() -> None:
    page = segmented("<div class='post-12 b' id=c7><ul><li>a</ul>" + "<p>" + "<i><div>" * 30 + "b")
    assert page.blocks[0].path == "html/body/div.post-0.b#c0/ul/li"
    assert page.blocks[-1].path.count("/div") == 31
    assert "…" not in page.blocks[-1].path


def test_a_long_path_has_its_ends_and_says_how_many_levels_it_lacks() -> None:
    page = segmented(deep(1_900))
    paths = [block.path for block in page.blocks]
    assert len(paths) == 1_900
    assert max(map(len, paths)) <= LONGEST_PATH
    before, middle, behind = paths[-1].split("…")
    assert before.startswith("html/body/div.a/div.a/")
    assert behind.endswith("/div.a/div.a")
    lacking = int(middle.removesuffix(" levels ").strip().replace(",", ""))
    assert lacking + before.count("/") + behind.count("/") == 1_902
    assert len({path for path in paths if "…" not in path}) == sum("…" not in path for path in paths)


def test_names_of_any_length_make_no_long_path() -> None:
    html = f"<x-{'y' * 9_000} class='{'a' * 9_000}' id='{'b' * 9_000}'>" * 50 + "<p>x"
    page = segmented(html)
    assert len(page.blocks[0].path) <= LONGEST_PATH
    assert style_label("p", "a" * 9_000, "") == f"p.{'a' * 119}"


def test_a_report_on_a_deep_page_is_bounded() -> None:
    html = deep(2_000)
    assert len(page_report(MODEL.clean(html))) < 100 * len(html)

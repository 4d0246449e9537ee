"""From texts, bytes and selectors to segmented pages."""

from __future__ import annotations

from types import SimpleNamespace

import parsel
import pytest

from scrapy_blockfilter.html import Reader, UnfitPage, read_input
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.render import render_html

HTML = "<html><body><p>Grüße</p></body></html>"


def test_a_selector_of_a_page_lends_its_tree_and_one_of_a_part_does_not() -> None:
    selector = parsel.Selector(HTML)
    assert read_input(selector) == (HTML, selector.root)
    assert read_input(selector.css("p")[0]) == ("<p>Grüße</p>", None)


def test_a_tree_is_segmented_as_its_source_is_and_stays_whole() -> None:
    selector = parsel.Selector(HTML)
    of_tree = Reader(Options()).read(HTML, selector.root)
    of_text = Reader(Options()).read(HTML)
    assert [block.key for block in of_tree.blocks] == [block.key for block in of_text.blocks]
    assert of_tree.whole
    assert of_text.whole
    assert "Gr" not in render_html(of_tree, [False], HTML)
    assert selector.get() == HTML


def test_a_fragment_is_told_by_its_first_tags_unless_it_is_said() -> None:
    assert not Reader(Options()).read("<p>a</p>").whole
    assert Reader(Options()).read("<p>a</p>", whole=True).whole


def test_what_is_beyond_the_limits_is_refused_by_text_and_by_tree() -> None:
    for root in (None, parsel.Selector(HTML).root):
        with pytest.raises(UnfitPage):
            Reader(Options(max_characters=10)).read(HTML, root)


@pytest.mark.parametrize(
    "opening", ["<template shadowrootmode=open>", "<TEMPLATE SHADOWROOTMODE=closed>", "<template shadowroot=open>"]
)
def test_shadow_roots_are_text_of_the_page_and_other_templates_are_not(opening: str) -> None:
    html = f"<body><my-story>{opening}<p>Told</p></template></my-story><template><p>Never</p></template></body>"
    reader, selector = Reader(Options()), parsel.Selector(html)
    answer = SimpleNamespace(text=html, selector=selector)
    pages = [reader.read(html), reader.read(html, selector.root), reader.read(html, reader.tree_of(answer), whole=True)]
    assert [[block.text for block in page.blocks] for page in pages] == [["Told"]] * 3
    assert "Told" in render_html(pages[1], [True], html)
    assert selector.css("template p::text").getall() == ["Told", "Never"]

"""Trees that someone else holds are read without a copy, and seen to change."""

from __future__ import annotations

import random

import parsel
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from scrapy_blockfilter.html import Reader, UnfitPage, parse, tree_fingerprint
from scrapy_blockfilter.html.tree_fingerprint import fingerprint, is_parsed_alike
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.render import html as rendering
from scrapy_blockfilter.render import render_html
from stress.hostile import mutated, soup
from tests.support.changed_trees import change
from tests.support.made_sites import make_site
from tests.support.pages import document, segmented, texts

pytestmark = pytest.mark.skipif(tree_fingerprint._native is None, reason="native code is not built")


@pytest.fixture(autouse=True, scope="module")
def on_both() -> None:
    """Trees are shared by native code alone."""


SITE = make_site(pages=3, rich=True, seed=3)
HTML = document("<div id=d>Menu<b>x</b>y</div><p>a<!-- c --><br>b</p><?php?><p class=e>f</p>", title="t")


def find(root: etree._Element, tag: str) -> etree._Element:
    found = root.find(f".//{tag}")
    assert found is not None
    return found


def written(root: etree._Element) -> list[str]:
    """Return all of a tree, with the siblings of its root."""
    nodes = [*root.itersiblings(preceding=True), root, *root.itersiblings()]
    return [etree.tostring(node, encoding="unicode") for node in nodes]


@given(st.randoms(use_true_random=False))
def test_every_change_of_a_tree_is_seen(chooser: random.Random) -> None:
    root = parse(HTML)
    before, number = written(root), fingerprint(root)
    assert fingerprint(root) == number == fingerprint(parse(HTML))
    change(root, chooser)
    assert fingerprint(root) != number or written(root) == before


@given(st.randoms(use_true_random=False), st.sampled_from(["", "\n", " ", "\f", "\xa0", "\ufeff", "<!-- a -->", "x"]))
def test_a_text_that_parsel_parses_alike_has_the_tree_of_parsel(chooser: random.Random, space: str) -> None:
    body = soup(chooser, 30) if chooser.random() < 0.5 else mutated(chooser.choice(SITE.pages).html, chooser, 4)
    start, end = (chooser.choice(["", "<html>", "</html>", "<!DOCTYPE html>", "</body>", " "]) for _ in range(2))
    html = f"{space}{start}{body}{end}{space}"
    try:
        parsed = parse(html.strip())
        root = parsel.Selector(text=html).root
    except (UnfitPage, UnicodeEncodeError):  # parsel refuses lone surrogates
        return
    if is_parsed_alike(html, root):
        assert fingerprint(parsed) == fingerprint(root)


@pytest.mark.parametrize("native", [True, False])
def test_the_tree_of_a_selector_is_read_and_stays(native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not native:
        monkeypatch.setattr(rendering, "_native", None)
    selector = parsel.Selector(text=HTML)
    root: etree._Element = selector.root
    before = fingerprint(root)
    page = Reader(Options()).read(HTML, root)
    assert page.root is root
    keep = [text != "Menuxy" for text in texts(page)]
    assert render_html(page, keep, HTML) == render_html(segmented(HTML), keep, HTML)
    assert fingerprint(root) == before


def test_a_page_whose_tree_has_changed_since_is_rendered_from_its_source() -> None:
    selector = parsel.Selector(text=HTML)
    page = Reader(Options()).read(HTML, selector.root)
    keep = [text != "Menuxy" for text in texts(page)]
    selector.css("p").drop()
    assert render_html(page, keep, HTML) == render_html(segmented(HTML), keep, HTML)


def test_a_page_whose_source_gives_another_tree_than_it_had_is_refused() -> None:
    selector = parsel.Selector(text=HTML)
    assert selector.root is not None
    find(selector.root, "p").append(etree.Element("table"))  # the parser would put it elsewhere
    find(selector.root, "table").text = "g"
    page = Reader(Options()).read(selector.get(), selector.root)
    selector.css("div").drop()
    with pytest.raises(RuntimeError, match="clean it again"):
        render_html(page, [True] * len(page.blocks), selector.get())

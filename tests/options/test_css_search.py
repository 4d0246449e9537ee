"""CSS selectors find what libxml2 finds by one path, and look at each element once for a combinator."""

from __future__ import annotations

import pytest
from cssselect import HTMLTranslator, SelectorError
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree, html

from scrapy_blockfilter.html import Reader
from scrapy_blockfilter.methods import Reason, Verdict
from scrapy_blockfilter.model.selection import Selection
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.options.selectors import compiled_selector

PAGE = html.document_fromstring(
    "<div class=a id=b><p>x <b>y</b></p>tail<!-- c --><p class='a z'>x</p><div><p class=a>x<b>z</b></p><b>w</b>"
    "<div class=a><p id=b>y</p><p>x</p><div class=a><b>b</b><p class=a>p</p></div></div></div><p>end</p></div>"
    "<ul><li>1<ul><li class=a>2</li><li>3</li></ul></li><li class=a>4<p>q</p></li></ul><b class=a>u</b>"
)
_COMPOUNDS = "* P b div li .a #b p.a [class~=z] :first-child :nth-child(2n+1) :last-of-type :not(.a) :has(b) :scope"
_PARTS = [*_COMPOUNDS.split(), *(f"{sign} {one}" for sign in ">+~," for one in _COMPOUNDS.split())]


@given(st.lists(st.sampled_from(_PARTS), min_size=1, max_size=6).map(" ".join))
@example("p ~ div p, ul li")
@example("div:has(> p ~ div b) + p")
@example("p + p ~ *")
def test_selector_finds_what_its_path_finds(selector: str) -> None:
    try:
        found = compiled_selector(selector)(PAGE)
        whole = etree.XPath(HTMLTranslator().css_to_xpath(selector))(PAGE)
    except (SelectorError, etree.XPathError):
        return
    assert len(found) == len(set(found))
    assert set(found) == set(whole)


class Counted(etree.XPath):
    """A path that notes how many nodes it finds."""

    found = 0

    def __call__(self, root: etree._Element, /, **variables: object) -> list[etree._Element]:  # type: ignore[override]
        nodes: list[etree._Element] = super().__call__(root)
        Counted.found += len(nodes)
        return nodes


@pytest.mark.parametrize("selector", ["p ~ p", "p + p", "div p", "[class] ~ .a b", "p ~ p b", "div * ~ p", "* * * * b"])
@pytest.mark.parametrize("nests", [1, 4])
def test_nodes_are_found_once_for_all_levels(monkeypatch: pytest.MonkeyPatch, selector: str, nests: int) -> None:
    monkeypatch.setattr(etree, "XPath", Counted)
    search = compiled_selector(selector)
    counts = []
    for size in (100, 200):
        page = "<div class=a>" * size * nests + "<p class=a>x <b>y</b></p>" * size + "</div>" * size * nests
        root = html.document_fromstring(page, parser=html.HTMLParser(huge_tree=True))
        Counted.found = 0
        search(root)
        counts.append(Counted.found)
    assert counts[1] <= 2.2 * counts[0]


@pytest.mark.parametrize(
    ("slow", "page"),
    [
        ("//p/following-sibling::p", "<p>x</p>" * 3_000),
        ("//div//p", "<div>" * 200 + "<p>x</p>" * 10_000 + "</div>" * 200),
    ],
)
def test_path_that_could_take_long_is_left_out_and_told(slow: str, page: str, caplog: pytest.LogCaptureFixture) -> None:
    read = Reader(Options()).read(f"<html><body>{page}</body></html>", whole=True)
    verdicts = [Verdict(False, 0.0, Reason("x", "x"))] * len(read.blocks)
    judged, kept = Selection([slow, "p ~ p"], []).apply(read, verdicts)
    assert judged.selectors == {"p ~ p": True}
    assert sum(verdict.keep for verdict in kept) == page.count("<p>") - 1
    assert f"{slow} is not applied to a page of" in caplog.text

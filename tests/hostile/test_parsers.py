"""The inputs of parser tests, alone and in the middle of a page: all are cleaned, and none loses content."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import lxml.html
import parsel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree, objectify

from scrapy_blockfilter import Options, SiteModel, learn
from scrapy_blockfilter.html.charsets import decode
from stress.invariants import broken
from tests.support import parser_inputs
from tests.support.made_sites import make_site

SITE = make_site(pages=9, seed=5)


@pytest.fixture(scope="module")
def model() -> SiteModel:
    return learn((page.html for page in SITE.pages[:8]), Options(method="chunk_frequency", pages=8))


def faults_of(model: SiteModel, inputs: Iterable[str]) -> list[tuple[str, list[str]]]:
    found = [(html, broken(model, html)) for html in inputs]
    return [(html, faults) for html, faults in found if faults]


def within(inputs: Sequence[str]) -> list[str]:
    """Each input in the content of a page, with something to strip before it and behind it."""
    before, menu, behind = SITE.pages[8].html.partition('<div class="content">')
    return [f"{before}{menu}{html}{behind}" for html in inputs]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("inputs", "least"),
    [(parser_inputs.tokenizer_inputs, 6_000), (parser_inputs.tree_inputs, 1_500)],
    ids=["tokenizer", "tree construction"],
)
def test_inputs_of_parser_tests_are_cleaned(model: SiteModel, inputs: Callable[[], list[str]], least: int) -> None:
    pages = inputs()
    assert len(pages) >= least
    assert faults_of(model, pages) == []
    # In a page, which takes ten times as long, only some: entities by the thousand differ in their names alone.
    assert faults_of(model, within(pages[:: 1 + len(pages) // 500])) == []


def test_inputs_of_encoding_tests_are_cleaned(model: SiteModel) -> None:
    bodies = parser_inputs.encoding_inputs()
    assert len(bodies) >= 50
    for body in bodies:
        assert model.clean(body).html == model.clean(decode(body)).html
    assert faults_of(model, [decode(body) for body in bodies]) == []


def prefixed(source: str) -> etree._Element:
    """Return a tree whose elements have a prefix, as html5lib makes it."""
    root = etree.fromstring(source)
    holder = etree.Element("{http://www.w3.org/1999/xhtml}html", nsmap={"html": "http://www.w3.org/1999/xhtml"})
    for element in root.iter(etree.Element):
        element.tag = f"{{http://www.w3.org/1999/xhtml}}{element.tag}"  # type: ignore[str-bytes-safe]
    holder.extend(root)
    return holder


_TREES: dict[str, Callable[[str], etree._Element]] = {
    "etree": etree.fromstring,
    "lxml.html": lxml.html.document_fromstring,
    "objectify": objectify.fromstring,
    "prefixed": prefixed,
}


@pytest.mark.parametrize("make", _TREES.values(), ids=_TREES)
@given(st.integers(0, 10_000))
@settings(max_examples=15)
def test_trees_of_other_parsers_are_cleaned_as_the_page_is_and_stay(
    make: Callable[[str], etree._Element], seed: int
) -> None:
    site = make_site(pages=5, seed=seed % 20)
    sources = [
        etree.tostring(lxml.html.document_fromstring(page.html), method="xml", encoding="unicode")
        for page in site.pages
    ]
    model = learn(sources)
    numbers = ["<p>1</p>", "<p>true</p>", "<p>2.5</p>", "<p/>", "<p>None</p>"]  # objectify makes values of these
    source = sources[seed % 5].replace("</body>", f"<div>{''.join(numbers)}</div></body>")
    root = make(source)
    before = etree.tostring(root)
    cleaned = model.clean(parsel.Selector(root=root))
    assert [block.text for block in cleaned.blocks if block.keep] == [
        block.text for block in model.clean(source).blocks if block.keep
    ]
    assert cleaned.unchanged == ""
    assert etree.tostring(root) == before

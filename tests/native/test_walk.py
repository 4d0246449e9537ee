"""The native walk makes of any tree what the walk in Python makes of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import lxml.html
import parsel
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from benchmarks.corpus import find_sites
from scrapy_blockfilter.html import Page, PageCaches, UnfitPage, native, own_copy, parse, segment
from scrapy_blockfilter.html.native import NativeWalk, same
from scrapy_blockfilter.html.walk import walk_page
from scrapy_blockfilter.options import DEFAULT_LIMITS, Limits
from stress.hostile import TAGS, mutated, soup
from tests.support import parser_inputs
from tests.support.any_html import WILD_HTML
from tests.support.made_sites import make_site
from tests.support.native import native_walk

_CORPUS = Path(
    os.environ.get("BLOCKFILTER_CORPUS", "").split(os.pathsep)[0] or Path(__file__).parents[3] / "shared/corpus"
)
SITE = make_site(pages=12, rich=True, seed=4)


@pytest.fixture(scope="module")
def walk() -> NativeWalk:
    return native_walk()


@pytest.fixture(scope="module")
def known() -> PageCaches:
    """Caches of all pages, so that steps of paths are known."""
    return PageCaches()


def outcome(root: etree._Element, known: PageCaches, limits: Limits, walk: NativeWalk | None) -> Page | tuple[str, str]:
    """Return a walked page, or why it is unfit."""
    try:
        page = walk_page(root, known, limits) if walk is None else walk.walk(root, known, limits)
    except UnfitPage as unfit:
        return unfit.reason, str(unfit)
    assert page is not None, "Python would have to walk it"
    return page


def are_equal(walk: NativeWalk, known: PageCaches, root: etree._Element, limits: Limits = DEFAULT_LIMITS) -> bool:
    one, other = outcome(root, known, limits, None), outcome(root, known, limits, walk)
    return same(one, other) if isinstance(one, Page) and isinstance(other, Page) else one == other


def trees(htmls: Iterator[str] | list[str]) -> Iterator[etree._Element]:
    for html in htmls:
        try:
            yield parse(html)
        except UnfitPage:
            continue


@given(WILD_HTML)
def test_any_html(walk: NativeWalk, known: PageCaches, html: str) -> None:
    for root in trees([html]):
        assert are_equal(walk, known, root)


@given(WILD_HTML, st.integers(1, 12), st.integers(1, 6), st.integers(0, 4))
def test_any_html_beyond_limits_is_refused_for_the_same_reason(
    walk: NativeWalk, known: PageCaches, html: str, elements: int, depth: int, blocks: int
) -> None:
    for root in trees([html]):
        assert are_equal(walk, known, root, Limits(elements=elements, depth=depth, blocks=blocks))


@pytest.mark.slow
@pytest.mark.parametrize("inputs", [parser_inputs.tokenizer_inputs, parser_inputs.tree_inputs])
def test_the_inputs_of_parser_tests(walk: NativeWalk, known: PageCaches, inputs: object) -> None:
    assert callable(inputs)
    assert [root for root in trees(inputs()) if not are_equal(walk, known, root)] == []


def test_pages_changed_at_random(walk: NativeWalk, known: PageCaches) -> None:
    random = Random(7)
    pages = [mutated(random.choice(SITE.pages).html, random, random.choice((1, 4, 16))) for _ in range(80)]
    pages += [soup(random, random.choice((3, 30, 300))) for _ in range(80)]
    assert all(are_equal(walk, known, root) for root in trees(pages))


@pytest.mark.slow
def test_pages_of_the_corpus(walk: NativeWalk, known: PageCaches) -> None:
    if not _CORPUS.is_dir():
        pytest.skip("no corpus of real pages; BLOCKFILTER_CORPUS may name its folder")
    pages = (page.html for site in find_sites(_CORPUS)[::12] for page in site.pages()[:3])
    assert all(are_equal(walk, known, root) for root in trees(pages))


def made_tree() -> etree._Element:
    root = etree.Element("html")
    for tag in ("p", "a", "pre", "img", "Div", "{ns}p"):
        element = etree.SubElement(root, tag, {"class": "a", "href": ""})
        element.text, element.tail = "text", ""
        element.append(etree.Entity("nbsp"))
        element.append(etree.ProcessingInstruction("a", "b"))
        element[-1].tail = " tail"
    return root


_TREES: dict[str, Callable[[], etree._Element]] = {
    "of parsel": lambda: parsel.Selector(text=SITE.pages[0].html).root,
    "a part of parsel's": lambda: parsel.Selector(text=SITE.pages[0].html).css("div")[0].root,
    "of lxml.html": lambda: lxml.html.fromstring(SITE.pages[0].html),
    "a fragment of lxml.html": lambda: lxml.html.fragment_fromstring("<h1 id=x>a<p>b</p></h1>", create_parent="h2"),
    "a copy": lambda: own_copy(parse(SITE.pages[0].html)),
    "with siblings": lambda: parse(f"<!-- a --><!DOCTYPE html><?pi ?>{SITE.pages[0].html}<!-- b -->"),
    "of XML": lambda: etree.fromstring(
        "<html xmlns:o='u'><body><o:p class='a'>a<!-- c -->b</o:p><p>c</p></body></html>"
    ),
    "with entities": lambda: etree.fromstring(
        "<!DOCTYPE html [<!ENTITY e 'E'><!ATTLIST p class CDATA 'd'>]><html><p>a&e;b</p><p>c</p></html>",
        etree.XMLParser(resolve_entities=False),
    ),
    "with CDATA": lambda: etree.fromstring(
        "<html><p>a<![CDATA[<b>]]> c</p></html>", etree.XMLParser(strip_cdata=False)
    ),
    "with made parts": made_tree,
    "of one element": lambda: etree.Element("pre"),
}


@pytest.mark.parametrize("name", _TREES)
def test_trees_of_others_have_the_same_blocks(walk: NativeWalk, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    root = _TREES[name]()
    made: list[object] = []
    for used in (walk, None):
        monkeypatch.setattr(native, "WALK", used)
        page = segment(root, PageCaches())
        made.append([(block.text, block.key, block.path, block.pieces) for block in page.blocks])
    assert made[0] == made[1]


def test_a_tree_freed_or_changed_behind_the_walk_does_no_harm(walk: NativeWalk, known: PageCaches) -> None:
    expected = [block.text for block in _filled(walk, known, parse(SITE.pages[0].html)).blocks]
    page = _filled(walk, known, root := parse(SITE.pages[0].html))
    root.clear()
    page.root = None
    del root
    assert [block.text for block in page.blocks] == expected
    assert len(page.keys) == len(expected)


@given(WILD_HTML, st.frozensets(st.sampled_from([*TAGS, "abbr", "my-card"])))
def test_nearest_elements(walk: NativeWalk, known: PageCaches, html: str, tags: frozenset[str]) -> None:
    for root in trees([html]):
        page = _filled(walk, known, root)
        assert list(page.nearest(tags)) == page.remembered(len(page.blocks)).nearest(tags)


def _filled(walk: NativeWalk, known: PageCaches, root: etree._Element) -> Page:
    page = walk.walk(root, known, DEFAULT_LIMITS)
    assert page is not None
    return page


def test_steps_go_with_the_table_of_paths(walk: NativeWalk, known: PageCaches, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_blockfilter.html.paths._MAX_STEPS", 5)
    table = PageCaches()
    for page in SITE.pages:
        root = parse(page.html)
        assert same(_filled(walk, table, root), walk_page(root, PageCaches(), DEFAULT_LIMITS))


def test_threads_may_share_what_is_known(walk: NativeWalk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_blockfilter.html.paths._MAX_STEPS", 5)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        shared = PageCaches()
        htmls = [page.html for page in SITE.pages] * 4
        with ThreadPoolExecutor(4) as pool:
            pages = list(pool.map(lambda html: _filled(walk, shared, parse(html)).slots.tolist(), htmls))
    finally:
        sys.setswitchinterval(interval)
    assert pages == [_filled(walk, PageCaches(), parse(html)).slots.tolist() for html in htmls]


def test_names_too_long_to_keep_give_the_same_paths(walk: NativeWalk) -> None:
    known = PageCaches()
    root = parse(f"<div class='{'name ' * 500}' id={'x' * 3000}><p class='{'水' * 900}'>text</p></div>" * 3)
    for _ in range(2):
        assert are_equal(walk, known, root)


def test_steps_are_in_a_table_that_python_keys_anew_in_each_process(walk: NativeWalk) -> None:
    """No page chooses what its names cost: a page cannot work out the hash that keys the table."""
    known = PageCaches()
    assert walk.walk(parse("<p class=b id=c>a</p><p class=b id=c>d</p><p>e"), known, DEFAULT_LIMITS)
    names = known.paths.native_steps
    assert {name[4:] for name in names} >= {b"body\xff\xff\xff", b"p\xffb\xffc\xff", b"p\xff\xff\xff"}
    assert set(names.values()) == set(range(len(names)))

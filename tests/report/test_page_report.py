"""The page report as text: what it contains, and what it never contains."""

from __future__ import annotations

import random

import parsel
import pytest
from lxml import html as lxml_html

import scrapy_blockfilter as bf
from scrapy_blockfilter.html.tree_fingerprint import shares_trees
from scrapy_blockfilter.methods import Reason, Verdict
from scrapy_blockfilter.model import Cleaned
from scrapy_blockfilter.report import page_report
from scrapy_blockfilter.report.frame import frame_document, harmless
from scrapy_blockfilter.report.markup import Html, element, escape, script, style_sheet
from scrapy_blockfilter.report.viewer import MAX_BLOCKS, MAX_CHARACTERS, MAX_ELEMENTS
from tests.support.hostile import hostile_page, hostile_parts
from tests.support.inert import acting
from tests.support.made_sites import make_site
from tests.support.pages import document, segmented

CANARY = "http://canary.example"


def judged(html: str, *stripped: str, reason: str = "on 3 of 4 pages", source: str = "") -> Cleaned:
    """A page cleaned with these verdicts; ``source`` in place of the HTML that its tree was made of."""
    page = segmented(html)
    verdicts = [Verdict(block.text not in stripped, 0.5, Reason("other", reason)) for block in page.blocks]
    return Cleaned(source or html, page, verdicts, "")


def frames(report: str) -> list[str]:
    """The documents in the frames of a report."""
    return [frame.get("srcdoc", "") for frame in lxml_html.document_fromstring(report).iter("iframe")]


def marked(frame: str) -> dict[str, str]:
    """The text of what is marked in a frame, by the number of the block."""
    found: dict[str, str] = {}
    for node in lxml_html.document_fromstring(frame).iter():
        number = node.get("data-block") if isinstance(node.tag, str) else None
        if number:
            found[number] = found.get(number, "") + node.text_content()
    return found


def test_both_frames_hold_their_blocks_under_the_same_numbers() -> None:
    html = document("<ul><li>Menu</li></ul>Bare <b>text</b><div>Deep</div> tail", "<p>Foot</p>")
    original, after = frames(page_report(judged(html, "Menu", "Deep")))
    assert marked(original) == {"0": "Menu", "1": "Bare text", "2": "Deep", "3": " tail", "4": "Foot"}
    assert marked(after) == {"1": "Bare text", "3": " tail", "4": "Foot"}


def test_every_block_of_generated_sites_is_marked() -> None:
    for layout in ("div", "semantic", "table", "dl"):
        page = segmented(make_site(layout, 1, rich=True).pages[0].html)
        numbers = marked(frame_document(page, range(len(page.blocks))))
        texts = {str(number): block.text for number, block in enumerate(page.blocks) if block.tag != "title"}
        assert {number: " ".join(text.split()) for number, text in numbers.items()} == {
            number: " ".join(text.split()) for number, text in texts.items()
        }


def test_the_list_tells_reason_numbers_and_path_of_every_block() -> None:
    report = page_report(judged(document("<p class=nav>Menu</p><p>Text</p>"), "Menu"), name="https://a.example/1?a&b")
    said = lxml_html.document_fromstring(report).text_content()
    for text in ("https://a.example/1?a&b", "on 3 of 4 pages", "score 0.50", "4 characters", "html/body/p.nav", "50%"):
        assert text in said


@pytest.mark.parametrize("more", [" " * MAX_CHARACTERS, "<b></b>" * MAX_ELEMENTS], ids=["characters", "elements"])
def test_a_page_that_is_too_large_is_told_by_the_list_of_its_blocks(more: str) -> None:
    report = page_report(judged(f"<p>x</p>{more}", "x"))
    assert "Too large to be shown" in report
    assert frames(report) == []
    assert "on 3 of 4 pages" in report
    assert len(report) < 100_000


def test_a_long_list_is_cut_and_says_so() -> None:
    report = page_report(judged(document("<p>a</p>" * (MAX_BLOCKS + 7))))
    assert frames(report) == []
    assert f"{MAX_BLOCKS + 7:,} blocks" in report
    assert report.count("<li data-block=") == MAX_BLOCKS
    assert "and 7 more blocks" in report


def test_a_page_that_was_not_read_says_why() -> None:
    report = page_report(Cleaned("<p>source", None, (), "too_deep"), name="deep.html")
    assert "passed on unread: too_deep" in report
    assert "There is no block to show." in report


def test_a_page_whose_tree_has_changed_is_shown_as_it_was_cleaned() -> None:
    selector = parsel.Selector("<p>One</p><p>Two</p>")
    cleaned = bf.clean(selector)
    for paragraph in selector.root.iter("p"):
        paragraph.text = "Three"
    assert [marked(frame) for frame in frames(page_report(cleaned))] == [{"0": "One", "1": "Two"}] * 2


@pytest.mark.skipif(not shares_trees(), reason="without native code, a tree is copied")
def test_a_tree_that_was_not_its_source_and_has_changed_is_told_by_the_list_alone() -> None:
    cleaned = judged("<p>One</p><p>Two</p>", source="<p>Three</p>")
    assert cleaned.page is not None
    cleaned.page.fingerprint = 0
    report = page_report(cleaned)
    assert frames(report) == []
    assert "changed in memory" in report


def test_of_a_hostile_page_nothing_is_left_that_acts() -> None:
    page = segmented(hostile_page(CANARY, story="A story"))
    frame = frame_document(page, range(len(page.blocks)))
    assert acting(frame) == []
    assert "A story" in frame


def test_nor_of_one_cut_and_mixed_anyhow() -> None:
    chooser = random.Random(7)
    for _ in range(150):
        parts = chooser.choices(hostile_parts(CANARY), k=4)
        html = "".join(part[chooser.randrange(len(part) // 2) :][: chooser.randrange(20, 400)] for part in parts)
        page = segmented(f"<p>x</p>{html}")
        assert acting(frame_document(page, range(len(page.blocks)))) == []


def test_texts_paths_names_and_reasons_are_escaped() -> None:
    evil = "<script>alert(1)</script>\"'"
    html = document(f"<p class='{escape(evil)}'>{escape(evil)}</p>", title=escape(evil))
    cleaned = judged(html, evil, reason=evil)
    tree = lxml_html.document_fromstring(page_report(cleaned, name=evil, site=evil))
    assert len(list(tree.iter("script"))) == 1
    assert tree.text_content().count(evil) >= 6


def test_markup_escapes_text_and_takes_html_as_it_is() -> None:
    assert element("p", {"title": '"<', "hidden": True, "id": None, "dir": False}, "<&>", element("b", {}, "'")) == (
        '<p title="&quot;&lt;" hidden>&lt;&amp;&gt;<b>&#39;</b></p>'
    )
    assert escape("a\x00b\ud800") == "a\ufffdb\ufffd"
    assert element("iframe", {"srcdoc": element("b", {}, "<")}) == (
        '<iframe srcdoc="&lt;b&gt;&amp;lt;&lt;/b&gt;"></iframe>'
    )
    assert style_sheet("a</style><!--b", {}) == "<style>a<\\/style>b</style>"
    assert isinstance(escape("a"), Html)
    with pytest.raises(AssertionError):
        script("'</script>'")


@pytest.mark.parametrize(
    ("css", "made"),
    [
        ("a{color:red}", "a{color:red}"),
        ('i::before{content:"\\f101"}', 'i::before{content:"\\f101"}'),
        ("\\75\\72\\6c (x)", "-url(x)"),
        ("@IMPORT 'x'", "@-IMPORT 'x'"),
        ("b{height:100vh;width:9vw}", "b{height:calc(100 * 8px);width:9vw}"),
    ],
)
def test_style_sheets_lose_what_loads(css: str, made: str) -> None:
    assert harmless(css) == made


def test_shares_that_would_round_to_nothing_are_said_in_words() -> None:
    html = document("<p>M</p>", f"<p>{'long ' * 200}</p>", "<p><img src=harbour-view.png></p>")
    assert "1 block, under 1%" in page_report(judged(html, "M"))
    assert "1 block, no text" in page_report(judged(html, ""))

"""What the menu of a block proposes: selectors that select it, and commands that a shell takes as they are meant."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scrapy_blockfilter as bf
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.methods import Reason, Verdict
from scrapy_blockfilter.model import Cleaned
from scrapy_blockfilter.model.selection import Selection
from scrapy_blockfilter.options import Corrections
from scrapy_blockfilter.report.block_corrections import BlockSelector, BlockSelectors, Choice, Correcting, choices
from tests.support.counted import MOST, calls
from tests.support.made_sites import make_site
from tests.support.pages import document, segmented
from tests.support.work import work_of

SITE = Correcting("news.example")
NONE = Corrections()


def offered(html: str, text: str) -> list[BlockSelector]:
    """The selectors for the block with a text."""
    page = segmented(html)
    (number,) = (number for number, block in enumerate(page.blocks) if block.text == text)
    return BlockSelectors(page).of(number)


def dropped(page: Page, selector: str) -> list[str]:
    """The texts of the blocks that a selector drops."""
    kept = [Verdict(True, 1.0, Reason("other", "")) for _ in page.blocks]
    page, verdicts = Selection([], [selector]).apply(page, kept)
    return [block.text for block, verdict in zip(page.blocks, verdicts, strict=True) if not verdict.keep]


def found(html: str, *stripped: str, reason: Reason, made: Corrections = NONE) -> dict[str, list[Choice]]:
    """The choices of each block of a page, by its text."""
    page = segmented(html)
    verdicts = [Verdict(block.text not in stripped, 0.5, reason) for block in page.blocks]
    cleaned = Cleaned(html, page, verdicts, "")
    of_blocks = choices(segmented(html), cleaned.blocks, Correcting("news.example", made))
    return {block.text: some for block, some in zip(cleaned.blocks, of_blocks, strict=True)}


@pytest.mark.parametrize("layout", ["div", "semantic", "table", "dl"])
def test_every_selector_drops_its_block_and_as_many_as_it_says(layout: str) -> None:
    page = segmented(make_site(layout, 1, rich=True).pages[0].html)
    selectors = BlockSelectors(page)
    tried = 0
    for number, block in enumerate(page.blocks):
        for one in selectors.of(number):
            gone = dropped(page, one.text)
            assert block.text in gone
            assert len(gone) == one.blocks
            tried += 1
    assert tried > len(page.blocks)


def test_selectors_go_from_the_narrowest_to_the_elements_around() -> None:
    html = document(
        "<div class=side><div id=news><h3>News</h3><p>One thing</p><p>Other thing</p></div><p>Foot</p></div>",
        *(f"<p>Paragraph {number}</p>" for number in range(5)),
    )
    assert offered(html, "One thing") == [
        BlockSelector("//p[normalize-space(.)='One thing']", "Only this text", 1),
        BlockSelector("#news > p", "#news > p", 2),
        BlockSelector("#news", "#news", 3),
        BlockSelector("div.side", "div.side", 4),
    ]


@pytest.mark.parametrize(
    ("tag", "selector"),
    [
        ("<p class='note post-812'>", "p.note"),
        ("<p class='post-812'>", 'p[class*="post-"]'),
        ("<p id='comment-7'>", 'p[id^="comment-"]'),
        ("<p class='md:flex'>", "body > p"),  # too short to tell anything
        ("<p class='ünder'>", "body > p"),
    ],
)
def test_names_are_written_as_other_pages_have_them(tag: str, selector: str) -> None:
    html = document(f"{tag}Some text</p>", "<h1>Story</h1><div>Text</div><div>More</div>")
    assert offered(html, "Some text")[0].text == selector


@pytest.mark.parametrize("text", ["it's", 'a "word"', "both ' and \"", "$(touch x)", "a;b|c&d", "`x`", "\\n", "!!"])
def test_texts_are_quoted_for_xpath_and_for_a_shell(text: str) -> None:
    html = document(f"<p>{text.replace('&', '&amp;')}</p><p>Other</p>", "<h1>Story</h1><div>Text</div>")
    (one,) = (one for one in offered(html, text) if one.label == "Only this text")
    assert dropped(segmented(html), one.text) == [text]
    assert shlex.split(SITE.arguments(one.text)) == ["news.example", one.text]


def test_on_a_page_of_too_many_names_blocks_are_named_by_their_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    html = document(*(f"<p class={name}>Text of {name}</p>" for name in ("ape", "bee", "cat", "dog", "elk")))
    assert len(offered(html, "Text of elk")) == 2
    monkeypatch.setattr("scrapy_blockfilter.report.block_corrections._MOST_VISITS", 30)
    assert len(offered(html, "Text of elk")) == 2, "of one block alone"
    page = segmented(html)
    selectors = BlockSelectors(page)
    assert [len(selectors.of(number)) for number in range(5)] == [2, 2, 2, 1, 1]


def test_a_long_text_is_named_by_its_beginning_and_its_length() -> None:
    texts = [
        f"It was a day as any other, and nobody knew what was to come, but it came, in {word}." for word in ("a", "bb")
    ]
    texts = [f"{text} {'So it went on. ' * 5}".strip() for text in texts]
    html = document(
        "<div class=a>", *(f"<p>{text}</p>" for text in texts), "<p>Else</p></div>", "<h1>Story</h1>", "<p>x</p>"
    )
    one = offered(html, texts[0])[0]
    assert (one.label, one.blocks) == ("Only this text", 1)
    assert one.text.startswith("//p[starts-with(normalize-space(.), 'It was a day")
    assert len(one.text) < 160
    assert dropped(segmented(html), one.text) == texts[:1]


@given(site=st.text(), selector=st.text(), more=st.lists(st.text(), max_size=2))
def test_a_shell_reads_the_words_that_were_meant(site: str, selector: str, more: list[str]) -> None:
    words = Correcting(site, more=tuple(more)).arguments(selector)
    assert shlex.split(words) == [site, selector, *more]


def test_text_that_could_end_a_line_is_not_offered() -> None:
    html = document("<p class=odd>One\u202etwo</p>", "<h1>Story</h1><p>Text</p><p>Text</p>")
    assert [one.text for one in offered(html, "One\u202etwo")] == ["p.odd"]


@pytest.mark.parametrize("site", ["", "-all", "news\nexample"])
def test_a_site_that_cannot_be_typed_has_no_menus(site: str) -> None:
    page = segmented(document("<p>Text</p>"))
    cleaned = Cleaned("", page, [Verdict(True, 1.0, Reason("other", "x"))], "")
    assert choices(page, cleaned.blocks, Correcting(site)) == [[]]


def test_a_correction_can_be_undone() -> None:
    html = document("<p class=nav>Menu</p><p class=story>Story</p><p>Text</p>")
    reason = Reason("selector", "dropped by selector .nav")
    some = found(html, "Menu", reason=reason, made=Corrections(drop=(".nav",)))["Menu"]
    assert some[0] == Choice("undo", BlockSelector(".nav", "Undo drop .nav", 1))
    assert {choice.action for choice in some[1:]} == {"keep"}
    kept = Reason("selector", "kept by selector .story")
    (undo,) = found(html, reason=kept, made=Corrections(keep=(".story",)))["Story"]
    assert (undo.action, undo.selector.text) == ("undo", ".story")


def test_a_selector_that_could_steer_a_terminal_is_in_no_command() -> None:
    html = document("<p class=nav>Menu</p><p class=story>Story</p><p>Text</p>")
    selector = ".nav,\n.\x1b"
    reason = Reason("selector", f"dropped by selector {selector}")
    some = found(html, "Menu", reason=reason, made=Corrections(drop=(selector,)))["Menu"]
    assert {choice.action for choice in some} == {"keep"}


def test_what_the_settings_keep_is_not_dropped_by_a_correction() -> None:
    html = document("<p class=story>Story</p><p>Text</p>")
    assert found(html, reason=Reason("selector", "kept by selector .story"))["Story"] == []


def test_of_a_page_that_would_lose_too_much_more_can_be_kept() -> None:
    html = document("<p class=a>One</p><p class=b>Two</p><p>Three</p>")
    some = found(html, reason=Reason("guard", "too little of the page would be left; on 3 of 4 pages"))
    assert {choice.action for choice in some["One"]} == {"keep"}


def test_a_choice_does_to_the_model_what_it_says() -> None:
    pages = [page.html for page in make_site("div", 6).pages]
    model = bf.learn(pages)
    cleaned = model.clean(pages[0])
    of_blocks = choices(segmented(pages[0]), cleaned.blocks, SITE)
    changed = 0
    for number, block in enumerate(cleaned.blocks):
        for action, selector in of_blocks[number]:
            made = Corrections((selector.text,), ()) if action == "keep" else Corrections((), (selector.text,))
            after = model.corrected(made).clean(pages[0])
            if not after.unchanged:
                assert after.blocks[number].keep is not block.keep
                changed += 1
    assert changed > len(cleaned.blocks)


@pytest.mark.parametrize("around", ["<div>", "<div class=a>"])
def test_selectors_of_blocks_below_many_levels_are_made_once(around: str) -> None:
    def called(count: int) -> int:
        selectors = BlockSelectors(segmented(around * count + "<p>a" * count))
        return calls(lambda: [selectors.of(number) for number in range(count)])

    assert called(400) < MOST * called(200)


def test_the_element_of_texts_at_many_levels_is_found_once() -> None:
    def work(count: int) -> int:
        page = segmented("<i>a" * count)
        return work_of(lambda: BlockSelectors(page))

    assert work(400) < MOST * work(200)

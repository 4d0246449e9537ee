"""A page as numbers: the same for a live page and its record, and enough for the default method."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from scrapy_blockfilter.html import GROUPS, Page, UnfitPage
from scrapy_blockfilter.html.columns import CHARS, CONTROLS, FIGURES, IMAGES, LAST_KIND, LINES, LINK_CHARS, LINKS, TITLE
from scrapy_blockfilter.sample import MAX_BLOCKS, PageRecord
from scrapy_blockfilter.text.characters import COMMA, DIGIT, LETTER, SENTENCE_END, SPACE, SYMBOL, UPPER, WIDE
from scrapy_blockfilter.text.dates_and_prices import DATED
from tests.support.any_html import ANY_HTML
from tests.support.pages import document, segmented, texts

_NAMES = ("keys", "nodes", "numbers", "slots", "tag_paths")


def differences(live: Page, recorded: Page) -> list[str]:
    """Names of what methods know of a page that is not the same, with the types of arrays."""
    different = [
        name
        for name in _NAMES
        for one, other in [(getattr(live, name), getattr(recorded, name))]
        if one.dtype != other.dtype or one.shape != other.shape or not np.array_equal(one, other)
    ]
    lists = ("tags", "parents", "hints", "scripts", "language")
    different += [name for name in lists if list(getattr(live, name)) != list(getattr(recorded, name))]
    terms = [[list(block.terms) for block in page.blocks] for page in (live, recorded)]
    return different if terms[0] == terms[1] else [*different, "terms"]


def stored(page: Page) -> Page:
    """Return a page as it comes from the bytes of its record."""
    record = PageRecord.of(page)
    return PageRecord(record.keys, record.body).decode()


@given(ANY_HTML)
def test_recorded_columns_of_any_page_are_those_of_the_live_one(html: str) -> None:
    try:
        live = segmented(f"{html}<p>text</p>")
    except UnfitPage:
        return
    assert differences(live, stored(live)) == []
    assert differences(live, PageRecord.of(live).decode()) == []


def test_of_a_very_long_page_the_columns_of_its_first_blocks_are_recorded() -> None:
    live = segmented(document("".join(f"<p>t{number}</p>" for number in range(MAX_BLOCKS + 5))))
    cut = stored(segmented(document("".join(f"<p>t{number}</p>" for number in range(MAX_BLOCKS + 5)))))
    assert len(live.keys) == MAX_BLOCKS + 5
    assert np.array_equal(cut.keys, live.keys[:MAX_BLOCKS])
    assert np.array_equal(cut.numbers, live.numbers[:MAX_BLOCKS])
    assert np.array_equal(cut.slots, live.slots)


def test_the_numbers_of_a_block_counted_by_hand() -> None:
    page = segmented(
        "<p>In 1962, <a href=/ada>Ada</a> wrote:<br>“No.” <img src=/i/ada.jpg><img src=/spacer.gif> "
        "<input><button>X</button></p>"
    )
    (row,) = page.numbers.tolist()
    # In 1962, Ada wrote:\n“No.” X
    assert [row[kind] for kind in (LETTER, SPACE, DIGIT, UPPER)] == [9, 5, 4, 4]
    assert [row[kind] for kind in (SENTENCE_END, COMMA, WIDE, SYMBOL)] == [1, 2, 0, 2]
    assert [row[column] for column in (CHARS, LINK_CHARS, IMAGES, LINKS, CONTROLS)] == [27, 3, 2, 1, 2]
    assert [row[column] for column in (LAST_KIND, LINES, TITLE, FIGURES)] == [UPPER, 1, 0, DATED]


def agreement(title: str, *body: str) -> list[int]:
    """Of each block of the body how well it agrees with the TITLE."""
    page = segmented(document(*body, title=title))
    assert texts(page)[0] == title
    found: list[int] = page.numbers[1:, TITLE].tolist()
    return found


def test_agreement_with_the_title_is_the_share_of_it_that_the_block_is_and_of_a_heading_by_its_words() -> None:
    title = "Harbour reopens | Daily Example"  # 31 characters
    assert agreement(title, "<h1>Harbour reopens</h1>", "<p>HARBOUR REOPENS</p>", "<p>Harbour</p>") == [48, 48, 22]
    assert agreement(title, f"<p>{title}</p>", "<p>Harbour closes</p>") == [100, 0]
    # Two words of four in common, of five in all: 70 * 2 // 5.
    early = "Harbour reopens early"
    assert agreement("Harbour reopens at last", f"<h2>{early}</h2>", f"<p>{early}</p>", "<h1>!!!!</h1>") == [28, 0, 0]


@pytest.mark.parametrize(
    ("title", "heading"), [("The sun", "sun"), ("The sun", "The "), ("sun " * 69 + "sun", "sun " * 70)]
)
def test_texts_that_are_too_short_or_too_long_agree_with_no_title(title: str, heading: str) -> None:
    assert agreement(title, f"<h1>{heading}</h1>") == [0]


def hinted(html: str) -> dict[str, set[str]]:
    """At what the names of each element of the body hint, by its tag."""
    page = segmented(document(html))
    return {
        tag: {group for place, group in enumerate(GROUPS) if hints >> place & 1}
        for tag, hints in list(zip(page.tags, page.hints, strict=True))[2:]
    }


@pytest.mark.parametrize(
    ("identifier", "heading"),
    [
        ("responses", "responses"),
        ("responses", "Client.responses()"),
        ("related-work-2", "3. Related work"),
        ("Related_Work", "Related Work and More"),
        ("kommentare", "<em>Kommentare</em> im Code"),
    ],
)
def test_an_id_that_is_a_slug_of_the_heading_in_its_section_says_nothing(identifier: str, heading: str) -> None:
    section = f"<section id={identifier}>{{}}<p>What the method gives.</p></section>"
    assert hinted(section.format(f"<h3>{heading}</h3>"))["section"] == set()
    # In an element around the heading, too, but not from further in.
    assert hinted(section.format(f"<div><h3>{heading}</h3></div>"))["section"] == set()
    assert hinted(section.format(f"<div><ul><li><h3>{heading}</h3></li></ul></div>"))["section"] != set()
    # Without the heading, or where a paragraph says it.
    assert hinted(section.format(""))["section"] != set()
    assert hinted(section.format(f"<p>{heading}</p>"))["section"] != set()


@pytest.mark.parametrize("heading", ["12 responses", "What readers say", "12", "commentscomments"])
def test_an_id_that_its_heading_does_not_say_hints(heading: str) -> None:
    assert hinted(f"<div id=comments><h3>{heading}</h3><p>Fine.</p></div>")["div"] == {"comments"}


def test_where_an_id_says_nothing_class_and_tag_still_hint() -> None:
    found = hinted("<aside id=related class=entry><h3>Related</h3><p>One more.</p></aside>")
    assert found["aside"] == {"sidebar", "content"}


@pytest.mark.parametrize(("address", "links"), [("/call", 1), ("tel:+3120", 0), ("mailto:a@quay.example", 1)])
def test_a_telephone_number_is_text_and_no_link(address: str, links: int) -> None:
    (row,) = segmented(f"<p>Call <a href={address}>+31 20 <b>624</b></a>").numbers.tolist()
    assert (row[LINKS], row[LINK_CHARS] > 0) == (links, links > 0)

"""Reasons: the words a person would use looking at the page, with true numbers."""

from __future__ import annotations

import re
from itertools import product

import pytest

from scrapy_blockfilter.consensus import evidence_of
from scrapy_blockfilter.consensus.reasons import reason_of
from scrapy_blockfilter.consensus.steps import STEPS
from scrapy_blockfilter.report.page_facts import KINDS
from tests.support.made_sites import make_site
from tests.support.networks import judged, statistics
from tests.support.pages import document, segmented, texts

STORY = "The harbour reopened on Monday, a week early. " * 6
LONG = f"<p>{STORY}</p>"


def told(html: str, text: str, *pages: str, keep: bool = False) -> tuple[str, str]:
    """The kind of reason and the words for the verdict on a text of a page, the first of its kind, on a site of it and
    ``pages``."""
    made = segmented(html)
    return reason_of(made, evidence_of(made, statistics(html, *pages)), texts(made).index(text), keep)


def own(number: int) -> str:
    """Two texts of a page that no other has, long enough to tell it."""
    return "".join(f"<p>{f'Story {number} of part {part}, they said. ' * 5}</p>" for part in "ab")


def site(*body: str, pages: int = 4, of: int | None = None) -> list[str]:
    """Pages of which so many have this in their body beside their own text, the first among them; all, if not told."""
    return [document(*(body if number < (of or pages) else ()), own(number)) for number in range(pages)]


# What stays.


def test_content_is_told_with_the_other_pages_that_have_it() -> None:
    html, pages = document("<p>Ten boats and <a href=/mill>a mill</a></p>"), site("<p>Quoted text</p>", of=3)
    own = told(html, "Ten boats and a mill", *site(), keep=True)
    assert own == ("content", "content: 20 characters, 6 of them links")
    quoted = told(pages[0], "Quoted text", *pages[1:], keep=True)
    assert quoted == ("content", "content, though on 2 of 3 other pages: 11 characters, 0 of them links")


# What goes.


def test_a_link_that_repeats_is_of_a_menu_and_a_text_that_repeats_is_template() -> None:
    pages = site("<ul><li><a href=/>Home</a></li></ul><p>We use cookies.</p>")
    assert told(pages[0], "Home", *pages[1:]) == ("menu", "menu: the same link on 3 of 3 other pages")
    repeated = told(pages[0], "We use cookies.", *pages[1:])
    assert repeated == ("repeated", "template: the same text on 3 of 3 other pages")


@pytest.mark.parametrize(
    ("pages", "of", "repeats"),
    [(2, 2, True), (3, 2, False), (3, 3, True), (11, 3, False), (11, 4, True), (14, 4, False), (14, 5, True)],
)
def test_three_tenths_of_the_other_pages_and_two_of_them_make_a_template(pages: int, of: int, repeats: bool) -> None:
    made = site("<p>We use cookies.</p>", pages=pages, of=of)
    kind, words = told(made[0], "We use cookies.", *made[1:])
    assert (kind == "repeated") is repeats
    assert (f"on {of - 1} of {pages - 1} other pages" in words) is repeats


def thread(*names: str) -> str:
    said = "".join(
        f"<div><p>{day} March 2009, 10:45</p><p>I like every boat of the {day}.</p><p><a href=/r>Reply</a></p></div>"
        for day in (1, 2, 3)
    )
    return f"<div class='{' '.join(names)}'>{said}</div>"


def test_records_with_a_date_below_the_content_are_readers_comments() -> None:
    html = document(LONG, thread())
    assert told(html, "I like every boat of the 2.") == (
        "comments",
        "readers' comments below the content (one of 3 like records with a date)",
    )
    assert told(html, "2 March 2009, 10:45")[0] == "comments"
    assert told(html, "Reply") == ("menu", "links to other pages")


def test_text_in_elements_named_so_is_a_comment_below_the_content_alone() -> None:
    html = document(LONG, "<div class=comments><p>I like every boat.</p></div>")
    verdicts = judged(html, {STORY.strip(): 0.9})
    assert verdicts["I like every boat."].why == ("comments", "readers' comments below the content")
    assert told(document(thread("comments"), LONG), "I like every boat of the 2.")[0] != "comments"


def teasers(count: int) -> str:
    return "".join(
        f"<div><h3><a href=/{number}>A report of another day, number {number}</a></h3>"
        f"<p>What was on {number}.</p></div>"
        for number in range(count)
    )


def test_like_elements_of_links_below_the_content_are_a_list_of_teasers() -> None:
    html = document(LONG, f"<section>{teasers(3)}</section>")
    linked, all_text = 3 * len("A report of another day, number 0"), 3 * len("What was on 0.")
    assert told(html, "What was on 1.") == (
        "teasers",
        f"teaser list below the content ({linked / (linked + all_text):.0%} of the text around it is links)",
    )
    assert told(html, "A report of another day, number 1")[0] == "teasers"
    assert told(document(LONG, f"<section>{teasers(2)}</section>"), "What was on 1.")[0] == "around"
    assert told(document(f"<section>{teasers(3)}</section>", LONG), "What was on 1.")[0] == "around"


def test_a_date_is_of_a_byline() -> None:
    assert told(document("<p>12 March 2009</p>", LONG), "12 March 2009") == ("byline", "date or byline")
    pages = [document(f"<p class=date>{day} March 2009</p>", own(day)) for day in (1, 2, 3)]
    assert told(pages[0], "1 March 2009", *pages[1:]) == (
        "byline",
        "date or byline (its place is on 100% of the other pages)",
    )


def test_links_go_to_other_pages() -> None:
    html = document("<div class=top><a href=/mill>Mill burns</a></div>", LONG)
    assert told(html, "Mill burns") == ("menu", "links to other pages")
    assert told(html, "Mill burns", *site()) == ("menu", "links to other pages (its place is on 0% of the other pages)")


def test_a_place_where_texts_repeat_is_of_the_template() -> None:
    def page(number: int) -> str:
        return document(f"<div class=box>{'New today' if number else 'Old again'}</div>", own(number))

    pages = [page(number) for number in range(4)]
    repeated = 3 * len("New today") / (3 * len("New today") + len("Old again"))
    assert told(pages[0], "Old again", *pages[1:]) == (
        "slot",
        f"in a place of the template: {repeated:.0%} of its text repeats (its place is on 100% of the other pages)",
    )


def test_text_among_links_is_told_by_them() -> None:
    html = document("<div><div><p>Also</p><p>See</p></div><p><a href=/a>All the links</a></p></div>", LONG)
    assert told(html, "Also") == ("around", "among links (65% of the text around it is links)")


@pytest.mark.parametrize(("before", "where"), [(LONG, "below"), ("", "beside")])
def test_what_else_goes_is_below_or_beside_the_content(before: str, where: str) -> None:
    assert told(document(before, "<div>Sent by Ada</div>", "<p>End</p>"), "Sent by Ada") == (
        "around",
        f"{where} the content: 11 characters, 0 of them links",
    )


# All of them.


def test_every_kind_of_reason_to_strip_is_one_that_reports_show() -> None:
    assert {step.kind for step in STEPS if not step.keep} <= KINDS.keys()
    html = document("<p>12 March 2009</p>", thread(), LONG, thread("comments"), teasers(4), "<p>End</p>")
    for pages in ((), tuple(site()), (html.replace("harbour", "mill"), *site())):
        made = segmented(html)
        found = evidence_of(made, statistics(html, *pages))
        assert {reason_of(made, found, block, False).kind for block in range(len(made.keys))} <= KINDS.keys()


def test_every_block_has_a_reason_with_true_numbers() -> None:
    pages = [page.html for page in make_site("div", pages=4, rich=True).pages]
    for html in (*pages, document("<p>alone</p>")):
        made = segmented(html)
        found = evidence_of(made, statistics(*pages))
        for block, keep in product(range(len(made.keys)), (True, False)):
            reason = reason_of(made, found, block, keep).words
            if counts := re.search(r"on (\d+) of (\d+) other pages", reason):
                assert (int(counts[1]), int(counts[2])) == (found.pages_with[block], found.others)
            assert "nan" not in reason
            assert reason[0].islower()

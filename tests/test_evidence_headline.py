"""The headline of a page: told by the TITLE from other headings, and from the name of the site."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_blockfilter.evidence.headline import lost_headline
from tests.evidencing import evidence
from tests.segmenting import columns, document, segmented

_TITLE = "Harbour reopens - The Post"
_OTHERS = tuple(document(f"<p>Day {number}</p>", title="The Post") for number in range(3))


def headline(html: str, *others: str, kept: tuple[str, ...] = ("Boats are back.",)) -> str | None:
    texts = [block.text for block in segmented(html).blocks]
    keep = np.array([text in kept for text in texts], np.bool_)
    block = lost_headline(columns(html), evidence(html, *(others or _OTHERS)), keep)
    return None if block is None else texts[block]


def page(*parts: str, title: str = _TITLE) -> str:
    return document(*parts, "<p>Boats are back.</p>", title=title)


def test_the_h1_that_says_what_the_title_does_is_the_headline() -> None:
    assert headline(page("<h1>News</h1>", "<h1>Harbour reopens</h1>", "<h1>Weather</h1>")) is None
    assert (
        headline(page("<h1>News</h1>", "<h1>Harbour reopens</h1>", title="Harbour reopens | Post")) == "Harbour reopens"
    )


def test_of_several_the_closest_to_the_title_is() -> None:
    parts = ("<h1>Harbour reopens early, and</h1>", "<h1>Harbour reopens early, and all are back</h1>")
    title = "Harbour reopens early, and all are back"
    assert headline(page(*parts, title=title)) == title


@pytest.mark.parametrize(
    "html",
    [
        page("<h2>Harbour reopens</h2>", title="Harbour reopens"),
        page("<h1>Day</h1>", title="Harbour reopens"),
        page("<h1>Harbour reopens</h1>", title="Harbour reopens - by The Harbour Post"),
        page(),
        document(),
    ],
    ids=["an h2", "other words", "less than half", "none", "empty"],
)
def test_no_other_heading_is(html: str) -> None:
    assert headline(html) is None


def test_it_must_not_be_what_other_pages_say_too() -> None:
    html = page("<h1>The Harbour Post</h1>", title="The Harbour Post")
    others = [document(f"<h1>The Harbour Post</h1><p>Day {number}</p>") for number in range(3)]
    assert headline(html) == "The Harbour Post"
    assert headline(html, *others) is None
    assert headline(html, others[0]) is None  # of one other page nothing is known to be the name of the site


def test_where_one_is_kept_or_nothing_is_no_other_is_wanted() -> None:
    html = page("<h1>Harbour reopens</h1>", title="Harbour reopens")
    assert headline(html, kept=()) is None
    assert headline(html, kept=("Harbour reopens",)) is None

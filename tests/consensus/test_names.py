"""Names of elements alone take no prose out of the middle of a text."""

from __future__ import annotations

import pytest

from tests.support.networks import judged
from tests.support.pages import document

FIRST, NOTE, LAST = (
    f"The {name} of the valley grinds spelt again, as it did for three hundred years, and its wheel was mended by two "
    f"sisters who had learnt the trade from the last miller of the {name}."
    for name in ("mill", "village", "brook")
)
NAMES = ["footer-notes", "comments", "menuPlanning", "sidebar", "related_work", "nav-history", "social", "cookies"]
PLACES = {
    "section": "<section id='{0}'><h2>On it</h2><p>{1}</p></section>",
    "paragraph": "<p class='{0}'>{1}</p>",
    "deep": "<div><div class='{0}'><div><p>{1}</p></div></div></div>",
    "two": "<div class='{0}'><p>A word on it</p><p>{1}</p><p>{1} {1}</p></div>",
    "table": "<table class='{0}'><tr><td>{1}</td></tr></table>",
}


def stays(part: str, *others: str, behind: str = f"<p>{LAST}</p>") -> bool:
    """Whether the note stays, if the score keeps the text around it."""

    def page(part: str, number: int = 0) -> str:
        own = " ".join(chr(ord("a") + number) * size for size in range(3, 60))
        return document(f"<article><p>{FIRST}</p>{part}{behind}<p>{own}</p></article><p>Imprint</p>")

    scores = {text: 0.9 for text in (FIRST, LAST) if text in page(part)}
    return judged(page(part), scores, *(page(other, number) for number, other in enumerate(others, 3)))[NOTE].keep


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("name", NAMES)
def test_prose_amid_text_stays_whatever_its_names_say(name: str, place: str) -> None:
    assert stays(place.format(name, NOTE))


@pytest.mark.parametrize("name", NAMES)
def test_dated_parts_amid_text_are_readers_comments_by_their_name_alone(name: str) -> None:
    part = f"<div class='{name}'><div>May 3, 2024<p>{NOTE}</p></div><div>May 4, 2024<p>No. {NOTE}</p></div></div>"
    assert stays(part) == (name != "comments")


@pytest.mark.parametrize(
    ("part", "behind"),
    [
        ("<p>{}</p>", f"<p>{LAST}</p>"),  # no name speaks against it
        ("<div class=footer><p>{}</p></div>", "<p>A word</p>"),  # at the end
        ("<div class=related><a href=/>A story</a><p>{}</p></div>", f"<p>{LAST}</p>"),  # a teaser
        ("<div class=footer><p><a href=/>{}</a></p></div>", f"<p>{LAST}</p>"),
    ],
)
def test_other_text_is_for_the_score_to_judge(part: str, behind: str) -> None:
    assert not stays(part.format(NOTE), behind=behind)


def test_prose_that_other_pages_have_is_for_the_score_to_judge() -> None:
    note = f"<div class=footer><p>{NOTE}</p></div>"
    assert not stays(note, note, note)

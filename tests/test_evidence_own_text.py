"""Text of its own: told from labels and from links."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_blockfilter.evidence.own_text import is_lost, own_text, text_of_this_page
from tests.evidencing import evidence
from tests.segmenting import columns, document

LINE = "The harbour reopened on Monday, a week early, and the boats came in by noon, all at once."


@pytest.mark.parametrize(
    ("html", "length"),
    [
        (f"<p>{LINE}</p>", len(LINE)),
        (f"<p>{LINE[:60]}</p>", 0),
        (f"<p>{'港口在星期一重新開放' * 3}</p>", 90),
        (f"<p><a href=/harbour>{LINE}</a></p>", 0),
        (f"<p><a href=/harbour>The harbour</a>{LINE[11:]}</p>", len(LINE)),
        (f"<p>{LINE[:44]}<a href=/harbour>{LINE[44:]}</a></p>", 0),
        ("<p><img src=harbour.png></p>", 0),
    ],
    ids=["a line", "a label", "a line of wide characters", "a link", "with a link", "half a link", "a picture"],
)
def test_a_line_that_is_hardly_linked_is_one(html: str, length: int) -> None:
    assert own_text(columns(document(html))).tolist() == [length]


def test_text_of_this_page_is_on_no_other() -> None:
    html = document(f"<p>{LINE}</p>", f"<p>{LINE} Or so they say.</p>")
    others = [document(f"<p>{LINE}</p>", f"<p>Page {number}</p>") for number in range(2)]
    assert text_of_this_page(columns(html), evidence(html, *others)).tolist() == [0, len(LINE) + 16]


TEXTS = [f"{LINE} Told on day {number}. {LINE}" for number in range(50)]


OTHER = document("<p>Elsewhere</p>")


def lost(kept: int, *also: str, texts: int = 50, others: tuple[str, ...] = (OTHER,), judged: int = 50) -> bool:
    """Whether a page with so many paragraphs, that keeps the first few, and what stands before them, and of which so
    many are judged, loses its text."""
    html = document(*also, *(f"<p>{text}</p>" for text in TEXTS[:texts]))
    place = np.arange(len(columns(html).keys)) - len(also)
    return is_lost(columns(html), evidence(html, html, *others), place < kept, place < judged)


def test_hardly_any_of_its_text_is_none() -> None:
    assert lost(0)
    assert lost(1)
    assert not lost(2)


def test_a_page_of_other_things_keeps_those() -> None:
    links = [f"<p><a href=/{number}>{text}</a></p>" for number, text in enumerate(TEXTS[:26])]
    assert lost(0, *links[:24])
    assert not lost(0, *links)


def test_a_line_is_nothing_to_lose() -> None:
    assert not lost(0, "<p>Menu</p>", texts=0)
    assert not lost(0, texts=0)
    assert not lost(0, texts=1)
    assert lost(0, texts=2)


def test_a_page_alone_says_nothing_that_others_do_not() -> None:
    assert not lost(0, others=())


def test_only_what_is_judged_counts() -> None:
    assert not lost(0, judged=0)
    assert lost(0, judged=2)
    assert not lost(1, judged=30)

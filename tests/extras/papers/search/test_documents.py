"""Documents of items: title, language, and passages to find one by one."""

from __future__ import annotations

from scrapy_blockfilter.extras.papers.search import Document
from scrapy_blockfilter.extras.papers.search.documents import DocumentMaker
from scrapy_blockfilter.options import Options

PAGE = """<html lang="en-GB"><head><title>Tides</title></head><body><h1>Tides of the year</h1>
<div><p>High water at noon.</p><p>Low water at six.</p></div></body></html>"""


def document(*texts: str, title: str = "", segmenter: str = "dom", most: int = 1_000) -> Document | None:
    maker = DocumentMaker(Options(segmenter=segmenter, max_characters=most))
    return maker.document(texts, url="u", site="s", title=title)


def test_html_is_divided_by_the_segmenter_and_its_title_is_no_passage() -> None:
    passages = ("Tides of the year", "High water at noon.", "Low water at six.")
    assert document(PAGE) == Document("u", "s", "Tides", "en", passages)
    (one,) = document(PAGE, segmenter="fixed_length").passages  # type: ignore[union-attr]
    assert one == "\n".join(passages)


def test_title_of_the_item_counts_before_that_of_the_page_and_the_headline_after_it() -> None:
    assert document(PAGE, title="Told").title == "Told"  # type: ignore[union-attr]
    assert document(PAGE.replace("<title>Tides</title>", "")).title == "Tides of the year"  # type: ignore[union-attr]


def test_text_is_divided_by_lines_and_may_hold_angle_brackets() -> None:
    found = document("If a < b and b > c\n\n then so it is.\n", title="Order")
    assert found == Document("u", "s", "Order", "en", ("If a < b and b > c", "then so it is."))


def test_language_of_text_is_guessed() -> None:
    text = "Der Garten ist mit dem Haus auf der Insel, und die Leute sind nicht da, aber es ist auch schön."
    assert document(text).language == "de"  # type: ignore[union-attr]


def test_nothing_is_made_of_no_text_and_of_a_page_outside_the_limits() -> None:
    assert document("", "<p></p>") is None
    assert document(PAGE, most=10) is None


def test_lone_surrogates_of_a_feed_are_no_part_of_a_document() -> None:
    maker = DocumentMaker(Options(segmenter="dom"))
    made = maker.document(["half \ud83d of it"], url="u\ud800", site="s", title="\udfff t")
    assert made == Document("u?", "s", "? t", "", ("half ? of it",))

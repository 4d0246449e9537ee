"""Passages that stand on a page twice: told from what a page repeats once, and from what a manual repeats."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_blockfilter.evidence.copies import CopySlots
from scrapy_blockfilter.evidence.features import evidence_of
from tests.evidencing import statistics
from tests.segmenting import columns, document, segmented

LONG = "Boats returned on Monday, a week early, and the harbour was full by noon. " * 4


def paragraphs(number: int, count: int = 3) -> list[str]:
    return [f"Part {place} of page {number}. {LONG}" for place in range(count)]


def markup(texts: list[str], around: str) -> str:
    return f"<div class={around}>{''.join(f'<p>{text}</p>' for text in texts)}</div>"


def printed(number: int) -> str:
    """A page with its text, and that again for the printer."""
    texts = paragraphs(number)
    return document(markup(texts, "article"), "<p>Between them</p>", markup(texts, "print"))


def learnt(*htmls: str) -> CopySlots:
    site = statistics(*htmls)
    pages = [columns(html) for html in htmls]
    return CopySlots((page, evidence_of(page, site), np.ones(len(page.keys), bool)) for page in pages)


def second(copies: CopySlots, html: str, *, dropped: tuple[int, ...] = ()) -> list[int]:
    page = columns(html)
    keep = np.ones(len(page.keys), bool)
    keep[list(dropped)] = False
    return copies.blocks_in(page, evidence_of(page, statistics(html)), keep)


COPIES = learnt(*(printed(number) for number in range(4)))


def test_the_second_place_of_a_passage_is_told_where_most_pages_have_one() -> None:
    assert [block.text for block in segmented(printed(9)).blocks][4:] == [text.strip() for text in paragraphs(9)]
    assert second(COPIES, printed(9)) == [4, 5, 6]


def test_what_is_shown_once_stays() -> None:
    assert second(COPIES, printed(9), dropped=(0, 1, 2)) == []
    assert second(COPIES, document(markup(paragraphs(9), "print"))) == []
    assert second(COPIES, document()) == []


@pytest.mark.parametrize(("with_copies", "without", "told"), [(3, 0, True), (3, 3, True), (3, 4, False), (2, 0, False)])
def test_a_site_must_do_so_on_several_pages_and_half_of_them(with_copies: int, without: int, told: bool) -> None:
    pages = [printed(number) for number in range(with_copies)]
    pages += [document(markup(paragraphs(number), "article")) for number in range(10, 10 + without)]
    assert bool(second(learnt(*pages), printed(9))) == told


def test_a_passage_in_another_place_stays() -> None:
    texts = paragraphs(9)
    assert second(COPIES, document(markup(texts, "article"), markup(texts, "quotation"))) == []


def test_a_short_passage_or_a_small_part_of_the_page_stays() -> None:
    texts = ["Boats returned on Monday."] * 3
    assert second(COPIES, document(markup(texts, "article"), markup(texts, "print"))) == []
    most = paragraphs(9, 12)
    assert second(COPIES, document(markup(most, "article"), markup(most[:2], "print"))) == []


def test_texts_in_another_order_are_no_passage() -> None:
    texts = paragraphs(9)
    assert second(COPIES, document(markup(texts, "article"), markup(texts[::-1], "print"))) == []


def test_a_long_text_of_its_own_ends_a_passage_and_a_short_one_does_not() -> None:
    texts = paragraphs(9)
    short, long = [*texts[:1], "Page 2", *texts[1:]], [*texts[:1], "Of its own. " * 20, *texts[1:]]
    assert second(COPIES, document(markup(texts, "article"), markup(short, "print"))) == [3, 5, 6]
    assert second(COPIES, document(markup(texts, "article"), markup(long, "print"))) == [5, 6]


def test_a_third_place_goes_as_well() -> None:
    texts = paragraphs(9)
    again = markup(texts, "print")
    assert second(COPIES, document(markup(texts, "article"), again, again)) == [3, 4, 5, 6, 7, 8]


_SECTION = st.tuples(st.sampled_from(["article", "print"]), st.lists(st.integers(0, 4), min_size=1, max_size=8))


@settings(deadline=None)
@given(st.lists(_SECTION, max_size=5))
def test_whatever_goes_stands_before_what_stays(sections: list[tuple[str, list[int]]]) -> None:
    html = document(*(markup([paragraphs(9, 5)[number] for number in numbers], name) for name, numbers in sections))
    shown = [block.text for block in segmented(html).blocks]
    gone = second(COPIES, html)
    assert len(gone) == len(set(gone))
    for block in gone:
        assert any(shown[before] == shown[block] for before in range(block) if before not in gone)

"""Scores put right by what the pages of a site say together of a slot."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_blockfilter.evidence.agreement import SlotScores
from scrapy_blockfilter.evidence.features import Evidence, evidence_of
from scrapy_blockfilter.evidence.tree import Floats
from tests.evidencing import statistics
from tests.segmenting import columns, document

LEVEL = 0.5  # of which the logarithm of odds is nought


def page(number: int) -> str:
    return document(f"<div class=lead><p>Lead {number}</p></div><div class=foot><p>Foot {number}</p></div>")


PAGES = [page(number) for number in range(4)]
SITE = statistics(*PAGES)


def found(html: str) -> Evidence:
    return evidence_of(columns(html), SITE)


def scores(*of_blocks: float) -> Floats:
    return np.array(of_blocks, np.float32)


def learnt(count: int, lead: float, foot: float) -> SlotScores:
    return SlotScores([(found(html), scores(lead, foot)) for html in PAGES[:count]], SITE.slots)


def odds(score: float) -> float:
    return float(np.log(score / (1 - score)))


def test_an_uncertain_score_goes_where_its_slot_is_on_the_other_pages() -> None:
    lead, foot = learnt(4, 0.9, 0.1).put_right(found(page(9)), scores(LEVEL, LEVEL))
    assert lead > 0.6 > 0.4 > foot
    # What is around its slot holds both, and says nothing.
    assert odds(lead) == pytest.approx(0.6 * odds(0.9) / (1 + 0.6 + 0.2 + 0.2), abs=0.01)
    assert odds(lead) == pytest.approx(-odds(foot), abs=0.01)


def test_a_score_that_is_sure_stays_on_its_side() -> None:
    lead, foot = learnt(4, 0.6, 0.4).put_right(found(page(9)), scores(0.01, 0.99))
    assert lead < 0.2
    assert foot > 0.8


def test_two_pages_are_too_few_to_tell() -> None:
    own = scores(0.3, 0.7)
    assert learnt(2, 0.9, 0.1).put_right(found(page(9)), own) == pytest.approx(own, abs=1e-3)
    assert learnt(3, 0.9, 0.1).put_right(found(page(9)), own)[0] > 0.4


def test_of_a_slot_of_no_other_page_what_is_around_it_tells() -> None:
    other = document("<main><section><h5>Alone</h5></section></main>")
    (alone,) = learnt(4, 0.9, 0.9).put_right(found(other), scores(LEVEL))
    assert alone < learnt(4, 0.9, 0.9).put_right(found(page(9)), scores(LEVEL, LEVEL))[0]


def test_a_slot_is_weighed_by_its_text_and_no_page_is_sure_beyond_measure() -> None:
    long = [document(f"<p>{'Long text. ' * 40}{number}</p><p>Short {number}</p>") for number in range(4)]
    site = statistics(*long)
    pages = [evidence_of(columns(html), site) for html in long]
    made = SlotScores([(each, scores(0.9, 0.1)) for each in pages], site.slots)
    assert made.put_right(pages[0], scores(LEVEL, LEVEL)) == pytest.approx(scores(0.74, 0.74), abs=0.03)
    others = [(each, scores(0.2, 0.2)) for each in pages[1:]]
    sure = SlotScores([(pages[0], scores(1, 1)), *others], site.slots)
    assert sure.put_right(pages[0], scores(LEVEL, LEVEL))[0] < 0.5


def test_pages_without_text_change_nothing() -> None:
    empty = document()
    site = statistics(*PAGES, empty)
    nothing = evidence_of(columns(empty), site)
    made = SlotScores([(nothing, scores())], site.slots)
    assert made.put_right(nothing, scores()).shape == (0,)
    own = scores(0.3, 0.7)
    assert made.put_right(evidence_of(columns(PAGES[0]), site), own) == pytest.approx(own, abs=1e-3)


def test_what_the_pages_repeat_is_judged_by_itself() -> None:
    own = "Boats {0} returned on Monday, a week early, and the harbour {0} was full by noon of day {0}."
    pages = [document(f"<main><p>{own.format(number)}</p><p>Follow us</p></main>") for number in range(5)]
    site = statistics(*pages)
    found = [evidence_of(columns(html), site) for html in pages]
    made = SlotScores([(each, scores(0.9, 0.9)) for each in found], site.slots)
    text, line = made.put_right(found[0], scores(LEVEL, 0.3))
    assert text > LEVEL
    assert line == pytest.approx(0.3, abs=1e-3)


def test_of_links_where_a_slot_holds_text_the_slot_tells_nothing() -> None:
    own = "Boats {0} returned on Monday, a week early, and the harbour {0} was full by noon of day {0}."
    texts = [f"<p>{own.format(number)}</p>" for number in range(5)]
    site = statistics(*map(document, texts))
    learnt = [evidence_of(columns(document(text)), site) for text in texts]
    made = SlotScores([(each, scores(0.9)) for each in learnt], site.slots)
    page = document(texts[0], "<p><a href=/more>Boats of the year before, and what became of them</a></p>")
    text, links = made.put_right(evidence_of(columns(page), site), scores(LEVEL, 0.3))
    assert text > LEVEL
    assert links == pytest.approx(0.3, abs=1e-3)

"""What stands below the element that holds a page's content goes, unless a score is sure of it."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_blockfilter.evidence.main_element import below_content
from scrapy_blockfilter.evidence.tree import Tree
from tests.segmenting import document, segmented

SENTENCE = "Boats came back to the harbour on Monday, and so did those who had waited for them all winter. "
ARTICLE = f"<article>{f'<p>{SENTENCE}</p>' * 9}</article>"
MENU = f"<nav>{'Boats Berths Weather Tides ' * 4}</nav>"
OFFER = "A week on the water for two, with breakfast: book before the end of the month and save a third."


def below(*body: str, scores: dict[str, float], title: str = "") -> list[str]:
    """The texts that go, of a page with a menu: its blocks have the score of the first text that is in them, or .95."""
    page = segmented(document(MENU, *body, title=title))
    texts = [block.text for block in page.blocks]
    scores = {**scores, "Berths": 0.0}
    found = [next((score for part, score in scores.items() if part in text), 0.95) for text in texts]
    if title:
        found[0] = 0.0
    of_blocks = np.array(found, np.float32)
    columns = page.columns
    return [texts[block] for block in below_content(columns, Tree(columns), of_blocks, of_blocks > 0.45)]


@pytest.mark.parametrize("score", [0.5, 0.84])
def test_what_no_score_is_sure_of_goes_from_below_the_content(score: float) -> None:
    assert below(ARTICLE, f"<div>{OFFER}</div>", scores={OFFER: score}) == [OFFER]


def test_what_is_sure_to_be_content_stays_below_it() -> None:
    assert below(ARTICLE, f"<div>{OFFER}</div>", scores={OFFER: 0.86}) == []


def test_what_goes_by_its_score_is_not_named_again() -> None:
    assert below(ARTICLE, f"<div>{OFFER}</div>", scores={OFFER: 0.3}) == []


def test_what_leads_to_the_content_or_stands_in_it_stays() -> None:
    inside = ARTICLE.replace("</article>", f"<p>{OFFER}</p><p>{SENTENCE}</p></article>")
    assert below(f"<div>{OFFER}</div>", inside, scores={OFFER: 0.5}) == []


def test_the_headline_stays_wherever_it_is() -> None:
    headline = "Harbour reopens a week early"
    heading = f"<h1>{headline}</h1><h2>About us</h2>"
    scores = {headline: 0.5, "About us": 0.5}
    assert below(ARTICLE, heading, scores=scores, title=headline) == ["About us"]


def test_what_speaks_for_more_than_the_menu_against_is_part_of_the_content() -> None:
    part = f"<div>{f'<p>{OFFER}</p>' * 5}</div>"
    assert below(ARTICLE, part, scores={OFFER: 0.84}) == []
    assert len(below(ARTICLE, part, scores={OFFER: 0.61})) == 5


@pytest.mark.parametrize(("offers", "goes"), [(5, True), (7, False)])
def test_content_in_several_parts_has_no_one_element(offers: int, goes: bool) -> None:
    """Nine sentences are less than three fifths of sixteen."""
    assert bool(below(ARTICLE, f"<div>{f'<p>{OFFER}</p>' * offers}</div>", scores={OFFER: 0.5})) == goes


@pytest.mark.parametrize(("paragraphs", "goes"), [(5, False), (6, True)])
def test_below_little_text_nothing_goes(paragraphs: int, goes: bool) -> None:
    """Six sentences have five hundred characters."""
    article = f"<article>{f'<p>{SENTENCE}</p>' * paragraphs}</article>"
    assert bool(below(article, f"<div>{OFFER}</div>", scores={OFFER: 0.5})) == goes


def test_links_are_no_content_to_be_below() -> None:
    links = f"<div>{f'<p><a href=/>{SENTENCE}</a></p>' * 6}</div>"
    assert below(links, f"<div>{OFFER}</div>", scores={OFFER: 0.5}) == []


def test_a_page_without_blocks_has_nothing_below() -> None:
    assert below("<article></article>", scores={}) == []

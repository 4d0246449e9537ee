"""A page of its own kind: told by its slots, and given back what it would lose of them."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_blockfilter.evidence.own_kind import of_its_own_kind
from tests.evidencing import evidence
from tests.segmenting import columns, document, segmented

PARAGRAPH = "<p>Boats came back to the harbour on day {0}, and so did those who had waited for them.</p>"
# What a page of the site shares with the others, in eight blocks.
MENU = "".join(f"<nav>Section {number}</nav>" for number in range(8))
ARTICLES = tuple(document(MENU, PARAGRAPH.format(number) * 3) for number in range(1, 13))
OFFER = "<li><h3><a href=/{0}>Boat {0}</a></h3><div>Sleeps {0}, with a mast, two sails and an anchor</div></li>"


def offers(count: int = 40, *, more: str = "", menu: str = MENU) -> str:
    """A page of records as no article has, 47 to 50 characters each without headlines."""
    return document(menu, f"<ul>{''.join(OFFER.format(number) for number in range(100, 100 + count))}</ul>{more}")


def saved(html: str, *others: str, keep: str = "", possible: str = "") -> list[str]:
    """The texts given back to a page, learnt from with others, whose blocks with ``keep`` in them stay, and of which
    those with ``possible`` may be content."""
    found = segmented(html)
    texts = [block.text for block in found.blocks]
    stays = np.array([bool(keep) and keep in text for text in texts])
    may_be = np.array([possible in text for text in texts])
    blocks = of_its_own_kind(columns(html), evidence(html, html, *(others or ARTICLES)), stays, may_be)
    return [texts[block] for block in blocks]


def test_a_list_among_articles_is_of_its_own_kind() -> None:
    found = saved(offers())
    assert len(found) == 80
    assert found[:2] == ["Boat 100", "Sleeps 100, with a mast, two sails and an anchor"]


def test_an_article_among_articles_is_not() -> None:
    assert saved(document(MENU, PARAGRAPH.format(99) * 30)) == []


def test_what_other_pages_have_in_places_of_their_own_stays_template() -> None:
    footer = "<div class=footer><b>About the harbour</b></div>"
    others = tuple(html.replace("</body>", f"{footer}</body>") for html in ARTICLES)
    found = saved(offers(more=footer), *others)
    assert len(found) == 80
    # A label that others have elsewhere is no content of this page either, but a line of text may be.
    line = "Whoever buys a boat before the end of the year pays nothing for the first month on the pier."
    also = tuple(html.replace("</body>", f"<p>About us</p><p>{line}</p></body>") for html in ARTICLES[:3])
    found = saved(offers(more=f"<section>About us</section><section>{line}</section>"), *ARTICLES[3:], *also)
    assert found[80:] == [line]


def test_a_kind_has_a_quarter_of_the_other_pages_at_most() -> None:
    more = [offers().replace("mast", f"mast of {number} feet") for number in range(3)]
    assert len(saved(offers(), *ARTICLES[:10], *more)) == 80 - 40  # the headlines are on the others, too
    assert saved(offers(), *ARTICLES[:8], *more) == []


@pytest.mark.parametrize(("count", "is_kind"), [(17, False), (19, True)])
def test_a_box_is_no_page(count: int, is_kind: bool) -> None:
    """19 records have a thousand characters."""
    assert bool(saved(offers(count))) == is_kind


@pytest.mark.parametrize(("paragraphs", "is_kind"), [(45, True), (65, False)])
def test_three_tenths_of_the_page_are_of_its_kind(paragraphs: int, is_kind: bool) -> None:
    text = "".join(PARAGRAPH.format(number) for number in range(100, 100 + paragraphs))
    assert bool(saved(offers(more=text))) == is_kind


def test_a_page_that_keeps_a_tenth_of_it_has_not_lost_it() -> None:
    assert len(saved(offers(), keep="10", possible="Sleeps")) == 0
    assert len(saved(offers(), keep="101", possible="Sleeps")) == 39


@pytest.mark.parametrize(("shared", "is_kind"), [(4, False), (5, True)])
def test_a_page_of_another_design_is_of_another_site(shared: int, is_kind: bool) -> None:
    menu = "".join(f"<nav>Section {number}</nav>" for number in range(shared))
    assert bool(saved(offers(menu=menu))) == is_kind


def test_only_what_may_be_content_counts() -> None:
    assert len(saved(offers(), possible="Sleeps")) == 40
    assert saved(offers(), possible="Sleeps 10") == []
    # What is kept and may not be content is gone anyway.
    assert len(saved(offers(), keep="Boat", possible="Sleeps")) == 40


def test_two_other_pages_tell_a_kind() -> None:
    assert saved(offers(), ARTICLES[0]) == []
    assert len(saved(offers(), *ARTICLES[:2])) == 80

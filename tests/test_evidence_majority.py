"""Verdicts on text in a slot, and on links and labels in a place: what most there comes to on several pages."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_blockfilter.evidence.features import evidence_of
from scrapy_blockfilter.evidence.majority import PathMajority, SlotMajority
from tests.evidencing import statistics
from tests.segmenting import columns, document, segmented

STORY = "Boats came back to the harbour on day {0}, and so did those who had waited for them on the pier."
BOX = "On day {0} we look back at what the harbour was before the storms came and took the pier with them."


def page(number: int, *, story: str = STORY, box: str = BOX) -> str:
    return document(f"<p class=story>{story.format(number)}</p>", f"<p class=box>{box.format(number)}</p>")


def learnt(*pages: tuple[str, set[str]]) -> SlotMajority:
    """From pages, each with the classes of the paragraphs that stay."""
    site = statistics(*(html for html, _ in pages))
    return SlotMajority(
        (columns(html), evidence_of(columns(html), site), kept(html, classes)) for html, classes in pages
    )


def kept(html: str, classes: set[str]) -> np.ndarray:
    made = segmented(html)
    found = [made.elements[made.ordinals[block.node]].get("class") in classes for block in made.blocks]
    return np.array(found, np.bool_)


def disagreeing(majority: SlotMajority, html: str, classes: set[str], *others: str) -> tuple[list[int], list[int]]:
    evidence = evidence_of(columns(html), statistics(*(others or (page(99),))))
    return majority.disagreeing(columns(html), evidence, kept(html, classes))


USUAL = learnt(*((page(number), {"story"}) for number in range(5)))


def test_text_is_as_most_in_its_slot() -> None:
    assert disagreeing(USUAL, page(7), {"box"}) == ([0], [1])
    assert disagreeing(USUAL, page(7), {"story"}) == ([], [])


def test_the_longer_part_of_the_text_decides() -> None:
    more = STORY + " " + STORY
    pages = [(page(number, story=more), {"story", "box"}) for number in range(2)]
    pages += [(page(number), {"box"}) for number in range(2, 5)]
    assert disagreeing(learnt(*pages), page(7), {"box"}) == ([0], [])
    pages += [(page(number), set()) for number in range(5, 7)]
    assert disagreeing(learnt(*pages), page(7), {"story", "box"}) == ([], [0])


def test_no_majority_says_nothing() -> None:
    pages = [(page(number), {"story"} if number % 2 else set()) for number in range(10, 16)]
    assert disagreeing(learnt(*pages), page(17), {"story"}) == ([], [])
    assert disagreeing(learnt(*pages), page(17), set()) == ([], [])


@pytest.mark.parametrize("count", [0, 1, 4])
def test_a_few_pages_say_nothing(count: int) -> None:
    majority = learnt(
        (page(90, story="{0}", box="{0}"), set()), *((page(number), {"story"}) for number in range(count))
    )
    assert disagreeing(majority, page(7), {"box"}) == ([], [])


@pytest.mark.parametrize("story", ["Day {0}", "<a href=/{0}>" + STORY + "</a>"], ids=["labels", "links"])
def test_only_text_of_its_own_is_spoken_of(story: str) -> None:
    majority = learnt(*((page(number, story=story), {"story"}) for number in range(5)))
    assert disagreeing(majority, page(7), set()) == ([], [])
    assert disagreeing(USUAL, page(7, story=story), set()) == ([], [])


def test_what_other_pages_have_too_is_not_spoken_of() -> None:
    others = [page(7, box=f"Told on page {number}.") for number in range(2)]
    assert disagreeing(USUAL, page(7), {"box"}, *others) == ([], [1])


@given(st.permutations(range(5)))
@settings(max_examples=20)
def test_the_order_of_the_pages_is_of_no_account(order: list[int]) -> None:
    pages = [(page(number), {"story"} if number else {"box"}) for number in range(5)]
    majority = learnt(*(pages[number] for number in order))
    assert disagreeing(majority, page(7), {"box"}) == ([0], [1])


# Links and labels, by their tag paths.

LABEL = "Read more"
LINKED = "<a href=/{0}>Another report from the harbour, number {0}</a>"


def in_places(number: int, *, more: str, story: str = STORY * 4) -> str:
    """A page with a paragraph, and in places of their own a box and ``more``."""
    return document(
        f"<p class=story>{story.format(number)}</p>", f"<div class=box>{BOX.format(number)}</div>{more.format(number)}"
    )


def paths(*pages: tuple[str, set[str]]) -> PathMajority:
    return PathMajority((columns(html), kept(html, classes)) for html, classes in pages)


def gone(majority: PathMajority, html: str, *classes: str) -> list[str]:
    found = segmented(html)
    return [found.blocks[block].text for block in majority.blocks_in(columns(html), kept(html, set(classes)))]


def in_box(more: str, *, count: int = 3, classes: tuple[str, ...] = ("story",)) -> PathMajority:
    return paths(*((in_places(number, more=more), set(classes)) for number in range(count)))


@pytest.mark.parametrize("more", [LINKED, LABEL, "港口新聞"], ids=["a link", "a label", "a label of wide characters"])
def test_links_and_labels_go_where_most_text_goes(more: str) -> None:
    html = in_places(7, more=f"<div class=odd>{more}</div>")
    assert gone(in_box(""), html, "story", "odd") == [segmented(html).blocks[2].text]


@pytest.mark.parametrize(
    "more",
    [f"<div class=odd>{BOX}</div>", "<div class=odd>On day 7 at the harbour</div>", f"<h3 class=odd>{LINKED}</h3>"],
    ids=["text", "more than a label", "another place"],
)
def test_other_text_and_that_in_other_places_stays(more: str) -> None:
    assert gone(in_box(""), in_places(7, more=more), "story", "odd") == []


def test_text_stays_in_a_place_where_three_fifths_of_it_do() -> None:
    odd = in_places(7, more=f"<div class=odd>{LINKED}</div>")
    assert gone(in_box(f"<div class=more>{BOX}</div>", classes=("story", "more")), odd, "story", "odd") != []
    assert gone(in_box(f"<div class=more>{BOX}{BOX}</div>", classes=("story", "more")), odd, "story", "odd") == []


def test_a_label_stays_where_most_with_its_classes_does() -> None:
    price = "<div class=price>{0} crowns</div>"
    learnt_from = in_box(price, classes=("story", "price"))
    assert gone(learnt_from, in_places(7, more=price), "story", "price") == []
    assert gone(learnt_from, in_places(7, more=price.replace("price", "odd")), "story", "odd") == ["7 crowns"]
    linked = price.replace("{0} crowns", LINKED)
    assert gone(learnt_from, in_places(7, more=linked), "story", "price") != []


def test_two_pages_do_not_tell_a_place() -> None:
    html = in_places(7, more=f"<div class=odd>{LINKED}</div>")
    assert gone(in_box("", count=2), html, "story", "odd") == []
    assert gone(in_box(""), html, "story", "odd") != []


def test_pages_without_content_tell_no_place_and_lose_none() -> None:
    html = in_places(7, more=f"<div class=odd>{LINKED}</div>")
    assert gone(in_box("", classes=()), html, "story", "odd") == []
    assert gone(in_box(""), html, "odd") == []
    assert gone(in_box(""), in_places(7, more=f"<div class=odd>{LINKED}</div>", story=STORY), "story", "odd") == []

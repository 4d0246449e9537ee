"""Slots as people read them, and XPath for their elements."""

from __future__ import annotations

import pytest
from lxml import etree

from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.sample.slots import MAX_STEPS, SlotStep, slot_of, style_path, xpath
from tests.support.pages import document, sampled, segmented

PAGE = document(
    '<div id="wrap" class="a b"><ul class="nav nav-12"><li>Home</li></ul><div class="it\'s"><p>Story</p></div></div>',
    '<div id="ad-99">Buy</div><section><em><p>Deep</p></em></section>',
)


def test_steps_of_a_sample_lead_to_the_slots_of_its_pages() -> None:
    sample = sampled([PAGE])
    page = segmented(PAGE)
    assert set(sample.steps) == set(page.slots)
    assert all(slot == slot_of(step) for slot, step in sample.steps.items())
    for block in page.blocks:
        assert style_path(sample.steps, block.slot) == block.path


@pytest.mark.parametrize("text", ["Home", "Story", "Buy", "Deep"])
def test_xpath_finds_the_elements_of_a_slot_and_no_others(text: str) -> None:
    sample, page = sampled([PAGE]), segmented(PAGE)
    assert page.root is not None
    (block,) = [block for block in page.blocks if block.text == text]
    found = etree.XPath(xpath(sample.steps, block.slot))(page.root.getroottree())
    assert [page.elements[page.ordinals[block.node]]] == found


def test_digits_of_names_match_other_digits() -> None:
    sample, other = sampled([PAGE]), segmented(PAGE.replace("nav-12", "nav-7").replace("ad-99", "ad-3"))
    assert other.root is not None
    for block in other.blocks:
        assert other.elements[other.ordinals[block.node]] in etree.XPath(xpath(sample.steps, block.slot))(
            other.root.getroottree()
        )


def test_path_of_a_slot_whose_surroundings_are_not_known_says_so() -> None:
    step = SlotStep(77, "div.menu")
    assert style_path({slot_of(step): step}, slot_of(step)) == "…/div.menu"
    found = xpath({slot_of(step): step}, slot_of(step))
    assert etree.XPath(found)(etree.fromstring('<p><div class="big menu"/></p>'))


def test_steps_of_a_site_whose_names_change_are_bounded_whatever_the_order() -> None:
    pages = [
        document(*(f'<div class="x{_letters(100 * page + number)}">text</div>' for number in range(100)))
        for page in range(15)
    ]
    first, second = sampled(pages), sampled(reversed(pages))
    assert len(first.steps) == MAX_STEPS
    assert first.steps == second.steps == first.merge(second).steps
    assert SiteSample(5).merge(first).steps == first.steps


def _letters(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))

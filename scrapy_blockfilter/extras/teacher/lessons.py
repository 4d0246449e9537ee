"""Carry answers about pages to the slots of a site, as selectors like those of a person's corrections.

A slot gets a selector if all of this holds. The judge doubts most of its text. The answers agree on it, over all pages
that show it. Some verdict would change. The selector touches nothing that the judge is sure of, nor anything that
the answers say otherwise of: it was tried on all pages at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from lxml import etree

from scrapy_blockfilter.extras.teacher.questions import JudgedPage, Question
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.model.selection import inside_matches
from scrapy_blockfilter.options.selectors import compiled_selector, why_unusable
from scrapy_blockfilter.sample.slots import SlotStep, new_steps, xpath

# The share of a slot's text that must be in doubt, and that answers must agree on: on each page, and over all pages.
_IN_DOUBT, _AGREED = 0.5, 0.9
# The share of what a selector matches that may be sure to the contrary: one stray block must not leave all in doubt.
_CONTRARY = 0.05


class Answered(NamedTuple):
    """A page with a checked answer: the numbers of the shown blocks that are content."""

    judged: JudgedPage
    question: Question
    content: frozenset[int]


class Lesson(NamedTuple):
    """A correction that answers give: "keep" or "drop" with a selector, and the number of pages that it comes from."""

    action: str
    selector: str
    pages: int


def lessons(answered: Sequence[Answered], pages: Sequence[JudgedPage]) -> list[Lesson]:
    """Return the corrections that answers give, those of the most text first. Selectors are tried on all ``pages``."""
    said = _said(answered)
    sizes = _sizes(pages)
    steps: dict[int, SlotStep] = {}
    for one in answered:
        steps.update(new_steps(one.judged.page, steps))
    is_content = {
        one.judged.name: {block.number - 1: block.number in one.content for block in one.question.blocks}
        for one in answered
    }
    found: dict[str, Lesson] = {}
    for slot in sorted(said, key=lambda slot: (-sizes[slot][1], slot)):
        doubted, chars = sizes[slot]
        action = _agreed(said[slot])
        if not action or doubted < _IN_DOUBT * chars:
            continue
        selector = xpath(steps, slot)
        if selector not in found and not why_unusable(selector) and _helps(action, selector, pages, is_content):
            found[selector] = Lesson(action, selector, len(said[slot]))
    return list(found.values())


def _agreed(said: Sequence[tuple[int, int]]) -> str:
    """Return the correction that pages agree on, by their characters of content and of others; "" for none."""
    chars = sum(map(sum, said))
    for place, action in enumerate(("keep", "drop")):
        is_on_each = all(2 * of_page[place] > sum(of_page) for of_page in said)
        if is_on_each and sum(of_page[place] for of_page in said) >= _AGREED * chars:
            return action
    return ""


def _said(answered: Sequence[Answered]) -> dict[int, list[tuple[int, int]]]:
    """Return for each slot its characters of content and of others, page by page."""
    said: dict[int, list[tuple[int, int]]] = {}
    for one in answered:
        of_page: dict[int, list[int]] = {}
        for block in one.question.blocks:
            place = block.number - 1
            chars = of_page.setdefault(one.judged.page.blocks[place].slot, [0, 0])
            chars[block.number not in one.content] += one.judged.chars(place)
        for slot, (content, others) in of_page.items():
            said.setdefault(slot, []).append((content, others))
    return said


def _sizes(pages: Sequence[JudgedPage]) -> dict[int, tuple[int, int]]:
    """Return of each slot how many of its characters are in doubt, and how many it has."""
    sizes: dict[int, tuple[int, int]] = {}
    for judged in pages:
        for number, block in enumerate(judged.page.blocks):
            doubted, chars = sizes.get(block.slot, (0, 0))
            own = judged.chars(number)
            sizes[block.slot] = (doubted + own * judged.is_in_doubt(number), chars + own)
    return sizes


def _helps(action: str, selector: str, pages: Sequence[JudgedPage], said: Mapping[str, Mapping[int, bool]]) -> bool:
    """Return whether a selector changes a verdict in doubt, and hardly any other or against an answer."""
    find, keep = compiled_selector(selector), action == "keep"
    changed = contrary = matched = 0
    for judged in pages:
        of_page = said.get(judged.name, {})
        for number in _matched(judged.page, find, keep):
            chars = judged.chars(number)
            matched += chars
            is_kept = judged.verdicts[number].keep
            wanted = of_page.get(number, keep) if judged.is_in_doubt(number) else is_kept
            contrary += chars * (wanted != keep)
            changed += chars * (is_kept != keep == wanted)
    return bool(changed) and contrary <= _CONTRARY * matched


def _matched(page: Page, find: Callable[[etree._Element], list[etree._Element]], keep: bool) -> Iterator[int]:
    """Yield the blocks that a selector would keep or drop, as a crawl applies it."""
    ordinals = {element: ordinal for ordinal, element in enumerate(page.elements)}
    inside = inside_matches(page, ordinals, find)
    for number, block in enumerate(page.blocks if inside else ()):
        holders = map(page.holder_of, block.pieces)
        if block.tag != "title" and block.pieces and (any if keep else all)(map(inside.__getitem__, holders)):
            yield number

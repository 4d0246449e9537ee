"""Find lines that a page sets as headings, without the tag of a heading."""

from __future__ import annotations

import numpy as np
from lxml import etree

from scrapy_blockfilter.consensus.features.evidence import Evidence
from scrapy_blockfilter.consensus.features.of_blocks import LONG_BLOCK
from scrapy_blockfilter.consensus.marked import blocks_in
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import FIGURES, LAST_KIND
from scrapy_blockfilter.html.tags import CELLS, HEADINGS
from scrapy_blockfilter.methods.base import Flags
from scrapy_blockfilter.text.characters import COMMA, LETTER, SENTENCE_END, UPPER, WIDE

_BOLD, _MOST_AROUND = frozenset({"b", "strong"}), 3
# Lines of tables, lists and forms are labels, items and fields.
_NO_HEADINGS = HEADINGS | CELLS | {"li", "dd", "title", "option", "button", "label", "legend", "figcaption", "caption"}
_ENDS, _QUESTION = (COMMA, SENTENCE_END), ("?", "？", "؟")
# Letters of a heading: a line with less is a picture, or a number.
_LEAST_LETTERS = 3
# Lines in one slot, each before long text, that show the slot to be one of headings.
_LEAST_ALIKE = 2


def lines_as_headings(page: Page, evidence: Evidence, is_long: Flags, may_be: Flags) -> list[int]:
    """Return the blocks set as headings: lines of the page's own right before long text in the element around them.

    Their slot has two such lines or more, and no long text; or they are all bold, or headings by their role.
    """
    tree, nodes, numbers = evidence.tree, page.nodes, np.arange(len(page.keys))
    is_line = (page.weights < LONG_BLOCK) & (evidence.pages_with == 0)
    is_line[:-1] &= is_long[1:]
    is_line[-1:] = False
    if not (is_line & may_be).any():
        return []
    letters = page.numbers[:, LETTER] + page.numbers[:, UPPER] + 3 * page.numbers[:, WIDE]
    is_line &= (letters >= _LEAST_LETTERS) & (tree.ends[tree.outer[nodes]] > numbers + 1)
    is_line &= page.numbers[:, FIGURES] == 0
    if not (is_line & may_be).any():
        return []
    _, places, counts = page.distinct_keys
    is_line &= counts[places] == 1
    for block in np.flatnonzero(is_line).tolist():
        has_end = page.numbers[block, LAST_KIND] in _ENDS and not page.texts[block].endswith(_QUESTION)
        is_line[block] = not has_end and page.tags[nodes[block]] not in _NO_HEADINGS
    _, slots = np.unique(page.slots[nodes], return_inverse=True)
    has_long = np.bincount(slots, page.weights >= LONG_BLOCK)
    are_headings = (np.bincount(slots, is_line) >= _LEAST_ALIKE) & (has_long == 0)
    lines = np.flatnonzero(is_line & may_be).tolist()
    unsure = [block for block in lines if page.root is not None and not are_headings[slots[block]]]
    elements = page.elements_at([*(page.ordinals[nodes[block]] for block in unsure), *page.marked] if unsure else ())
    headings = [place for place in page.marked if unsure and elements[place].get("role") == "heading"]
    are_marked = {block for blocks in blocks_in(page, headings).values() for block in blocks}
    are_marked.update(block for block in unsure if _is_bold(elements[page.ordinals[nodes[block]]]))
    return [block for block in lines if are_headings[slots[block]] or block in are_marked]


def _is_bold(element: etree._Element) -> bool:
    """Return whether all text of an element is bold."""
    for _ in range(_MOST_AROUND):
        if len(element) != 1 or (element.text or "").strip() or (element[0].tail or "").strip():
            return False
        element = element[0]
        if element.tag in _BOLD:
            return True
    return False

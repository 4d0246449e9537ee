"""Keep the page's headline, and the headings of text that stays, with the tag of a heading or without."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from lxml import etree

from scrapy_blockfilter.consensus.case import AGREEMENT, Case, Change
from scrapy_blockfilter.consensus.features.of_blocks import LONG_BLOCK
from scrapy_blockfilter.consensus.marked import blocks_in
from scrapy_blockfilter.html.columns import FIGURES, LAST_KIND, TITLE
from scrapy_blockfilter.html.marks import word_of
from scrapy_blockfilter.html.tags import CELLS, HEADINGS
from scrapy_blockfilter.text.characters import COMMA, LETTER, SENTENCE_END, UPPER, WIDE

# Blocks from a headline without a heading's tag to the text: lines of a byline come between.
_TO_TEXT = 4
# An element of at most this many blocks may be the heading's own: the heading, an edit link, a link to the source.
_OWN_ELEMENT = 3
# Tags of such elements. A HEADER belongs to its page or section, and ends with it.
_WRAPPERS = frozenset({"div", "hgroup"})
_BOLD, _MOST_AROUND = frozenset({"b", "strong"}), 3
# Lines of tables, lists and forms are labels, items and fields.
_NO_HEADINGS = HEADINGS | CELLS | {"li", "dd", "title", "option", "button", "label", "legend", "figcaption", "caption"}
_ENDS, _QUESTION = (COMMA, SENTENCE_END), ("?", "？", "؟")
# Letters of a heading: a line with less is a picture, or a number.
_LEAST_LETTERS = 3
# Lines in one slot, each before long text, that show the slot to be one of headings.
_LEAST_ALIKE = 2


def headline(case: Case) -> Iterator[Change]:
    """Keep the headline of a page that keeps anything else.

    The headline is the H1, or else the highest heading, that agrees with the TITLE and is in its slot on no other page.
    On a page without such a heading it is a line on no other page, soon before long text that stays.
    """
    page, keep = case.page, case.keep
    agreement, is_own = page.numbers[:, TITLE], case.evidence.pages_with == 0
    may_be = (agreement >= AGREEMENT) & (case.evidence.column("pages: on share of pages in its slot") == 0)
    found = [(page.tags[page.nodes[block]], block) for block in may_be.nonzero()[0].tolist()]
    headings = sorted((tag, -int(agreement[block]), block) for tag, block in found if tag in HEADINGS)
    highest = [block for tag, _, block in headings if tag == headings[0][0]]
    if not headings:
        lines = [block for tag, block in found if tag != "title" and is_own[block] and not case.is_linked[block]]
        is_long = case.is_long
        highest = [block for block in lines if 1 in is_long[block : block + _TO_TEXT].tobytes()]
    if highest and 1 in keep.tobytes() and 1 not in keep[highest].tobytes():
        yield Change(highest[:1], "the page's headline: its TITLE says the same")


def section_headings(case: Case) -> Iterator[Change]:
    """Keep a heading if text below it stays, up to the next heading of its rank in the same element.

    The name of the site, which is linked and on other pages, is no such heading.
    """
    page, keep = case.page, case.keep
    if lines := _lines_as_headings(case):
        yield Change(lines, "a line set as the heading of text that stays")
    headings, last = case.is_heading.nonzero()[0].tolist(), keep.tobytes().rfind(1)
    is_name = case.is_linked & (case.evidence.pages_with > 0)
    for place in range(len(headings) - 1, -1, -1):  # from the end: a heading that stays keeps the one above it
        block = headings[place]
        if block >= last or keep[block] or is_name[block]:
            continue
        end = _end_of_element(case, block)
        if 1 in keep[block + 1 : end].tobytes():
            tag, below = page.tags[page.nodes[block]], map(headings.__getitem__, range(place + 1, len(headings)))
            higher = (other for other in below if other >= end or page.tags[page.nodes[other]] <= tag)
            if 1 in keep[block + 1 : min(next(higher, end), end)].tobytes():
                yield Change([block], "the heading of text that stays")


def _end_of_element(case: Case, block: int) -> int:
    """Return where the element that holds a heading and its text ends.

    An element that holds only links besides the heading, such as one to edit the section, is the heading's own and does
    not count.
    """
    starts, ends, outer = case.ranges
    element = outer[case.page.nodes[block]]
    while case.page.tags[element] in _WRAPPERS:
        start, end = starts[element], ends[element]
        beside = [other for other in range(start, end) if other != block] if end - start <= _OWN_ELEMENT else []
        if not beside or not case.is_linked[beside].all():
            break
        element = outer[element]
    return int(ends[element])


def _lines_as_headings(case: Case) -> list[int]:
    """Return the stripped lines set as headings: the page's own, right before long text in the element around them.

    Their slot has two such lines or more, and no long text; or they are all bold, or headings by their role.
    """
    page, tree, nodes = case.page, case.tree, case.page.nodes
    may_be = ~case.keep & ~case.is_linked
    is_line = (page.weights < LONG_BLOCK) & (case.evidence.pages_with == 0)
    is_line[:-1] &= case.is_long[1:]
    is_line[-1:] = False
    if 1 not in (is_line & may_be).tobytes():
        return []
    letters = page.numbers[:, LETTER] + page.numbers[:, UPPER] + 3 * page.numbers[:, WIDE]
    is_line &= (letters >= _LEAST_LETTERS) & (tree.ends[tree.outer[nodes]] > np.arange(len(nodes)) + 1)
    is_line &= page.numbers[:, FIGURES] == 0
    if 1 not in (is_line & may_be).tobytes():
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
    headings = [place for place in page.marked if unsure and word_of(elements[place], "role") == "heading"]
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

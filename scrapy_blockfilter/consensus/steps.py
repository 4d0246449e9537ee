"""Steps after the score: each sees a page with the verdicts so far, and changes some of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from scrapy_blockfilter.consensus.amid import amid
from scrapy_blockfilter.consensus.case import Case, Change, Step
from scrapy_blockfilter.consensus.features.of_site import numbers_of_rows
from scrapy_blockfilter.consensus.goods import goods
from scrapy_blockfilter.consensus.headings import headline, section_headings
from scrapy_blockfilter.consensus.marked import unseen
from scrapy_blockfilter.consensus.notes import notes
from scrapy_blockfilter.consensus.pictures import pictures
from scrapy_blockfilter.consensus.teasers import teasers
from scrapy_blockfilter.consensus.threads import comments
from scrapy_blockfilter.consensus.tiles import LEAST_ROWS, like_parts, rows
from scrapy_blockfilter.consensus.units import whole_units
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import LAST_KIND
from scrapy_blockfilter.text.characters import COMMA

_REASONS = {
    "select": "a choice of a form",
    "datalist": "a choice of a form",
    "textarea": "a field of a form",
    "footer": "in the footer of the page",
}
# A FOOTER inside a section belongs to the section, not to the page (HTML standard, 4.3.8, and its lists of sectioning
# content and sectioning roots).
_SECTIONS = frozenset(
    {"article", "aside", "blockquote", "details", "dialog", "fieldset", "figure", "main", "nav", "section", "td"}
)


def structure(case: Case) -> Iterator[Change]:
    """Strip elements that hold no content by the HTML standard: choices and fields of forms, and the page's footer."""
    page, tree = case.page, case.tree
    in_section: dict[int, bool] = {-1: False}
    end = 0  # of the last run: elements nested in it add nothing
    for node in case.nodes_of(_REASONS):
        tag, run = page.tags[node], range(int(tree.starts[node]), int(tree.ends[node]))
        if not run or run.start < end or (tag == "footer" and _is_in_section(page, node, in_section)):
            continue
        end = run.stop
        yield Change(run, _REASONS[tag])


def _is_in_section(page: Page, node: int, known: dict[int, bool]) -> bool:
    """Return whether a node is in an element of ``_SECTIONS``, and add the answers on nodes around it to ``known``."""
    around = []
    parent = page.parents[node]
    while parent not in known:
        around.append(parent)
        parent = page.parents[parent]
    found = known[parent]
    for passed in reversed(around):
        found = known[passed] = found or page.tags[passed] in _SECTIONS
    return found


# Labels are shorter than this, in characters; those of scripts without spaces count as three.
_LONGEST = 60


def labels(case: Case) -> Iterator[Change]:
    """Keep the unlinked label of a value that stays.

    A label is the first of two blocks in an element, ends with a colon before the next block of its element, or stands
    before a value as others in its element do: labels in a slot of their own, values in another.
    """
    page, keep, tree = case.page, case.keep, case.tree
    blocks = (keep[1:] > keep[:-1]).nonzero()[0]
    holders, slots = tree.outer[page.nodes], page.slots[page.nodes]
    around, is_short = holders[blocks], page.weights < _LONGEST
    pairs = numbers_of_rows(around, slots[blocks], slots[blocks + 1])
    in_turn = (around == holders[blocks + 1]) & (slots[blocks] != slots[blocks + 1]) & is_short[blocks + 1]
    is_label = in_turn & (np.bincount(pairs, in_turn)[pairs] >= LEAST_ROWS)
    is_label |= (page.numbers[blocks, LAST_KIND] == COMMA) & (tree.ends[around] > blocks + 1)
    is_label |= (tree.starts[around] == blocks) & (tree.ends[around] == blocks + 2)
    if found := blocks[is_label & is_short[blocks] & ~case.is_linked[blocks]].tolist():
        yield Change(found, "the label of a value that stays")


# Blocks of an attribution: who said it, and where.
_QUOTES, _MOST_OF_ATTRIBUTION = frozenset({"blockquote"}), 2


def attributions(case: Case) -> Iterator[Change]:
    """Keep the FOOTER of a BLOCKQUOTE whose text stays: it says who is quoted (HTML standard, 4.4.4)."""
    starts, ends, _ = case.ranges
    for node in case.nodes_of(("footer",)):
        quote, blocks = case.page.nearest(_QUOTES)[node], range(starts[node], ends[node])
        if quote >= 0 and len(blocks) <= _MOST_OF_ATTRIBUTION and case.keep[starts[quote] : starts[node]].any():
            yield Change(blocks, "says who is quoted")


STEPS = (
    Step("element", False, structure),
    Step("element", False, unseen),
    Step("teasers", False, teasers),
    Step("teasers", False, goods, is_stated=True),
    Step("whole", True, like_parts),
    Step("whole", True, rows),
    Step("comments", True, comments),
    Step("whole", True, whole_units),
    Step("content", True, amid),
    Step("whole", True, notes),
    Step("whole", True, attributions),
    Step("label", True, labels),
    Step("heading", True, headline),
    Step("picture", True, pictures),
    Step("heading", True, section_headings),
)
"""The steps in the order in which they act."""

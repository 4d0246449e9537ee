"""The promises on headings: a page's own headline stays, and so does the heading of what stays."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from scrapy_blockfilter.consensus.steps.base import Case, Change
from scrapy_blockfilter.html.columns import TITLE
from scrapy_blockfilter.html.tags import HEADINGS

# Per cent of the TITLE that a headline is at least: the name of a site in it is less.
_AGREEMENT = 60
# Blocks of an element that is a heading's own: the heading, a link to edit what is below, one to its source.
_OWN_ELEMENT = 3
# What such an element is; a HEADER is that of its page or section, and ends with it.
_WRAPPERS = frozenset({"div", "hgroup"})


class Headline:
    """Keep the headline of a page that keeps something: the H1, or without one the highest heading, that says what the
    TITLE does, and that no other page has."""

    kind = "heading"

    def changes(self, case: Case) -> Iterator[Change]:
        columns, keep = case.columns, case.keep
        agreement = columns.numbers[:, TITLE]
        may_be = (agreement >= _AGREEMENT) & (case.evidence.pages_with == 0)
        found = [(_tag(case, block), block) for block in np.flatnonzero(may_be).tolist()]
        headings = sorted((tag, -int(agreement[block]), block) for tag, block in found if tag in HEADINGS)
        highest = [block for tag, _, block in headings if tag == headings[0][0]]
        if highest and keep.any() and not keep[highest].any():
            yield Change(highest[:1], True, "the page's headline: its TITLE says the same")


class SectionHeadings:
    """Keep a heading while text below it, up to the next of its rank in the same element, stays; but not the name of
    the site, which is linked and on other pages."""

    kind = "heading"

    def changes(self, case: Case) -> Iterator[Change]:
        columns, keep = case.columns, case.keep
        tags = [columns.tags[node] for node in columns.nodes.tolist()]
        headings = [block for block, tag in enumerate(tags) if tag in HEADINGS]
        if keep[headings].all() or not keep.any():
            return
        is_name = case.is_linked & (case.evidence.pages_with > 0)
        for place in range(len(headings) - 1, -1, -1):  # from the end: a heading that stays keeps that above it
            block = headings[place]
            if not keep[block] and not is_name[block]:
                last = end = _end_of_element(case, block)
                below = map(headings.__getitem__, range(place + 1, len(headings)))
                end = next((other for other in below if other >= end or tags[other] <= tags[block]), end)
                if keep[block + 1 : min(end, last)].any():
                    yield Change([block], True, "the heading of text that stays")


def _end_of_element(case: Case, block: int) -> int:
    """Where the element ends that a heading stands in with its text. One that holds links beside it alone, to edit the
    section, is the heading's own."""
    tree = case.evidence.tree
    element = tree.outer[case.columns.nodes[block]]
    while case.columns.tags[element] in _WRAPPERS:
        start, end = int(tree.starts[element]), int(tree.ends[element])
        beside = [other for other in range(start, end) if other != block] if end - start <= _OWN_ELEMENT else []
        if not beside or not case.is_linked[beside].all():
            break
        element = tree.outer[element]
    return int(tree.ends[element])


def _tag(case: Case, block: int) -> str:
    return case.columns.tags[int(case.columns.nodes[block])]

"""Keep the page's own headline, and the headings of text that stays."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from scrapy_blockfilter.consensus.steps.base import Case, Change
from scrapy_blockfilter.html.columns import TITLE
from scrapy_blockfilter.html.tags import HEADINGS

# Per cent of agreement with the TITLE that a headline needs. The name of the site in the TITLE agrees less.
_AGREEMENT = 60
# An element of at most this many blocks may be the heading's own: the heading, an edit link, a link to the source.
_OWN_ELEMENT = 3
# Tags of such elements. A HEADER belongs to its page or section, and ends with it.
_WRAPPERS = frozenset({"div", "hgroup"})


class Headline:
    """Keep the headline of a page that keeps anything else.

    The headline is the H1, or else the highest heading, that agrees with the TITLE and is on no other page.
    """

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
    """Keep a heading if text below it stays, up to the next heading of its rank in the same element.

    The name of the site, which is linked and on other pages, is no such heading.
    """

    kind = "heading"

    def changes(self, case: Case) -> Iterator[Change]:
        columns, keep = case.columns, case.keep
        tags = [columns.tags[node] for node in columns.nodes.tolist()]
        headings = [block for block, tag in enumerate(tags) if tag in HEADINGS]
        if keep[headings].all() or not keep.any():
            return
        is_name = case.is_linked & (case.evidence.pages_with > 0)
        for place in range(len(headings) - 1, -1, -1):  # from the end: a heading that stays keeps the one above it
            block = headings[place]
            if not keep[block] and not is_name[block]:
                last = end = _end_of_element(case, block)
                below = map(headings.__getitem__, range(place + 1, len(headings)))
                end = next((other for other in below if other >= end or tags[other] <= tags[block]), end)
                if keep[block + 1 : min(end, last)].any():
                    yield Change([block], True, "the heading of text that stays")


def _end_of_element(case: Case, block: int) -> int:
    """Return where the element that holds a heading and its text ends.

    An element that holds only links besides the heading, such as one to edit the section, is the heading's own and does
    not count.
    """
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

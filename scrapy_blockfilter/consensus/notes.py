"""Find the notes and references of a text: elements that the marks in it, such as "[1]", lead to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import numpy as np
from lxml import etree

from scrapy_blockfilter.consensus.case import Case, Change
from scrapy_blockfilter.consensus.marked import holders_of
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.methods.base import Flags

# Links of a saved page to its own parts may have whole addresses.
_LINKS = etree.XPath("descendant::a[contains(@href, '#')][string-length(.) < 30]")
_NAMED = etree.XPath("descendant::*[@id or @name]")
_MARK = re.compile(r"[\W_]{0,3}(?:\d{1,3}|[A-Za-z]|[*†‡]{1,3})[\W_]{0,3}")
# The first elements in a link, one of which may have its text, and the blocks of the longest note.
_FIRST, _MOST = 3, 12
_ITEMS = frozenset({"li"})


def notes(case: Case) -> Iterator[Change]:
    """Keep each note that a mark in kept text leads to, and each list if marks lead to half of its items."""
    page, (starts, ends, _) = case.page, case.ranges
    if page.root is None or not case.is_mixed:
        return
    marks = [link for link in _LINKS(page.root) if _MARK.fullmatch("".join(islice(link.itertext(), _FIRST)).strip())]
    noted = _noted(page, page.root, case.keep, marks) if marks else []
    in_lists = Counter(page.parents[node] for node in noted if page.tags[node] in _ITEMS)
    items = Counter(page.parents[node] for node in page.nodes_of(_ITEMS)) if in_lists else {}
    whole = {node for node, count in in_lists.items() if items[node] <= 2 * count}
    end = 0  # of the last list or note: elements nested in it add nothing
    for node in sorted({*noted, *whole}):
        if end <= starts[node] and (node in whole or ends[node] - starts[node] <= _MOST):
            end = ends[node]
            yield Change(range(starts[node], end), "a note of text that stays")


def _noted(page: Page, root: etree._Element, keep: Flags, marks: list[etree._Element]) -> list[int]:
    """Return the nodes that marks in kept text lead to, but for those that hold their marks."""
    pieces = np.asarray(page.pieces)[np.repeat(keep, np.diff(page.ends, prepend=0))]
    kept = set(holders_of(page, pieces).tolist())
    named = {name: element for element in _NAMED(root) for name in (element.get("name"), element.get("id")) if name}
    places = {element: place for place, element in enumerate(page.elements)}
    nodes = {ordinal: node for node, ordinal in enumerate(page.ordinals)}
    found = set()
    for mark in marks:
        note = named.get(mark.get("href", "").rpartition("#")[2])
        if note is not None and any(places[node] in kept for node in islice(mark.iter(), _FIRST)):
            place = places[note]
            while place not in nodes:
                place = page.element_parents[place]
            if not place <= places[mark] < page.element_ends[place]:
                found.add(nodes[place])
    return sorted(found)

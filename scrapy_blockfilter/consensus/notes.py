"""Find the notes and references of an article: lists whose items are targets of links in its text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice

import numpy as np
from lxml import etree

from scrapy_blockfilter.consensus.case import Case, Change, Sums
from scrapy_blockfilter.consensus.marked import holders_of
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.methods.base import Flags

_LISTS, _ITEMS = frozenset({"ol", "ul"}), frozenset({"li"})
# Links of a saved page to its own parts may have whole addresses.
_LINKS = etree.XPath("//a[contains(@href, '#')]")
# Stripped texts of a list that are no links: a table of contents has none.
_LEAST = 2
# The first elements in an item, one of which may have its name, and those in a link, one of which may have its text.
_FIRST = 3


def notes(case: Case) -> Iterator[Change]:
    """Keep each list with stripped texts, if links in kept text elsewhere lead to half of its items.

    Several pages show the slot of notes, so this step acts on a page alone.
    """
    page, (starts, ends, _) = case.page, case.ranges
    if case.evidence.others:
        return
    texts = Sums({"texts": ~case.keep & ~case.is_linked}).between
    lists = {node for node in page.nodes_of(_LISTS) if texts(starts[node], ends[node], "texts") >= _LEAST}
    items = [node for node in page.nodes_of(_ITEMS) if page.parents[node] in lists] if lists else []
    if page.root is None or not items:
        return
    elements = page.elements_at(page.ordinals[node] for node in items)
    named = {name: node for node in items for name in _names_of(elements[page.ordinals[node]])}
    count = Counter(page.parents[node] for node in items)
    noted = Counter(page.parents[node] for node in _targets(page, page.root, case.keep, named)) if named else {}
    for node in sorted(noted):
        if _LEAST <= count[node] <= 2 * noted[node]:
            yield Change(range(starts[node], ends[node]), "notes of text that stays")


def _names_of(item: etree._Element) -> Iterator[str]:
    return (name for element in islice(item.iter(), _FIRST) if (name := element.get("id") or element.get("name")))


def _targets(page: Page, root: etree._Element, keep: Flags, named: Mapping[str, int]) -> set[int]:
    """Return the items that a link in kept text leads to, unless it is in their list."""
    named_in = ((link, named.get(link.get("href", "").rpartition("#")[2])) for link in _LINKS(root))
    links = [(link, item) for link, item in named_in if item is not None]
    if not links:
        return set()
    pieces = np.asarray(page.pieces)[np.repeat(keep, np.diff(page.ends, prepend=0))]
    kept = set(holders_of(page, pieces).tolist())
    places = {element: place for place, element in enumerate(page.elements)}
    found = set()
    for link, item in links:
        outer = page.ordinals[page.parents[item]]
        is_inside = outer < places[link] < page.element_ends[outer]
        if not is_inside and any(places[node] in kept for node in islice(link.iter(), _FIRST)):
            found.add(item)
    return found

"""Look at the elements in and around an element, at a cost that a page with many such elements cannot multiply."""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import islice

from lxml import etree

# Elements that were climbed from, with what was found around each.
Known = dict[etree._Element, "etree._Element | None"]
_TEXT = etree.XPath("string()", smart_strings=False)


def few_nodes(element: etree._Element, most: int) -> list[etree._Element]:
    """Return an element and the nodes in it; nothing if these are more than ``most``, as further ones are not read."""
    nodes = list(islice(element.iter(), most + 1))
    return nodes if len(nodes) <= most else []


def text_of(nodes: Sequence[etree._Element]) -> str:
    """Return the text of an element, given its :func:`few_nodes`, without that of comments."""
    if len(nodes) < 2:  # as most: half the time
        return (nodes[0].text or "") if nodes else ""
    text: str = _TEXT(nodes[0])
    return text


def nearest(element: etree._Element | None, tags: Set[str], known: Known) -> etree._Element | None:
    """Return an element or its nearest ancestor with a tag in ``tags``. The search stops at ``known`` elements."""
    climbed = []
    while element is not None and element not in known:
        climbed.append(element)
        if element.tag in tags:
            known[element] = element
        else:
            element = element.getparent()
    found = None if element is None else known[element]
    known.update(dict.fromkeys(climbed, found))
    return found

"""Mark the nodes in which something may be hidden or ask for a choice: their elements are worth a look."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from lxml import etree

from scrapy_blockfilter.html.class_hints import CONTAINERS, GROUPS, LOOK

# Bits of hints before that of the mark.
FIRST_BIT = len(GROUPS) + len(CONTAINERS)
# The attributes that mark a node, as native code numbers them.
ATTRIBUTES = ("role", "hidden", "aria-hidden", "style", "aria-modal")
# Characters of a value that are read, and values remembered, of which a site has few.
_MOST_CHARACTERS, _REMEMBERED = 300, 2_000
_STYLES = ("display:none", "visibility:hidden", "position:fixed")
_MARKED_ELEMENTS = etree.XPath(f"descendant-or-self::*[{' or '.join(f'@{name}' for name in ATTRIBUTES)}]")


def mark_of(attribute: int, value: str) -> int:
    """Return the bit of an attribute's value, given its place in ``ATTRIBUTES``, or 0."""
    return LOOK if _is_marked(ATTRIBUTES[attribute], value[:_MOST_CHARACTERS].lower()) else 0


@lru_cache(_REMEMBERED)
def _is_marked(name: str, value: str) -> bool:
    if name == "role":
        return "dialog" in value
    if name == "style":
        style = value.replace(" ", "")
        return any(found in style for found in _STYLES)
    return name == "hidden" or value == "true"


def marks_of_nodes(
    elements: Sequence[etree._Element], element_parents: Sequence[int], ordinals: Sequence[int]
) -> list[int]:
    """Return the bit of each node, or 0: those of inline elements in it count; the root has none."""
    marks = [0] * len(ordinals)
    marked = _MARKED_ELEMENTS(elements[0])
    if not marked:
        return marks
    places = {element: place for place, element in enumerate(elements)}
    of_elements = dict(zip(ordinals, range(len(ordinals)), strict=True))
    around: list[int] = []
    for place, parent in enumerate(element_parents):
        around.append(of_elements.get(place, around[parent] if parent >= 0 else 0))
    for element in marked:
        node = around[places[element]]
        for attribute, name in enumerate(ATTRIBUTES):
            if node and (value := element.get(name)) is not None:
                marks[node] |= mark_of(attribute, value)
    return marks

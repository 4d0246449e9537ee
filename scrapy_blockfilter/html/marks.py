"""Find the elements that may be hidden, ask for a choice or be headings, as their attributes say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from lxml import etree

from scrapy_blockfilter.html.tags import OPAQUE

# The attributes that mark an element, as native code numbers them.
ATTRIBUTES = ("role", "hidden", "aria-hidden", "style", "aria-modal", "class")
# Characters of a value that are read, and values remembered, of which a site has few.
_MOST_CHARACTERS, _REMEMBERED = 300, 2_000
_LONGEST_WORD = 20
_STYLES = ("display:none", "visibility:hidden", "position:fixed")
# Elements without children hide nothing.
_MAY_BE_MARKED = etree.XPath(
    f"descendant::*[self::dialog or {' or '.join(f'@{name}' for name in ATTRIBUTES[:-1])} or contains(@class, 'fixed')]"
    "[node()]"
    f"[not(ancestor-or-self::*[{' or '.join(f'self::{tag}' for tag in sorted(OPAQUE))}])]"
)


def is_marked(attribute: int, value: str) -> bool:
    """Return whether an attribute's value marks its element, given the attribute's place in ``ATTRIBUTES``."""
    return _is_marked(ATTRIBUTES[attribute], value[:_MOST_CHARACTERS])


@lru_cache(_REMEMBERED)
def _is_marked(name: str, value: str) -> bool:
    if name == "class":
        return "fixed" in value
    value = value.lower()
    if name == "role":
        return "dialog" in value or value == "heading"
    if name == "style":
        return any(found in "".join(value.split()) for found in _STYLES)
    return name == "hidden" or value == "true"


def word_of(element: etree._Element, name: str, otherwise: str = "") -> str:
    """Return the start of an attribute whose words HTML compares in any case, in lower case."""
    return (element.get(name, otherwise) or "")[:_LONGEST_WORD].strip().lower()  # None of a comment


def marked_places(elements: Sequence[etree._Element]) -> Iterator[int]:
    """Yield the places of the marked elements but the root."""
    place = 0
    for element in _MAY_BE_MARKED(elements[0]):
        place = elements.index(element, place)
        values = enumerate(map(element.get, ATTRIBUTES))
        if element.tag == "dialog" or any(value is not None and is_marked(number, value) for number, value in values):
            yield place

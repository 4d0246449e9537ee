"""Marks of nodes by attributes for programs: what microdata, RDFa and ARIA say an element is, and whether it is shown.

They follow the hints of names, as bits. Like these they are weak evidence, and the site's own numbers overrule them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from lxml import etree

from scrapy_blockfilter.html.class_hints import CONTAINERS, GROUPS, LOOK, MARKS

# One bit per kind, behind those of the hints. Keep the order: the trained weights depend on it.
FIRST_BIT = len(GROUPS) + len(CONTAINERS)
_CONTENT, _FACTS, _MAIN, _AROUND, _HIDDEN, _OTHERS = (1 << FIRST_BIT + place for place in range(len(MARKS)))
# The attributes, as native code numbers them. From the fifth on they mark nothing but elements that divide text.
ATTRIBUTES = ("itemprop", "property", "itemtype", "typeof", "role", "hidden", "aria-hidden", "style", "aria-modal")
OF_NODES = 4
# Names in one attribute, and characters of it, that are read; and values remembered, of which a site has few.
_MOST_NAMES, _MOST_CHARACTERS, _REMEMBERED = 5, 300, 2_000


def _words(text: str) -> list[str]:
    return text.split()


_PROPERTIES = frozenset(
    _words(
        "articlebody text description headline name recipeingredient recipeinstructions ingredients price lowprice"
        " highprice pricecurrency offers brand sku mpn gtin13 model startdate enddate location address telephone"
        " jobtitle basesalary nutrition cooktime preptime totaltime recipeyield duration value additionalproperty"
        " acceptedanswer"
    )
)
_TYPES = {
    **dict.fromkeys(
        _words(
            "article newsarticle blogposting product recipe event jobposting person book movie question qapage faqpage"
            " howto discussionforumposting localbusiness course softwareapplication techarticle report offer"
            " aggregateoffer"
        ),
        _MAIN,
    ),
    **dict.fromkeys(
        _words(
            "breadcrumblist sitenavigationelement wpheader wpfooter wpsidebar website searchaction organization"
            " listitem"
        ),
        _AROUND,
    ),
    **dict.fromkeys(_words("review comment usercomments rating aggregaterating"), _OTHERS),
}
_ROLES = {
    **dict.fromkeys(("main", "article"), _MAIN),
    **dict.fromkeys(
        _words("navigation banner contentinfo complementary search dialog alertdialog menu menubar tablist toolbar"),
        _AROUND,
    ),
}
_MARKED_ELEMENTS = etree.XPath(f"descendant-or-self::*[{' or '.join(f'@{name}' for name in ATTRIBUTES)}]")


def mark_of(attribute: int, value: str) -> int:
    """Return the bits of an attribute's value, given its place in ``ATTRIBUTES``."""
    return _mark_of(ATTRIBUTES[attribute], value[:_MOST_CHARACTERS].lower())


@lru_cache(_REMEMBERED)
def _mark_of(name: str, value: str) -> int:
    if name in ("itemprop", "property"):
        return _joined(_CONTENT if of.rpartition(":")[2] in _PROPERTIES else _FACTS for of in _names(value))
    if name in ("itemtype", "typeof"):
        types = (of.rstrip("/").replace("#", "/").replace(":", "/").rpartition("/")[2] for of in _names(value))
        return _joined(_TYPES.get(of, _FACTS) for of in types)
    if name == "role":
        return _ROLES.get(value.strip(), 0) | (LOOK if "dialog" in value else 0)
    if name == "style":
        style = value.replace(" ", "")
        if "display:none" in style or "visibility:hidden" in style:
            return _HIDDEN | LOOK
        return LOOK if "position:fixed" in style else 0
    if name == "hidden" or value == "true":
        return LOOK if name == "aria-modal" else _HIDDEN | LOOK
    return 0


def marks_of_nodes(
    elements: Sequence[etree._Element], element_parents: Sequence[int], ordinals: Sequence[int]
) -> list[int]:
    """Return the bits of each node, those of inline elements in it included; none of the root."""
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
        place = places[element]
        for attribute, name in enumerate(ATTRIBUTES):
            if around[place] and (value := element.get(name)) is not None:
                is_of_node = attribute < OF_NODES or place in of_elements
                marks[around[place]] |= mark_of(attribute, value) & (-1 if is_of_node else LOOK)
    return marks


def _names(value: str) -> list[str]:
    return value.split()[:_MOST_NAMES]


def _joined(bits: Iterable[int]) -> int:
    found = 0
    for bit in bits:
        found |= bit
    return found

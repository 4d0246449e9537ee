"""Read microdata from a tree, as items like those of JSON-LD.

An element with ``itemscope`` is an item, and elements with ``itemprop`` below it are its properties (HTML standard,
section 5). ``itemref`` is not followed: few pages have it, and it can make an item part of itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from lxml import etree

from scrapy_blockfilter.html.json_ld import MAX_DEPTH, MAX_STRING, Budget, Item
from scrapy_blockfilter.html.permalinks import without_permalinks
from scrapy_blockfilter.html.tags import HEADINGS, OPAQUE, is_structural
from scrapy_blockfilter.text.block_text import BREAK, fold

# Elements with a property or an item that are read; lists of products have some hundreds.
MAX_ELEMENTS = 2_000
# Steps into and out of elements for texts of properties, nested ones twice: ten times those of pages with most.
_MAX_STEPS = 30_000
# Names in one ``itemprop``.
_MAX_NAMES = 5

_MARKED = etree.XPath("descendant-or-self::*[@itemscope or @itemprop]")
# Where the HTML standard has the value of a property, if it is not the text.
_VALUE_IN = {
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(("data", "meter"), "value"),
    "object": "data",
    "time": "datetime",
}

# Properties whose value is a name, though the HTML standard has the address of a link to what is named.
_NAMED = frozenset({"author", "brand", "creator", "editor", "headline", "manufacturer", "name", "publisher"})

# Properties of prices, and the start of a part of one that is its cents.
_PRICES, _CENTS = frozenset({"price", "lowPrice", "highPrice"}), re.compile(r"\d\d(?!\d)")

# An element's item or None, and the depth of what it may hold.
Owner = tuple[Item | None, int]


def read_microdata(root: etree._Element, budget: Budget) -> list[Item]:
    """Return the items of a page that have properties and are no property of another item."""
    outer: list[Item] = []
    owners: dict[etree._Element | None, Owner] = {None: (None, 0)}  # of what is within an element
    steps = iter(range(_MAX_STEPS))
    marked: Sequence[etree._Element] = _MARKED(root)
    budget.is_cut = budget.is_cut or len(marked) > MAX_ELEMENTS
    for element in marked[:MAX_ELEMENTS]:
        names = (element.get("itemprop") or "").split()[:_MAX_NAMES]
        owner, depth = _owner(element.getparent(), owners)
        is_item = element.get("itemscope") is not None
        if is_item:
            owners[element] = (None, 0)  # unless it is read
        if (owner is None and not is_item) or not budget.take():
            continue
        if is_item:
            if depth == MAX_DEPTH:
                budget.is_cut = True
                continue
            value: Any = _started(element, budget)
            owners[element] = value, depth + 1
            if owner is None or not names:
                outer.append(value)
                continue
        else:
            value = _value(element, names, budget, steps)
        if owner is not None:
            for name in names:
                _add(owner, budget.text(name), value)
    return [item for item in outer if item.keys() - {"@type", "@id"}]


def _owner(around: etree._Element | None, owners: dict[etree._Element | None, Owner]) -> Owner:
    """Return the item of what is in an element. All elements passed are known from then on: each is passed once."""
    passed = []
    while around not in owners:
        passed.append(around)
        around = None if around is None else around.getparent()
    owners.update(dict.fromkeys(passed, owners[around]))
    return owners[around]


def _started(element: etree._Element, budget: Budget) -> Item:
    """Return an item without its properties: the last part of its type, and its identifier."""
    names = (element.get("itemtype") or "").split()[:_MAX_NAMES]
    types = [name[:MAX_STRING].rstrip("/").replace("#", "/").rpartition("/")[2] for name in names]
    identifier = element.get("itemid")
    item: Item = {"@type": types[0] if len(types) == 1 else types} if types else {}
    return {**item, "@id": budget.text(identifier)} if identifier else item


def _value(element: etree._Element, names: Sequence[str], budget: Budget, steps: Iterator[int]) -> str:
    of_tag = _VALUE_IN.get(str(element.tag))
    names_it = element.tag == "a" and not _NAMED.isdisjoint(names) and _text(element, budget, steps)
    written = element.get("content") or names_it or (of_tag and element.get(of_tag))
    if written:
        return budget.text(written)
    text = _text(element, budget, steps, is_price=not _PRICES.isdisjoint(names))
    return budget.text(without_permalinks(text, element) if element.tag in HEADINGS else text)


def _text(element: etree._Element, budget: Budget, steps: Iterator[int], *, is_price: bool = False) -> str:
    """Return the start of an element's text, a line for each box in it. Whole texts would take quadratic time.

    So would counting texts in place of nodes, and lxml's ``itertext``, in comments behind each other. Cents in an
    element of their own get the decimal mark that a price lacks.
    """
    pieces = list[str]()
    characters = 0
    walk = etree.iterwalk(element, events=("start", "end", "comment", "pi"))
    for _, (event, node) in zip(steps, walk, strict=False):
        if event == "start" and node.tag in OPAQUE:
            walk.skip_subtree()
            continue
        piece = (node.text if event == "start" else node.tail if node is not element else "") or ""
        ends_line = node.tag == "br" or (node is not element and is_structural(str(node.tag)))
        if is_price and event == "start" and pieces and pieces[-1][-1:].isdecimal() and _CENTS.match(piece):
            ends_line, piece = False, ("," if "." in pieces[-1] else ".") + piece
        pieces += filter(None, ((BREAK if ends_line else "") + piece[:MAX_STRING],))
        characters += len(piece)
        if characters > MAX_STRING:
            break
    budget.is_cut = budget.is_cut or next(steps, None) is None
    return "\n".join(filter(None, map(fold, "".join(pieces).split(BREAK))))


def _add(item: Item, name: str, value: Any) -> None:
    if name not in item:
        item[name] = value
    elif isinstance(item[name], list):
        item[name].append(value)
    else:
        item[name] = [item[name], value]

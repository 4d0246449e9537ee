"""Turn code that a page shows without a PRE into a PRE, and drop the numbers of its lines.

Such code is lines in a table, a list or boxes, or text that keeps its spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from itertools import islice

from lxml import etree

from scrapy_blockfilter.html.listings import (
    ARRANGING,
    OTHERS,
    boxes_in,
    code_in,
    is_in_pre,
    may_be_code,
    pre_before,
)

GONE = "GONE"  # the parser writes names in lower case

_KEEPS_SPACES = re.compile(r"\bwhite-space\s*:\s*pre\s*(?:;|!|\Z)")
_KEEPING = ("code", "samp", "kbd", "div", "p", "span", "td")
_INLINE = frozenset({"a", "b", "br", "code", "em", "font", "i", "kbd", "mark", "samp", "small", "span", "strong", "u"})
# Elements around a part of code, up to its PRE.
_LEVELS = 6
_GUTTERS = frozenset(
    [
        *("gutter", "linenos", "lineno", "linenums", "linenumber", "linenumbers", "line-number", "line-numbers"),
        *("rouge-gutter", "hljs-ln-numbers", "react-syntax-highlighter-line-number"),
    ]
)
# Names that numbers of lines share with other things: they count within code.
_GUTTERS_OF_CODE = frozenset({"lnt", "ln"})
_NOT_SELECTED = re.compile(r"\buser-select\s*:\s*none\b")
_NUMBERS = re.compile(r"[\d\s]*")


def plain_listings(root: etree._Element) -> bool:
    """Change a tree so that each listing is a PRE with its lines, and return whether any were others."""
    has_others = False
    seen: set[etree._Element] = set()
    for listing in list(root.iter(*ARRANGING)):
        if listing not in seen and may_be_code(listing):
            seen.update(nodes := list(listing.iter()))
            if (text := code_in(listing, nodes)) is not None:
                _replace(listing, text)
                has_others = True
    for element in root.iter(*_KEEPING):
        style = element.get("style")
        if style and _KEEPS_SPACES.search(style) and _has_lines(element) and not is_in_pre(element):
            element.tag, has_others = "pre", True
    for element in root.iter("code"):
        if len(element) and element not in seen and boxes_in(element) and not is_in_pre(element):
            seen.update(nodes := list(element.iter()))
            if all(node.tag not in OTHERS for node in nodes):
                element.tag, has_others = "pre", True
    return has_others


def _replace(listing: etree._Element, text: str) -> None:
    tail, classes = listing.tail, listing.get("class", "")
    if (before := pre_before(listing)) is not None:
        before.tag, classes = GONE, before.get("class", classes)
    listing.clear()
    listing.tag, listing.text, listing.tail = "pre", text, tail
    if classes:
        listing.set("class", classes)


def _has_lines(element: etree._Element) -> bool:
    """Return whether an element has lines of text, or boxes for lines, and nothing else that a page shows as a box."""
    if all(child.tag == "div" for child in element) and len(element) > 1:
        return True
    if any(child.tag not in _INLINE for child in element):
        return False
    texts = [element.text, *(text for child in element for text in (child.text, child.tail))]
    return any("\n" in text.strip() for text in texts if text)


def drop_gutters(root: etree._Element) -> None:
    """Mark the numbers of lines as gone."""
    near = {part for code in root.iter("pre") for part in (code, *islice(code.iterancestors(), 2))}
    gutters = set(filter(_is_gutter, near))
    others = filter(_is_gutter, root.iter("span", "i", "a", "td", "div"))
    gutters.update(part for part in others if not len(part) or is_in_pre(part))
    if gutters:
        for part in list(_with_numbers_alone(root, gutters)):
            part.tag = GONE


def _is_gutter(element: etree._Element) -> bool:
    names = element.keys()
    classes = element.get("class", "").split() if "class" in names else []
    if not _GUTTERS.isdisjoint(classes):
        return True
    is_like_one = (
        not _GUTTERS_OF_CODE.isdisjoint(classes)
        or "data-line-number" in names
        or ("style" in names and _NOT_SELECTED.search(element.get("style", "")) is not None)
    )
    return is_like_one and any(around.tag in ("pre", "code") for around in islice(element.iterancestors(), _LEVELS))


def _with_numbers_alone(root: etree._Element, parts: Set[etree._Element]) -> Iterator[etree._Element]:
    """Yield those of some parts of a tree that have no other text than numbers, in one walk for all."""
    opened: list[etree._Element] = []
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if event == "start" and element in parts:
            opened.append(element)
        elif opened and opened[-1] is element:
            yield opened.pop()
        if opened and not _NUMBERS.fullmatch((element.text if event == "start" else element.tail) or ""):
            opened.clear()

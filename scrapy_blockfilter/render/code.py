"""Turn code that a page shows without a PRE into a PRE: lines in a table or a list, and text that keeps its spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from scrapy_blockfilter.html.tags import CELLS

# Classes that a page with such tables and lists has, and the style of other code.
CODE_CLASSES, LINENUMS = ("blob-code", "ln-code", "code-line", "line-code"), "linenums"
KEEPS_SPACES = re.compile(r"""style=["'][^"'<>]{0,300}?white-space\s*:\s*pre\s*[;"'!]""")
_KEEPS_SPACES = re.compile(r"\bwhite-space\s*:\s*pre\s*(?:;|!|\Z)")
_KEEPING = ("code", "samp", "kbd", "div", "p", "span", "td")
_INLINE = frozenset({"a", "b", "br", "code", "em", "font", "i", "kbd", "mark", "samp", "small", "span", "strong", "u"})
# Classes of cells with a line of code, and of lists whose items are lines.
_LINE = re.compile(r"(?:^|[\s_-])(?:blob-code|hljs-ln-code|ln-code|code-line|line-code)(?:$|[\s_-])")
# Nodes of a table up to its first row: TBODY, CAPTION, COLs.
_FIRST_NODES = 20
# Cells of a row: that with the number, and that with the line.
_MOST_CELLS = 2
# Elements around a part of code, up to its PRE.
_LEVELS = 6
_LISTINGS = ("table", "ol", "ul")


def with_pre(root: etree._Element) -> None:
    """Change a tree so that each listing is a PRE with its lines."""
    seen: set[etree._Element] = set()
    for listing in list(root.iter(*_LISTINGS)):
        if listing not in seen and _may_be_code(listing):
            nodes = list(listing.iter())
            listings = {node for node in nodes if node.tag in _LISTINGS}
            seen |= listings
            lines = list(_lines_of(listing, nodes)) if len(listings) == 1 else [None]
            if all(line is not None for line in lines):
                _replace(listing, "\n".join(line or "" for line in lines))
    for element in root.iter(*_KEEPING):
        if _KEEPS_SPACES.search(element.get("style", "")) and _has_lines(element) and not _is_in_pre(element):
            element.tag = "pre"


def _may_be_code(listing: etree._Element) -> bool:
    if listing.tag == "table":
        first = next((node for node in islice(listing.iter(), _FIRST_NODES) if node.tag == "tr"), None)
        return first is not None and any(map(_is_line, islice(first.iterchildren(*CELLS), _MOST_CELLS)))
    return LINENUMS in listing.get("class", "").split() and not _is_in_pre(listing)


def _lines_of(listing: etree._Element, nodes: list[etree._Element]) -> Iterator[str | None]:
    """Yield the lines of a listing, None for a row or an item that has none."""
    if listing.tag != "table":
        for child in listing.iterchildren("*"):
            yield _text_of(child) if child.tag == "li" else None
        return
    for row in (node for node in nodes if node.tag == "tr"):
        cells = list(islice(row.iterchildren(*CELLS), _MOST_CELLS + 1))
        lines = [cell for cell in cells if _is_line(cell)]
        yield _text_of(lines[0]) if len(lines) == 1 and len(cells) <= _MOST_CELLS else None


def _is_line(cell: etree._Element) -> bool:
    return _LINE.search(cell.get("class", "")) is not None


def _text_of(line: etree._Element) -> str:
    return "".join(line.itertext(etree.Element, etree.Entity)).strip("\r\n")


def _replace(listing: etree._Element, text: str) -> None:
    tail, classes = listing.tail, listing.get("class", "")
    listing.clear()
    listing.tag, listing.text, listing.tail = "pre", text, tail
    if classes:
        listing.set("class", classes)


def _has_lines(element: etree._Element) -> bool:
    """Return whether an element has lines of text, and nothing in it that a page shows as a box of its own."""
    if any(child.tag not in _INLINE for child in element):
        return False
    texts = [element.text, *(text for child in element for text in (child.text, child.tail))]
    return any("\n" in text.strip() for text in texts if text)


def _is_in_pre(element: etree._Element) -> bool:
    return any(around.tag == "pre" for around in islice(element.iterancestors(), _LEVELS))

"""A page written again without its stripped blocks.

An element goes whole where every block in it is stripped; where only some are, their text nodes go and what is kept
stays as it was, byte for byte of its markup.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence

from lxml import etree

from scrapy_blockfilter.html.page import TAIL, TEXT, Page

_DOCUMENT = re.compile(r"(?i)<(?:!doctype|html|head|body|frameset)[\s>]")
_HEAD_CHARACTERS = 4096


def is_document(text: str) -> bool:
    """Whether HTML is a whole document, by its first tags, rather than a fragment of one.

    >>> is_document("<!DOCTYPE html><p>a"), is_document("<p>a</p>")
    (True, False)
    """
    return bool(_DOCUMENT.search(text[:_HEAD_CHARACTERS]))


def render_text(page: Page, keep: Sequence[bool]) -> str:
    """The text of the kept blocks, a line a block (more for ``<br>`` and ``<pre>``); the TITLE is left out."""
    tags = page.structure.tags
    lines = (block.text for block, kept in zip(page.blocks, keep, strict=True) if kept and tags[block.node] != "title")
    return "\n".join(line for line in lines if line)


def render_html(page: Page, keep: Sequence[bool], source: str) -> str:
    """The page as HTML without the blocks that ``keep`` does not keep. Works on a copy of the tree.

    Args:
        source: the HTML that the page was parsed from, which tells a document from a fragment.
    """
    assert page.root is not None
    document = copy.deepcopy(page.root.getroottree())
    root = document.getroot()
    _strip(page, keep, list(root.iter()))
    if not page.whole:
        return "".join(_inner(section) for section in root)
    # libxml2 gives a document without a DOCTYPE one of its own.
    named = document if "<!doctype" in source[:_HEAD_CHARACTERS].lower() else root
    return etree.tostring(named, encoding="unicode", method="html", with_tail=False)


def _inner(element: etree._Element) -> str:
    if element.tag not in ("head", "body"):
        return etree.tostring(element, encoding="unicode", method="html")
    children = "".join(etree.tostring(child, encoding="unicode", method="html") for child in element)
    return f"{_escaped(element.text)}{children}{_escaped(element.tail)}"


def _escaped(text: str | None) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") if text else ""


def _strip(page: Page, keep: Sequence[bool], elements: list[etree._Element]) -> None:
    parents = page.element_parents
    total = [0] * len(parents)
    stripped = [0] * len(parents)
    tags = page.structure.tags
    stray = []
    for block, kept in zip(page.blocks, keep, strict=True):
        kept = kept or tags[block.node] == "title"  # a document keeps its name
        for piece in block.pieces:
            element = piece >> 2
            owner = parents[element] if piece & 3 == TAIL else element
            total[owner] += 1
            if not kept:
                stripped[owner] += 1
                stray.append((element, piece & 3, owner))
    for ordinal in range(len(parents) - 1, 0, -1):
        parent = parents[ordinal]
        total[parent] += total[ordinal]
        stripped[parent] += stripped[ordinal]
    gone = [False] * len(parents)
    for ordinal in range(1, len(parents)):
        gone[ordinal] = gone[parents[ordinal]] or (stripped[ordinal] > 0 and stripped[ordinal] == total[ordinal])
    for element, kind, owner in stray:
        if not gone[owner]:
            if kind == TAIL:
                elements[element].tail = None
            elif kind == TEXT:
                elements[element].text = None
    for ordinal in range(1, len(parents)):
        if gone[ordinal] and not gone[parents[ordinal]]:
            _remove(elements[ordinal])


def _remove(element: etree._Element) -> None:
    """Take an element out of its tree; the text behind it stays."""
    parent = element.getparent()
    if parent is None or element.tag in ("head", "body"):
        element.clear(keep_tail=True)
        return
    tail = element.tail
    if tail:
        previous = element.getprevious()
        if previous is None:
            parent.text = (parent.text or "") + tail
        else:
            previous.tail = (previous.tail or "") + tail
    parent.remove(element)

"""Write a page as HTML without its stripped blocks.

An element with only stripped blocks is removed whole. Elsewhere the text nodes of stripped blocks are removed, and the
rest keeps its markup byte for byte.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from lxml import etree

from scrapy_blockfilter.html.page import TAIL, TEXT, Page
from scrapy_blockfilter.html.parse import outermost_tag, start_without_comments
from scrapy_blockfilter.html.raw import hide_raw_text
from scrapy_blockfilter.html.tags import is_structural

_DOCTYPE = re.compile(r"(?i)<!doctype[^>]*>")
_SKIPPED = " \t\n\f\r\ufeff"  # at the start of a page
_GONE = "GONE"  # the parser writes names in lower case


def render_html(page: Page, keep: Sequence[bool], source: str) -> str:
    """Return the page as HTML with only the blocks that ``keep`` marks. Changes the tree, so it works once per page.

    Args:
        source: the HTML that the page was parsed from: a document, a fragment, or a HEAD or BODY alone.
    """
    root = page.release_tree()
    _strip(page, page.of_chunks(keep))
    _end_empty_items(root)
    show_raw_text = hide_raw_text([page.elements[ordinal] for ordinal in page.raw], source)
    return show_raw_text(_write(root, source))


def _write(root: etree._Element, source: str) -> str:
    outermost = outermost_tag(source)
    before = [_outer(node) for node in root.itersiblings(preceding=True)]
    after = [_outer(node) for node in root.itersiblings()]
    if outermost in ("!doctype", "html"):
        doctype = _DOCTYPE.search(start_without_comments(source)) if outermost == "!doctype" else None
        return "".join((f"{doctype[0]}\n" if doctype else "", *reversed(before), _outer(root), *after))
    write = _outer if outermost else _inner
    return "".join((*reversed(before), *map(write, root), *after)).lstrip(_SKIPPED)


def _outer(element: etree._Element) -> str:
    return etree.tostring(element, encoding="unicode", method="html")


def _inner(element: etree._Element) -> str:
    if element.tag not in ("head", "body"):
        return _outer(element)
    # Without the end tag, text after BODY would join the text in it.
    end = "</body>" if element.tail and not element.tail.isspace() else ""
    return f"{_escaped(element.text)}{''.join(map(_outer, element))}{end}{_escaped(element.tail)}"


def _escaped(text: str | None) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") if text else ""


def _strip(page: Page, keep: Sequence[bool]) -> None:
    elements = page.elements
    parents = page.element_parents
    pieces = page.pieces
    tags = page.structure.tags
    staying = bytearray(len(parents))  # elements that contain something kept
    staying[0] = True
    stripped = []
    for block, kept in zip(page.chunks, keep, strict=True):
        if kept or tags[block.node] == "title":  # a document keeps its TITLE
            for piece in pieces[block.piece_start : block.piece_end]:
                ordinal = parents[piece >> 2] if piece & 3 == TAIL else piece >> 2
                while not staying[ordinal]:
                    staying[ordinal] = True
                    ordinal = parents[ordinal]
        else:
            stripped.append(block)
    going = bytearray(len(parents))  # elements with only stripped blocks
    outermost = []
    for block in stripped:
        for piece in pieces[block.piece_start : block.piece_end]:
            element, kind = piece >> 2, piece & 3
            ordinal = parents[element] if kind == TAIL else element
            if staying[ordinal]:
                if kind == TAIL:
                    elements[element].tail = None
                elif kind == TEXT:
                    elements[element].text = None
            while not (staying[ordinal] or going[ordinal]):
                going[ordinal] = True
                if staying[parents[ordinal]]:
                    outermost.append(ordinal)
                ordinal = parents[ordinal]
    dividing = _dividing(page, keep, outermost)
    for ordinal in outermost:
        if ordinal in dividing:
            _put_empty(elements[ordinal])
        _mark_gone(elements[ordinal])
    # One call removes all, and leaves the text after each in place. Moving that text would fail on control characters,
    # and would take quadratic time.
    etree.strip_elements(elements[0], _GONE, with_tail=False)


def _dividing(page: Page, keep: Sequence[bool], ordinals: Sequence[int]) -> set[int]:
    """Return those structural elements whose removal would join kept text.

    This can happen in an element with several kept blocks of its own. It can also happen in an inline element, which
    ends a block only as long as it contains a structural element.
    """
    tags = page.structure.tags
    parents = page.element_parents
    nodes = {ordinal: node for node, ordinal in enumerate(page.ordinals)}
    kept = Counter([chunk.node for chunk, kept in zip(page.chunks, keep, strict=True) if kept])
    return {
        ordinal
        for ordinal in ordinals
        if ordinal in nodes
        and (around := nodes.get(parents[ordinal], -1)) >= 0
        and (kept[around] > 1 or not is_structural(tags[around]))
    }


def _put_empty(element: etree._Element) -> None:
    """Put an empty structural element before it, with its own tag or that of a structural element inside."""
    tag = next((str(inner.tag) for inner in element.iter(etree.Element) if is_structural(str(inner.tag))), "div")
    try:
        empty = element.makeelement("div" if tag == "plaintext" else tag)  # PLAINTEXT has no end tag
    except ValueError:  # the parser accepts names that lxml refuses for new elements: <a"b-c>
        empty = element.makeelement("div")
    element.addprevious(empty)


def _end_empty_items(root: etree._Element) -> None:
    """Make libxml2 write the end tags of empty LIs. Without one, the text after an LI would move into it."""
    for item in root.iter("li"):
        if item.text is None and not len(item):
            item.text = ""


def _mark_gone(element: etree._Element) -> None:
    if element.getparent() is None or element.tag in ("head", "body"):
        element.clear(keep_tail=True)
    else:
        element.tag = _GONE

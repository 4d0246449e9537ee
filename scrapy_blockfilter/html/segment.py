"""One linear walk over a tree: text nodes are gathered to blocks, structural tags end a block.

The text between two structural tags is one block (Ma et al. 2003, section 3: the text chunk), so that every other
way to divide a page (by tables, by an ordered tag set, by a block tree) is a grouping of these blocks.
"""

from __future__ import annotations

import re

from lxml import etree

from scrapy_blockfilter.html.images import image_words
from scrapy_blockfilter.html.page import IMAGE, TAIL, TEXT, Block, Counts, Page, Structure
from scrapy_blockfilter.html.parse import MAX_DEPTH, MAX_ELEMENTS, UnfitPage
from scrapy_blockfilter.html.tags import CONTROLS, OPAQUE, STRUCTURAL
from scrapy_blockfilter.terms import TermMaker

_BREAK = "\x01"  # stands for <br> until white space is folded; libxml2 lets no control character through
_BREAKS = re.compile(rf" ?{_BREAK} ?")
_NO_COUNTS = Counts()
_COUNTED = frozenset({"a", "br", "img", "option"}) | CONTROLS


def segment(root: etree._Element, terms: TermMaker, *, whole: bool = True) -> Page:
    """Segment the tree under ``root``, which is left as it is.

    Args:
        root: the ``<html>`` element.
        terms: makes the features of the blocks when they are asked for.
        whole: False where the tree was made from a fragment of a page.

    Raises:
        UnfitPage: the tree is deeper than ``MAX_DEPTH`` (libxml2 has dropped the rest) or has more elements than
            ``MAX_ELEMENTS``.
    """
    page = Page(root, terms, whole=whole)
    page.declared_language = _declared_language(root)
    nodes = _Nodes()
    run = _Run(page, nodes)
    parents = page.element_parents
    stack: list[_Open] = []
    opaque = 0  # how many of the open elements are opaque or inside one that is
    current: _Open | None = None
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if event == "start":
            tag = str(element.tag)
            ordinal = len(parents)
            parents.append(current.ordinal if current else -1)
            if ordinal >= MAX_ELEMENTS:
                raise UnfitPage("too_many_elements", f"the page has more than {MAX_ELEMENTS:,} elements")
            if len(stack) >= MAX_DEPTH:
                raise UnfitPage("too_deep", f"elements are nested {MAX_DEPTH:,} deep or more")
            opened = _Open(element, ordinal, current.node if current else -1)
            if opaque or tag in OPAQUE:
                opaque += 1
                run.scripts += tag == "script"
            else:
                if tag in STRUCTURAL or "-" in tag or not stack:
                    run.end(opened.node)
                    if current and not current.is_structural:
                        nodes.promote(stack)
                    opened.node = nodes.add(element, current.node if current else -1)
                    opened.is_structural = True
                if tag in _COUNTED:
                    run.enter(opened, tag)
                text = element.text
                if text:
                    run.add(text, ordinal << 2 | TEXT)
            stack.append(opened)
            current = opened
            continue
        if event == "end":
            closed = stack.pop()
            current = stack[-1] if stack else None
            ordinal = closed.ordinal
            if opaque:
                opaque -= 1
            elif closed.is_structural:
                run.end(closed.node)
            run.link_depth -= closed.is_link
        else:
            ordinal = len(parents)
            parents.append(current.ordinal if current else -1)
        if current and not opaque:
            tail = element.tail
            if tail:
                run.add(tail, ordinal << 2 | TAIL)
    page.structure = Structure(nodes.tags, nodes.parents)
    page.elements = nodes.elements
    return page


def _declared_language(root: etree._Element) -> str:
    declared = root.get("lang") or root.get("xml:lang") or ""
    return re.split(r"[-_]", declared.strip().lower(), maxsplit=1)[0]


class _Open:
    """An open element: an entry of the walk's stack."""

    __slots__ = ("element", "is_link", "is_structural", "node", "ordinal")

    def __init__(self, element: etree._Element, ordinal: int, node: int) -> None:
        self.element = element
        self.ordinal = ordinal
        self.node = node
        self.is_structural = False
        self.is_link = False


class _Nodes:
    """The structural elements found so far."""

    def __init__(self) -> None:
        self.tags: list[str] = []
        self.parents: list[int] = []
        self.elements: list[etree._Element] = []

    def add(self, element: etree._Element, parent: int) -> int:
        self.tags.append(str(element.tag))
        self.parents.append(parent)
        self.elements.append(element)
        return len(self.tags) - 1

    def promote(self, stack: list[_Open]) -> None:
        """Make the inline elements at the end of ``stack`` structural: one with a structural child acts as one."""
        first = len(stack)
        while first and not stack[first - 1].is_structural:
            first -= 1
        for position in range(first, len(stack)):
            opened = stack[position]
            opened.node = self.add(opened.element, stack[position - 1].node if position else -1)
            opened.is_structural = True


class _Run:
    """The text gathered since the last structural tag, the block to be."""

    def __init__(self, page: Page, nodes: _Nodes) -> None:
        self.page = page
        self.nodes = nodes
        self.link_depth = 0
        self._start()

    def _start(self) -> None:
        self.parts: list[str] = []
        self.pieces: list[int] = []
        self.images: list[str] = []
        self.link_chars = self.image_count = self.links = self.scripts = self.controls = 0

    def add(self, text: str, piece: int) -> None:
        if text.isspace():
            if self.parts:
                self.parts.append(" ")
            return
        self.parts.append(text)
        self.pieces.append(piece)
        if self.link_depth:
            self.link_chars += len(text)

    def enter(self, opened: _Open, tag: str) -> None:
        element = opened.element
        if tag == "a":
            if element.get("href") is not None:
                opened.is_link = True
                self.link_depth += 1
                self.links += 1
        elif tag == "br":
            self.parts.append(_BREAK)
        elif tag == "img":
            self.image_count += 1
            words = image_words(element.get("src", ""), element.get("alt", ""))
            if words:
                self.images.append(words)
                self.pieces.append(opened.ordinal << 2 | IMAGE)
        elif tag == "option":
            self.parts.append(" ")
        else:
            self.controls += 1

    def end(self, node: int) -> None:
        """Make a block of what was gathered, if there is any text or image in it, and start anew."""
        if self.pieces:
            nodes = self.nodes
            text = self._text(preformatted=nodes.tags[node] == "pre")
            counts = (self.image_count, self.links, self.scripts, self.controls)
            self.page.blocks.append(
                Block(
                    self.page,
                    text,
                    tuple(self.images),
                    node,
                    min(self.link_chars, len(text)),
                    Counts(*counts) if any(counts) else _NO_COUNTS,
                    tuple(self.pieces),
                )
            )
            self._start()
        elif self.parts or self.image_count or self.links or self.scripts or self.controls:
            self._start()

    def _text(self, *, preformatted: bool) -> str:
        text = "".join(self.parts)
        if preformatted:
            return text.replace(_BREAK, "\n").strip("\n")
        folded = " ".join(text.split())
        return _BREAKS.sub("\n", folded).strip() if _BREAK in folded else folded

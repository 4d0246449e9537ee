"""One linear walk over a tree: text nodes are gathered to blocks, structural tags end a block.

The text between two structural tags is one block (Ma et al. 2003, section 3: the text chunk), so that every other
way to divide a page (by tables, by an ordered tag set, by a block tree) is a grouping of these blocks.
"""

from __future__ import annotations

import re

from lxml import etree

from scrapy_blockfilter.html.images import image_words
from scrapy_blockfilter.html.page import IMAGE, TAIL, TEXT, Block, Counts, Page, Structure, block_key, fold
from scrapy_blockfilter.html.parse import MAX_DEPTH, MAX_ELEMENTS, UnfitPage
from scrapy_blockfilter.html.tags import CONTROLS, OPAQUE, STRUCTURAL
from scrapy_blockfilter.terms import TermMaker

_BREAK = "\x00"  # stands for <br> until white space is folded; the one character that no text node can hold
_BREAKS = re.compile(rf" ?{_BREAK} ?")
_NO_COUNTS = Counts()

# What a tag does to the text: nothing, count as a feature of it, end a block, or hide what is inside.
_INLINE, _COUNTED, _STRUCTURAL, _OPAQUE = range(4)
_IMAGES, _LINKS, _SCRIPTS, _CONTROLS = range(4)
_KINDS = {
    **dict.fromkeys({"a", "br", "img", "option"} | CONTROLS, _COUNTED),
    **dict.fromkeys(STRUCTURAL, _STRUCTURAL),
    **dict.fromkeys(OPAQUE, _OPAQUE),
}


def segment(root: etree._Element, terms: TermMaker, *, whole: bool = True) -> Page:
    """Segment the tree under ``root``.

    Args:
        root: the ``<html>`` element of a tree that is the page's own from here on: rendering takes it apart.
        terms: makes the features of the blocks when they are asked for.
        whole: False where the tree was made from a fragment of a page.

    Raises:
        UnfitPage: the tree is deeper than ``MAX_DEPTH`` (libxml2 has dropped the rest) or has more elements than
            ``MAX_ELEMENTS``.
    """
    page = Page(root, terms, whole=whole)
    page.declared_language = _declared_language(root)
    walk = _Walk(page)
    walk.run(root)
    page.structure = Structure(walk.tags, walk.parents)
    page.ordinals = walk.ordinals
    return page


def _declared_language(root: etree._Element) -> str:
    declared = root.get("lang") or root.get("xml:lang") or ""
    return re.split(r"[-_]", declared.strip().lower(), maxsplit=1)[0]


class _Open:
    """An open element that has children: an entry of the walk's stack."""

    __slots__ = ("element", "is_link", "kind", "node", "ordinal")

    def __init__(self, element: etree._Element, ordinal: int, kind: int, node: int, is_link: bool) -> None:
        self.element = element
        self.ordinal = ordinal
        self.kind = kind
        self.node = node
        self.is_link = is_link


class _Walk:
    """The structural elements found so far, and the run of text since the last structural tag, the block to be."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.tags: list[str] = []
        self.parents: list[int] = []
        self.ordinals: list[int] = []
        self.parts: list[str] = []
        self.pieces: list[int] = []
        self.images: list[str] = []
        self.counts = [0, 0, 0, 0]
        self.link_depth = self.link_chars = 0

    def run(self, root: etree._Element) -> None:
        """Go through the elements in document order. One is closed when the next turns out to lie outside of it, one
        without children at once."""
        parts, add_text, kinds = self.parts, self.add_text, _KINDS
        elements, element_parents = self.page.elements, self.page.element_parents
        elements.append(root)
        element_parents.append(-1)
        current = _Open(root, 0, _STRUCTURAL, self.add_node(root, str(root.tag), -1, 0), is_link=False)
        stack = [current]
        if root.text:
            add_text(root.text, TEXT)
        for element in root.iterdescendants():
            around = element.getparent()
            while current.element is not around:
                current = self.close(stack)
            ordinal = len(element_parents)
            if ordinal >= MAX_ELEMENTS:
                raise UnfitPage("too_many_elements", f"the page has more than {MAX_ELEMENTS:,} elements")
            elements.append(element)
            element_parents.append(current.ordinal)
            tag = element.tag
            node = current.node
            is_link = False
            if current.kind == _OPAQUE or type(tag) is not str:  # of a comment, only what is behind it counts
                kind = _OPAQUE
            else:
                kind = kinds.get(tag, _INLINE)
                if kind == _STRUCTURAL or (kind == _INLINE and "-" in tag):
                    kind = _STRUCTURAL
                    if parts:
                        self.end_run(node)
                    if current.kind != _STRUCTURAL:
                        self.promote(stack)
                    node = self.add_node(element, tag, current.node, ordinal)
                    if tag in CONTROLS:
                        self.count(element, tag, ordinal)
                elif kind == _COUNTED:
                    is_link = self.count(element, tag, ordinal)
                elif kind == _OPAQUE:
                    self.count_script(tag)
                if kind != _OPAQUE:
                    text = element.text
                    if text:
                        add_text(text, ordinal << 2 | TEXT)
            if len(element):
                current = _Open(element, ordinal, kind, node, is_link)
                stack.append(current)
                if len(stack) > MAX_DEPTH:
                    raise UnfitPage("too_deep", f"elements are nested {MAX_DEPTH:,} deep or more")
                continue
            if kind == _STRUCTURAL and parts:
                self.end_run(node)
            if is_link:
                self.link_depth -= 1
            if current.kind != _OPAQUE:
                tail = element.tail
                if tail:
                    add_text(tail, ordinal << 2 | TAIL)
        while len(stack) > 1:
            self.close(stack)
        self.end_run(0)

    def close(self, stack: list[_Open]) -> _Open:
        """Take in the end tag of the innermost open element and the text behind it; gives the element around it."""
        closed = stack.pop()
        current = stack[-1]
        if closed.kind == _STRUCTURAL and self.parts:
            self.end_run(closed.node)
        self.link_depth -= closed.is_link
        if current.kind != _OPAQUE:
            tail = closed.element.tail
            if tail:
                self.add_text(tail, closed.ordinal << 2 | TAIL)
        return current

    def add_text(self, text: str, piece: int) -> None:
        if not text.isspace():
            self.parts.append(text)
            self.pieces.append(piece)
            if self.link_depth:
                self.link_chars += len(text)
        elif self.parts or self.tags[-1] == "pre":
            self.parts.append(text)

    def add_node(self, element: etree._Element, tag: str, parent: int, ordinal: int) -> int:
        self.tags.append(tag)
        self.parents.append(parent)
        self.ordinals.append(ordinal)
        return len(self.tags) - 1

    def promote(self, stack: list[_Open]) -> None:
        """Make the inline elements at the end of ``stack`` structural: one with a structural child acts as one."""
        first = len(stack)
        while stack[first - 1].kind != _STRUCTURAL:
            first -= 1
        for opened, around in zip(stack[first:], stack[first - 1 :], strict=False):
            opened.node = self.add_node(opened.element, str(opened.element.tag), around.node, opened.ordinal)
            opened.kind = _STRUCTURAL

    def count(self, element: etree._Element, tag: str, ordinal: int) -> bool:
        """Count an inline element; True if it is a link, and open until its end tag."""
        part = ""  # so that the run is not empty, and the count ends with it
        if tag == "a":
            if element.get("href") is None:
                return False
            self.counts[_LINKS] += 1
            self.link_depth += 1
        elif tag == "br":
            part = _BREAK
        elif tag == "option":
            part = " "
        elif tag == "img":
            self.counts[_IMAGES] += 1
            words = image_words(element.get("src", ""), element.get("alt", ""))
            if words:
                self.images.append(words)
                self.pieces.append(ordinal << 2 | IMAGE)
        else:
            self.counts[_CONTROLS] += 1
        self.parts.append(part)
        return tag == "a"

    def count_script(self, tag: str) -> None:
        if tag == "script":
            self.counts[_SCRIPTS] += 1
            self.parts.append("")

    def end_run(self, node: int) -> None:
        """Make a block of the run, if there is any text or image in it, and start a new one."""
        if self.pieces:
            text = "".join(self.parts)
            folded = fold(text)
            if self.tags[node] == "pre":
                text = text.replace(_BREAK, "\n").strip("\n")
            elif _BREAK in folded:
                text = _BREAKS.sub("\n", folded).strip()
            else:
                text = folded
            if _BREAK in folded:
                folded = fold(folded.replace(_BREAK, " "))
            self.page.blocks.append(
                Block(
                    self.page,
                    text,
                    block_key(folded, self.images),
                    tuple(self.images),
                    node,
                    min(self.link_chars, len(text)),
                    Counts(*self.counts) if any(self.counts) else _NO_COUNTS,
                    tuple(self.pieces),
                )
            )
            self.pieces.clear()
            self.images.clear()
            self.link_chars = 0
        self.parts.clear()
        self.counts[:] = _NO_COUNTS

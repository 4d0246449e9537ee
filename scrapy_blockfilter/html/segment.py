"""One linear walk over a tree: text nodes are gathered to blocks, structural tags end a block.

The text between two structural tags is one block (Ma et al. 2003, section 3: the text chunk), so that every other
way to divide a page (by tables, by an ordered tag set, by a block tree) is a grouping of these blocks.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any

from lxml import etree

from scrapy_blockfilter.html.images import image_words
from scrapy_blockfilter.html.page import IMAGE, TAIL, TEXT, Block, Counts, Page, Structure, block_key, fold
from scrapy_blockfilter.html.parse import MAX_DEPTH, MAX_ELEMENTS, UnfitPage
from scrapy_blockfilter.html.tags import CONTROLS, OPAQUE, STRUCTURAL

if TYPE_CHECKING:
    from scrapy_blockfilter.terms import TermMaker

_BREAK = "\x00"  # stands for <br> until white space is folded; the one character that no text node can hold
_BREAKS = re.compile(rf" ?{_BREAK} ?")
_NO_COUNTS = Counts()

# What a tag does to the text: nothing, count as a feature of it, end a block, or hide what is inside.
_INLINE, _COUNTED, _LINK, _STRUCTURAL, _OPAQUE, _UNLISTED = range(6)
_IMAGES, _LINKS, _SCRIPTS, _CONTROLS = range(4)
_KINDS = {
    "a": _LINK,
    **dict.fromkeys({"br", "img", "option"} | CONTROLS, _COUNTED),
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


def _kind_of_unlisted(tag: object) -> int:
    is_comment = not isinstance(tag, str)  # of which only what is behind it counts
    return _OPAQUE if is_comment else _STRUCTURAL if "-" in str(tag) else _INLINE


def _declared_language(root: etree._Element) -> str:
    declared = root.get("lang") or root.get("xml:lang") or ""
    return re.split(r"[-_]", declared.strip().lower(), maxsplit=1)[0]


# An open element that has children: itself, its ordinal, its kind, its node or that around it, whether in a link.
_Open = tuple[etree._Element, int, int, int, bool]


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
        self.link_chars = 0

    def run(self, root: etree._Element) -> None:
        """Go through the elements in document order. One is closed when the next turns out to lie outside of it, one
        without children at once. No call that can be spared is made here, for it is made for every element."""
        parts, pieces, tags, counts, kinds = self.parts, self.pieces, self.tags, self.counts, _KINDS
        elements, element_parents = self.page.elements, self.page.element_parents
        elements.extend(islice(root.iter(), MAX_ELEMENTS + 1))
        element_parents.append(-1)
        opened, outer, around, node_around, in_link = root, 0, _STRUCTURAL, self.add_node(str(root.tag), -1, 0), False
        stack: list[_Open] = []  # those around ``opened``
        is_first = True  # of the children of ``opened``
        self.add_text(root.text or " ", TEXT, False)
        for ordinal, element in enumerate(islice(elements, 1, MAX_ELEMENTS), 1):
            if not is_first:
                parent = element.getparent()
                while opened is not parent:
                    closed, behind = opened, outer << 2 | TAIL
                    if around == _STRUCTURAL and parts:
                        self.end_run(node_around)
                    opened, outer, around, node_around, in_link = stack.pop()
                    if around != _OPAQUE and (tail := closed.tail):
                        self.add_text(tail, behind, in_link)
            element_parents.append(outer)
            node = node_around
            is_link = in_link
            if around == _OPAQUE:
                kind = _OPAQUE
            else:
                tag: Any = element.tag
                kind = kinds.get(tag, _UNLISTED)
                if kind == _UNLISTED:
                    kind = _kind_of_unlisted(tag)
                if kind == _STRUCTURAL:
                    if parts:
                        self.end_run(node)
                    if around != _STRUCTURAL:
                        node_around = self.promote(stack, opened, outer)
                        around = _STRUCTURAL
                    node = self.add_node(tag, node_around, ordinal)
                    if tag in CONTROLS:
                        self.count(element, tag, ordinal)
                elif kind == _LINK:
                    if element.get("href") is not None:
                        is_link = True
                        counts[_LINKS] += 1
                        parts.append("")
                elif kind == _COUNTED:
                    self.count(element, tag, ordinal)
                elif kind == _OPAQUE:
                    self.count_script(tag)
                if kind != _OPAQUE and (text := element.text):
                    if not text.isspace():
                        parts.append(text)
                        pieces.append(ordinal << 2 | TEXT)
                        if is_link:
                            self.link_chars += len(text)
                    elif parts or tags[-1] == "pre":
                        parts.append(text)
            is_first = len(element) > 0
            if is_first:
                stack.append((opened, outer, around, node_around, in_link))
                opened, outer, around, node_around, in_link = element, ordinal, kind, node, is_link
                if len(stack) >= MAX_DEPTH:
                    raise UnfitPage("too_deep", f"elements are nested {MAX_DEPTH:,} deep or more")
                continue
            if kind == _STRUCTURAL and parts:
                self.end_run(node)
            if around != _OPAQUE and (tail := element.tail):
                if not tail.isspace():
                    parts.append(tail)
                    pieces.append(ordinal << 2 | TAIL)
                    if in_link:
                        self.link_chars += len(tail)
                elif parts or tags[-1] == "pre":
                    parts.append(tail)
        if len(elements) > MAX_ELEMENTS:
            raise UnfitPage("too_many_elements", f"the page has more than {MAX_ELEMENTS:,} elements")
        while stack:
            closed, behind = opened, outer << 2 | TAIL
            if around == _STRUCTURAL and parts:
                self.end_run(node_around)
            opened, outer, around, node_around, in_link = stack.pop()
            if around != _OPAQUE and (tail := closed.tail):
                self.add_text(tail, behind, in_link)
        self.end_run(0)

    def add_text(self, text: str, piece: int, in_link: bool) -> None:
        if not text.isspace():
            self.parts.append(text)
            self.pieces.append(piece)
            if in_link:
                self.link_chars += len(text)
        elif self.parts or self.tags[-1] == "pre":
            self.parts.append(text)

    def add_node(self, tag: str, parent: int, ordinal: int) -> int:
        self.tags.append(tag)
        self.parents.append(parent)
        self.ordinals.append(ordinal)
        return len(self.tags) - 1

    def promote(self, stack: list[_Open], opened: etree._Element, ordinal: int) -> int:
        """Make the inline elements that are open structural: one with a structural child acts as one."""
        first = len(stack)
        while stack[first - 1][2] != _STRUCTURAL:
            first -= 1
        node = stack[first - 1][3]
        for index in range(first, len(stack)):
            element, outer, _, _, in_link = stack[index]
            node = self.add_node(str(element.tag), node, outer)
            stack[index] = (element, outer, _STRUCTURAL, node, in_link)
        return self.add_node(str(opened.tag), node, ordinal)

    def count(self, element: etree._Element, tag: str, ordinal: int) -> None:
        """Count an inline element."""
        part = ""  # so that the run is not empty, and the count ends with it
        if tag == "br":
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

    def count_script(self, tag: str) -> None:
        if tag == "script":
            self.counts[_SCRIPTS] += 1
            self.parts.append("")

    def end_run(self, node: int) -> None:
        """Make a block of the run, if there is any text or image in it, and start a new one."""
        has_counts = any(self.counts)
        if self.pieces:
            text = "".join(self.parts)
            content = folded = fold(text)
            if _BREAK in folded:
                content = fold(folded.replace(_BREAK, " "))
                folded = _BREAKS.sub("\n", folded).strip()
            if self.tags[node] == "pre":
                folded = text.replace(_BREAK, "\n").strip("\n")
            images = tuple(self.images)
            self.page.blocks.append(
                Block(
                    self.page,
                    folded,
                    block_key(content, images),
                    images,
                    node,
                    min(self.link_chars, len(folded)),
                    Counts(*self.counts) if has_counts else _NO_COUNTS,
                    tuple(self.pieces),
                )
            )
            self.pieces.clear()
            self.images.clear()
            self.link_chars = 0
        self.parts.clear()
        if has_counts:
            self.counts[:] = _NO_COUNTS

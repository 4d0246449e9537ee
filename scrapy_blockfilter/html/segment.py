"""Cut a page into blocks in one linear walk over its tree.

A block is the text between two structural tags (Ma et al. 2003, section 3: the text chunk). Every other division of a
page, by tables, by an ordered tag set or by a block tree, is a grouping of these blocks.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from lxml import etree

from scrapy_blockfilter.html.limits import DEFAULT_LIMITS, Limits, UnfitPage
from scrapy_blockfilter.html.page import TAIL, TEXT, Page, Structure
from scrapy_blockfilter.html.parse import declared_language
from scrapy_blockfilter.html.raw import RAW
from scrapy_blockfilter.html.runs import LINKS, Runs
from scrapy_blockfilter.html.segmenters import TEXT_CHUNKS, Segmenter
from scrapy_blockfilter.html.tags import COMMON_INLINE, CONTROLS, OPAQUE, STRUCTURAL, is_structural

if TYPE_CHECKING:
    from scrapy_blockfilter.html.known import Known

# What an element does: nothing, count as a feature of the block, end the block, or hide its content.
_INLINE, _COUNTED, _LINK, _STRUCTURAL, _OPAQUE, _UNLISTED = range(6)
_KINDS: dict[object, int] = {
    etree.Comment: _OPAQUE,  # only the text after it counts
    "a": _LINK,
    **dict.fromkeys(COMMON_INLINE, _INLINE),
    **dict.fromkeys({"br", "img", "option"} | CONTROLS, _COUNTED),
    **dict.fromkeys(STRUCTURAL, _STRUCTURAL),
    **dict.fromkeys(OPAQUE, _OPAQUE),
}


def segment(
    root: etree._Element,
    known: Known,
    *,
    whole: bool = True,
    limits: Limits = DEFAULT_LIMITS,
    segmenter: Segmenter = TEXT_CHUNKS,
) -> Page:
    """Segment the tree under ``root``.

    Args:
        root: the ``<html>`` element. The page takes over the tree, and rendering in Python will change it.
        known: caches shared between pages; its term maker computes the terms of blocks on demand.
        whole: False for a tree made from a fragment of a page.
        segmenter: joins text chunks to blocks.

    Raises:
        UnfitPage: the tree has more levels, elements or blocks than ``limits`` allow. Of a deeper tree, libxml2 may
            have dropped the rest.
    """
    page = Page(root, known, whole=whole)
    page.declared_language = declared_language(root)
    walk = _Walk(page, limits)
    walk.run(root)
    page.structure = Structure(walk.tags, walk.parents)
    page.ordinals = walk.ordinals
    page.paths = known.paths.known_of(walk.paths)
    segmenter.divide(page)
    return page


def _kind_of_unlisted(tag: object) -> int:
    return _OPAQUE if not isinstance(tag, str) else _STRUCTURAL if is_structural(tag) else _INLINE


# An open element with children: the element, its ordinal, its kind, its node or the node around it, and whether it is
# in a link.
_Open = tuple[etree._Element, int, int, int, bool]


class _Walk(Runs):
    """The state of the walk: the structural elements so far, and the run of text since the last structural tag."""

    def __init__(self, page: Page, limits: Limits) -> None:
        super().__init__(page, limits.blocks)
        self.limits = limits
        self.path_table = page.known.paths
        self.known_paths = self.path_table.ready()
        self.paths: list[int] = []
        self.parents: list[int] = []
        self.ordinals: list[int] = []

    def run(self, root: etree._Element) -> None:
        """Walk the elements in document order.

        An element without children is closed at once, any other when the next element lies outside it. The loop runs
        for every element, so it makes as few calls as possible.
        """
        parts, pieces, tags, counts, kinds = self.parts, self.pieces, self.tags, self.counts, _KINDS
        paths, parents, ordinals = self.paths, self.parents, self.ordinals
        known_paths, learn_path = self.known_paths, self.path_table.learn
        elements, element_parents, raw = self.page.elements, self.page.element_parents, self.page.raw
        most, deepest = self.limits.elements, self.limits.depth
        elements.append(root)
        element_parents.append(-1)
        opened, outer, around, in_link = root, 0, _STRUCTURAL, False
        node_around = self.add_node(root, str(root.tag), -1, 0)
        stack: list[_Open] = []  # the ancestors of ``opened``
        is_first = True  # whether the next element is the first child of ``opened``
        self.add_text(root.text or " ", TEXT, False)
        # Each element is read as soon as the tree yields it: later it would have left the processor's cache.
        for ordinal, element in enumerate(islice(root.iter(), 1, most + 1), 1):
            elements.append(element)
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
            tag: Any = element.tag
            if around == _OPAQUE:
                kind = _OPAQUE
            else:
                kind = kinds.get(tag, _UNLISTED)
                if kind == _UNLISTED:
                    kind = _kind_of_unlisted(tag)
            if kind >= _STRUCTURAL and tag in RAW:
                raw.append(ordinal)
            if around != _OPAQUE:
                if kind == _STRUCTURAL:
                    if parts:
                        self.end_run(node)
                    if around != _STRUCTURAL:
                        node_around = self.promote(stack, opened, outer)
                        around = _STRUCTURAL
                    step = (paths[node_around], tag, element.get("class"), element.get("id"))
                    path = known_paths.get(step)
                    node = len(paths)
                    paths.append(learn_path(step) if path is None else path)
                    tags.append(tag)
                    parents.append(node_around)
                    ordinals.append(ordinal)
                    if tag in CONTROLS:
                        self.count(element, tag, ordinal)
                elif kind == _LINK:
                    if element.get("href") is not None:
                        is_link = True
                        counts[LINKS] += 1
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
                if len(stack) >= deepest:
                    raise UnfitPage("too_deep", f"elements are nested more than {deepest:,} deep")
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
        if len(elements) > most:
            raise UnfitPage("too_many_elements", f"the page has more than {most:,} elements")
        while stack:
            closed, behind = opened, outer << 2 | TAIL
            if around == _STRUCTURAL and parts:
                self.end_run(node_around)
            opened, outer, around, node_around, in_link = stack.pop()
            if around != _OPAQUE and (tail := closed.tail):
                self.add_text(tail, behind, in_link)
        self.end_run(0)

    def add_node(self, element: etree._Element, tag: str, parent: int, ordinal: int) -> int:
        """Add a structural element, and return its index."""
        paths = self.paths
        step = (paths[parent] if parent >= 0 else -1, tag, element.get("class"), element.get("id"))
        path = self.known_paths.get(step)
        paths.append(self.path_table.learn(step) if path is None else path)
        self.tags.append(tag)
        self.parents.append(parent)
        self.ordinals.append(ordinal)
        return len(paths) - 1

    def promote(self, stack: list[_Open], opened: etree._Element, ordinal: int) -> int:
        """Make all open inline elements structural, because they have a structural child."""
        first = len(stack)
        while stack[first - 1][2] != _STRUCTURAL:
            first -= 1
        node = stack[first - 1][3]
        for index in range(first, len(stack)):
            element, outer, _, _, in_link = stack[index]
            node = self.add_node(element, str(element.tag), node, outer)
            stack[index] = (element, outer, _STRUCTURAL, node, in_link)
        return self.add_node(opened, str(opened.tag), node, ordinal)

"""Walk the tree of a page once, and cut it into blocks: the reference for the native walk."""

from __future__ import annotations

from itertools import islice
from typing import Any

from lxml import etree

from scrapy_blockfilter.html.kinds import DIVIDES, HIDES, IS_COUNTED, IS_LINK, KINDS, UNLISTED, kind_of_unlisted
from scrapy_blockfilter.html.limits import Limits
from scrapy_blockfilter.html.page import TAIL, TEXT, Page
from scrapy_blockfilter.html.runs import LINKS, Runs
from scrapy_blockfilter.html.structure import Structure
from scrapy_blockfilter.html.tags import CONTROLS


def walk_page(page: Page, root: etree._Element, limits: Limits) -> None:
    """Fill a page with the chunks and elements of its tree.

    Raises:
        UnfitPage: the tree is beyond the limits.
    """
    page.elements, page.chunks = [], []
    walk = Walk(page, limits)
    walk.run(root)
    page.structure = Structure(walk.tags, walk.parents)
    page.ordinals = walk.ordinals
    page.element_parents = walk.element_parents
    page.pieces = walk.pieces
    page.paths = walk.path_table.known_of(walk.paths)


# An open element with children: the element, its ordinal, its kind, its node or the node around it, and whether it is
# in a link.
_Open = tuple[etree._Element, int, int, int, bool]


class Walk(Runs):
    """The state of the walk: the structural elements so far, and the run of text since the last structural tag."""

    def __init__(self, page: Page, limits: Limits) -> None:
        super().__init__(page, limits)
        self.path_table = page.path_table
        self.known_paths = self.path_table.steps
        self.paths: list[int] = []
        self.parents: list[int] = []
        self.ordinals: list[int] = []
        self.element_parents: list[int] = []

    def run(self, root: etree._Element) -> None:
        """Walk the elements in document order.

        An element without children is closed at once, any other when the next element lies outside it. The loop runs
        for every element, so it makes as few calls as possible.
        """
        parts, pieces, tags, counts, kinds = self.parts, self.pieces, self.tags, self.counts, KINDS
        paths, parents, ordinals = self.paths, self.parents, self.ordinals
        known_paths, learn_path = self.known_paths, self.path_table.learn
        elements, element_parents = self.page.elements, self.element_parents
        most, deepest = self.limits.elements, self.limits.depth
        elements.append(root)
        element_parents.append(-1)
        opened, outer, around, in_link = root, 0, DIVIDES, False
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
                    if around == DIVIDES and parts:
                        self.end_run(node_around)
                    opened, outer, around, node_around, in_link = stack.pop()
                    if around != HIDES and (tail := closed.tail):
                        self.add_text(tail, behind, in_link)
            element_parents.append(outer)
            node = node_around
            is_link = in_link
            tag: Any = element.tag
            if around == HIDES:
                kind = HIDES
            else:
                kind = kinds.get(tag, UNLISTED)
                if kind == UNLISTED:
                    kind = kind_of_unlisted(tag)
            if around != HIDES:
                if kind == DIVIDES:
                    if parts:
                        self.end_run(node)
                    if around != DIVIDES:
                        node_around = self.promote(stack, opened, outer)
                        around = DIVIDES
                    step = (paths[node_around], tag, element.get("class"), element.get("id"))
                    path = known_paths.get(step)
                    node = len(paths)
                    paths.append(learn_path(step) if path is None else path)
                    tags.append(tag)
                    parents.append(node_around)
                    ordinals.append(ordinal)
                    if tag in CONTROLS:
                        self.count(element, tag, ordinal)
                elif kind == IS_LINK:
                    if element.get("href") is not None:
                        is_link = True
                        counts[LINKS] += 1
                        parts.append("")
                elif kind == IS_COUNTED:
                    self.count(element, tag, ordinal)
                elif kind == HIDES:
                    self.count_script(tag)
                if kind != HIDES and (text := element.text):
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
                    raise self.limits.unfit("too_deep")
                continue
            if kind == DIVIDES and parts:
                self.end_run(node)
            if around != HIDES and (tail := element.tail):
                if not tail.isspace():
                    parts.append(tail)
                    pieces.append(ordinal << 2 | TAIL)
                    if in_link:
                        self.link_chars += len(tail)
                elif parts or tags[-1] == "pre":
                    parts.append(tail)
        if len(elements) > most:
            raise self.limits.unfit("too_many_elements")
        while stack:
            closed, behind = opened, outer << 2 | TAIL
            if around == DIVIDES and parts:
                self.end_run(node_around)
            opened, outer, around, node_around, in_link = stack.pop()
            if around != HIDES and (tail := closed.tail):
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
        while stack[first - 1][2] != DIVIDES:
            first -= 1
        node = stack[first - 1][3]
        for index in range(first, len(stack)):
            element, outer, _, _, in_link = stack[index]
            node = self.add_node(element, str(element.tag), node, outer)
            stack[index] = (element, outer, DIVIDES, node, in_link)
        return self.add_node(opened, str(opened.tag), node, ordinal)

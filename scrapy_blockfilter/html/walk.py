"""Walk the tree of a page once, and cut it into blocks: the reference for the native walk."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import islice
from typing import Any

import numpy as np
from lxml import etree

from scrapy_blockfilter.html.columns import WIDTH, Row
from scrapy_blockfilter.html.marks import marked_places
from scrapy_blockfilter.html.page import IMAGE, TAIL, TEXT, Page, PageCaches
from scrapy_blockfilter.html.tags import CONTROLS, DIVIDES, HIDES, IS_COUNTED, IS_LINK, KINDS, kind_of_unlisted
from scrapy_blockfilter.options.limits import Limits
from scrapy_blockfilter.text.block_text import BREAK, MAX_KNOWN_TEXT, block_text
from scrapy_blockfilter.text.image_words import image_words

_IMAGES, _LINKS, _SCRIPTS, _CONTROLS = range(4)
_NONE = [0, 0, 0, 0]


def walk_page(root: etree._Element, known: PageCaches, limits: Limits) -> Page:
    """Return the page of a tree within limits."""
    walk = Walk(known, limits)
    walk.run(root)
    paths = np.array(walk.paths, np.int64)
    slots, tag_paths, hints = (np.frombuffer(column, np.int64)[paths] for column in walk.path_table.columns)
    page = Page(
        keys=np.zeros(0, np.int64),
        nodes=np.zeros(0, np.int64),
        numbers=np.zeros((0, WIDTH), np.int64),
        tags=tuple(walk.tags),
        parents=array("q", walk.parents),
        slots=slots,
        tag_paths=tag_paths,
        hints=(),
        pieces=walk.pieces,
        ordinals=walk.ordinals,
        element_parents=walk.element_parents,
        element_ends=_ends(walk.element_parents),
        path_hints=hints.tolist(),
        marked=list(marked_places(walk.elements)),
        known=known,
        path_table=walk.path_table,
        root=root,
    )
    page.elements = walk.elements
    return page.with_blocks(walk.rows)


def _ends(parents: Sequence[int]) -> list[int]:
    """Return the place behind the last element in each element."""
    ends = list(range(1, len(parents) + 1))
    for place in range(len(parents) - 1, 0, -1):
        ends[parents[place]] = max(ends[parents[place]], ends[place])
    return ends


# An open element with children, its ordinal, its kind, its node or the node around it, and whether it is in a link.
_Open = tuple[etree._Element, int, int, int, bool]


class Walk:
    """The state of the walk: the nodes and blocks so far, and the run of text since the last structural tag."""

    def __init__(self, known: PageCaches, limits: Limits) -> None:
        self.limits = limits
        self.path_table = known.paths_of_page()
        self.known_texts = known.texts.ready()
        self.elements: list[etree._Element] = []
        self.element_parents: list[int] = []
        self.tags: list[str] = []
        self.parents: list[int] = []
        self.ordinals: list[int] = []
        self.paths: list[int] = []
        self.rows: list[Row] = []
        self.pieces: list[int] = []
        self.parts: list[str] = []  # with an empty one for each counted element, so that the run is not empty
        self.images: list[str] = []
        self.counts = [0, 0, 0, 0]
        self.link_chars = 0

    def run(self, root: etree._Element) -> None:
        """Walk the elements in document order.

        An element without children is closed at once, any other when the next element lies outside it.
        """
        parts, counts, kinds, add_text = self.parts, self.counts, KINDS, self.add_text
        elements, element_parents = self.elements, self.element_parents
        most, deepest = self.limits.elements, self.limits.depth
        elements.append(root)
        element_parents.append(-1)
        opened, outer, around, in_link = root, 0, DIVIDES, False
        node_around = self.add_node(root, str(root.tag), -1, 0)
        stack: list[_Open] = []  # the ancestors of ``opened``
        is_first = True  # whether the next element is the first child of ``opened``
        add_text(root.text or " ", TEXT, False)
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
                        add_text(tail, behind, in_link)
            element_parents.append(outer)
            node, is_link, kind = node_around, in_link, HIDES
            if around != HIDES:
                tag: Any = element.tag
                kind = kinds[tag] if tag in kinds else kind_of_unlisted(tag)
                if kind == DIVIDES:
                    if parts:
                        self.end_run(node)
                    if around != DIVIDES:
                        node_around = self.promote(stack, opened, outer)
                        around = DIVIDES
                    node = self.add_node(element, tag, node_around, ordinal)
                    if tag in CONTROLS:
                        self.count(element, tag, ordinal)
                elif kind == IS_LINK:
                    href = element.get("href")
                    if href is not None and not href.startswith("tel:"):  # a telephone number is text
                        is_link = True
                        counts[_LINKS] += 1
                        parts.append("")
                elif kind == IS_COUNTED:
                    self.count(element, tag, ordinal)
                elif tag == "script":
                    counts[_SCRIPTS] += 1
                    parts.append("")
                if kind != HIDES and (text := element.text):
                    add_text(text, ordinal << 2 | TEXT, is_link)
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
                add_text(tail, ordinal << 2 | TAIL, in_link)
        if len(elements) > most:
            raise self.limits.unfit("too_many_elements")
        while stack:
            closed, behind = opened, outer << 2 | TAIL
            if around == DIVIDES and parts:
                self.end_run(node_around)
            opened, outer, around, node_around, in_link = stack.pop()
            if around != HIDES and (tail := closed.tail):
                add_text(tail, behind, in_link)
        self.end_run(0)

    def add_node(self, element: etree._Element, tag: str, parent: int, ordinal: int) -> int:
        """Add a structural element, and return its index."""
        paths = self.paths
        step = (paths[parent] if parent >= 0 else -1, tag, element.get("class"), element.get("id"))
        path = self.path_table.steps.get(step)
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

    def add_text(self, text: str, piece: int, in_link: bool) -> None:
        """Add a text node to the run. White space counts only within the run or in PRE."""
        if not text.isspace():
            self.parts.append(text)
            self.pieces.append(piece)
            if in_link:
                self.link_chars += len(text)
        elif self.parts or self.tags[-1] == "pre":
            self.parts.append(text)

    def count(self, element: etree._Element, tag: str, ordinal: int) -> None:
        """Count an inline element."""
        part = ""  # a run with an empty part is not empty, so its end resets the counts
        if tag == "br":
            part = BREAK
        elif tag == "option":
            part = " "
        elif tag == "img":
            self.counts[_IMAGES] += 1
            words = image_words(image_source(element), element.get("alt", ""))
            if words:
                self.images.append(words)
                self.pieces.append(ordinal << 2 | IMAGE)
        else:
            self.counts[_CONTROLS] += 1
        self.parts.append(part)

    def end_run(self, node: int) -> None:
        """Make a block of the run if it has text or an image, and start a new run."""
        parts = self.parts
        rows, end = self.rows, len(self.pieces)
        if end > (rows[-1].end if rows else 0):
            text = parts[0] if len(parts) == 1 else "".join(parts)
            images: tuple[str, ...] = ()
            if len(text) > MAX_KNOWN_TEXT or self.images or self.tags[node] == "pre":
                images = tuple(self.images)
                self.images.clear()
                folded, key = block_text(text, images, is_pre=self.tags[node] == "pre")
            else:
                folded, key = self.known_texts[text]
            rows.append(Row(folded, key, images, node, min(self.link_chars, len(folded)), tuple(self.counts), end))
            if len(rows) > self.limits.blocks:
                raise self.limits.unfit("too_many_blocks")
            self.link_chars = 0
        parts.clear()
        self.counts[:] = _NONE


_SOURCES = ("data-src", "data-lazy-src", "data-original", "data-srcset", "src")


def image_source(image: etree._Element) -> str:
    """Return the address of an image, or that which a script will put in its place: of a placeholder, on many pages."""
    return next(filter(None, map(image.get, _SOURCES)), "")

"""The elements of a page that are shown, with absolute boxes, down to those whose text is not divided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from scrapy_blockfilter.extras.papers.visual.boxes import Annotation, Rectangle, enclosing, read_annotation
from scrapy_blockfilter.html.page import TAIL, TEXT, Page

# Pixels that an absolute box may stand out of the one around it, as labels on pictures do.
_STANDS_OUT = 8
# Boxes of a pixel hide text from all but screen readers.
_LEAST_SIDE = 2
_NOWHERE = Rectangle(0, 0, 0, 0)


class Style(NamedTuple):
    """The look of text. Weight, colour and background are as the page script writes them."""

    size: int = 16
    weight: str = "400"
    color: str = "000"
    background: str = ""


@dataclass(eq=False, slots=True)
class VisualNode:
    """An element that is shown, or text between elements."""

    tag: str
    box: Rectangle  # where it is on the page
    style: Style
    is_leaf: bool  # its content is inline: text nodes and virtual text nodes
    is_mixed: bool  # its text has several fonts
    is_inline: bool  # it is no line-break node
    is_text: bool = False  # it is text between elements
    has_rule: bool = False  # there is an HR among its children
    children: list[VisualNode] = field(default_factory=list)  # in document order; none for a leaf


class VisualTree(NamedTuple):
    """The shown elements of a page."""

    # The page, and what lies over it: cookie walls and menus that are not in the flow. These are divided by themselves,
    # as they overlap all space between others.
    roots: Sequence[VisualNode]
    of_chunks: Sequence[VisualNode | None]  # the leaf that each text chunk is in, None for a hidden chunk
    lines: Sequence[Rectangle]  # boxes of the HRs, from the top of the page down


class _Leaf(NamedTuple):
    """A leaf, the element that it is (-1 for text between elements), and the annotated one around it."""

    node: VisualNode
    ordinal: int
    around: int


class ShownElements:
    """The elements of a page that has boxes, before they are a tree."""

    def __init__(self, page: Page) -> None:
        self._page = page
        values, parents = page.boxes, page.element_parents
        self._nodes: dict[int, VisualNode] = {}
        self._annotations: dict[int, Annotation] = {}
        self._around: dict[int, int] = {}  # nearest annotated element around each annotated one
        self._nearest = [-1] * (len(parents) + 1)  # the last entry is for the parent of the root
        self._behind = [0] * len(parents)  # siblings before each element
        children = [0] * (len(parents) + 1)
        for ordinal, parent in enumerate(parents):
            self._behind[ordinal] = children[parent]
            children[parent] += 1
            around = self._nearest[ordinal] = self._nearest[parent]
            # What is within a leaf is part of it, whatever a page says of itself.
            if ordinal in values and not (around >= 0 and self._nodes[around].is_leaf):
                self._add(ordinal, around, values[ordinal])
                self._nearest[ordinal] = ordinal

    def _add(self, ordinal: int, around: int, value: str) -> None:
        annotation = read_annotation(value)
        box, style = annotation.box, Style()
        if around >= 0:
            outer = self._nodes[around]
            box = box._replace(x=box.x + outer.box.x, y=box.y + outer.box.y)
            style = outer.style
        told = annotation.style
        if told:
            size = told.get("f", "")
            style = Style(
                int(size) if size.isdecimal() and len(size) < 5 else style.size,
                told.get("w", style.weight),
                told.get("c", style.color),
                told.get("b", style.background),
            )
        tag, flags = self._page.elements[ordinal].tag, annotation.flags
        is_leaf = not flags.isdisjoint(("l", "m"))
        name = tag if isinstance(tag, str) else ""
        self._nodes[ordinal] = VisualNode(name, box, style, is_leaf, "m" in flags, "i" in flags)
        self._annotations[ordinal] = annotation
        self._around[ordinal] = around

    def boxes(self) -> list[Rectangle]:
        """Return the box of each structural element: within a leaf that of the leaf, zeros where nothing is shown."""
        nodes, nearest = self._nodes, self._nearest
        around = ((ordinal, nearest[ordinal]) for ordinal in self._page.ordinals)
        return [
            nodes[at].box if at >= 0 and (at == ordinal or nodes[at].is_leaf) else _NOWHERE for ordinal, at in around
        ]

    def tree(self) -> VisualTree:
        of_chunks: list[VisualNode | None] = []
        ordered: list[_Leaf] = []  # in document order
        seen: set[int] = set()
        for number in range(len(self._page.blocks)):
            leaf = self._leaf(self._places(number))
            if leaf is None or not _is_shown(leaf.node.box):
                of_chunks.append(None)
                continue
            of_chunks.append(leaf.node)
            if leaf.ordinal < 0 or leaf.ordinal not in seen:
                seen.add(leaf.ordinal)
                ordered.append(leaf)
        lines = sorted((node.box for node in self._nodes.values() if node.tag == "hr"), key=lambda box: box.y)
        return VisualTree(self._joined(ordered), of_chunks, lines)

    def _places(self, chunk: int) -> list[tuple[int, int]]:
        """Return where shown text of a chunk is: elements that are leaves (with -1), or texts between elements."""
        page = self._page
        places: dict[tuple[int, int], None] = {}
        for piece in page.pieces[page.range_of(chunk)]:
            ordinal, kind = piece >> 2, piece & 3
            owner = page.element_parents[ordinal] if kind == TAIL else ordinal
            nearest = self._nearest[owner]
            if nearest >= 0 and self._nodes[nearest].is_leaf:
                places[nearest, -1] = None
            elif owner == nearest >= 0 and kind in (TEXT, TAIL):
                before = 0 if kind == TEXT else self._behind[ordinal] + 1
                if before in self._annotations[owner].texts:
                    places[owner, before] = None
        return list(places)

    def _leaf(self, places: Sequence[tuple[int, int]]) -> _Leaf | None:
        """Return the leaf at places: one for text that lies between elements has inline elements in it."""
        if not places:
            return None
        first, before = places[0]
        if len(places) == 1 and before < 0:
            return _Leaf(self._nodes[first], first, self._around[first])
        around = first if before >= 0 else self._around[first]
        boxes, styles = [], set()
        for ordinal, place in places:
            node = self._nodes[ordinal]
            box = node.box
            if place >= 0:
                text = self._annotations[ordinal].texts[place]
                box = text._replace(x=text.x + box.x, y=text.y + box.y)
            boxes.append(box)
            styles.add(node.style[:2])
        outer = self._nodes[around] if around >= 0 else self._nodes[first]
        leaf = VisualNode(
            "", enclosing(boxes), outer.style, is_leaf=True, is_mixed=len(styles) > 1, is_inline=True, is_text=True
        )
        return _Leaf(leaf, -1, around)

    def _joined(self, leaves: Sequence[_Leaf]) -> list[VisualNode]:
        """Join leaves to a tree of the elements around them. Return its roots."""
        nodes = self._nodes
        roots: list[VisualNode] = []
        added: set[int] = set()
        for leaf in leaves:
            node, around = leaf.node, leaf.around
            lies_over = leaf.ordinal >= 0 and self._lies_over(leaf.ordinal)
            while around >= 0 and not lies_over:
                nodes[around].children.append(node)
                if around in added:
                    break
                added.add(around)
                node, lies_over, around = nodes[around], self._lies_over(around), self._around[around]
            else:
                roots.append(node)
        for ordinal, node in nodes.items():
            if node.tag == "hr" and self._around[ordinal] in added:
                nodes[self._around[ordinal]].has_rule = True
        for ordinal in sorted(added, reverse=True):
            if not nodes[ordinal].box.area:  # around floating elements
                nodes[ordinal].box = enclosing([child.box for child in nodes[ordinal].children])
        return roots

    def _lies_over(self, ordinal: int) -> bool:
        """Return whether an element is out of the flow: fixed, or absolute and not within the one around it."""
        around = self._around[ordinal]
        flags = self._annotations[ordinal].flags
        if around < 0 or not flags & {"p", "a"}:
            return False
        inner, outer = self._nodes[ordinal].box, self._nodes[around].box
        return "p" in flags or not (
            outer.x - _STANDS_OUT <= inner.x
            and outer.y - _STANDS_OUT <= inner.y
            and inner.right <= outer.right + _STANDS_OUT
            and inner.bottom <= outer.bottom + _STANDS_OUT
        )


def _is_shown(box: Rectangle) -> bool:
    return box.width >= _LEAST_SIDE and box.height >= _LEAST_SIDE and box.right > 0 and box.bottom > 0

"""VIPS: blocks of a page as a person sees them, by where a browser has shown its elements.

Cai, Yu, Wen, Ma: VIPS: a Vision-based Page Segmentation Algorithm, MSR-TR-2003-79. The rules R1 to R13 divide the page
from the root down to blocks, the space between these has weights, and what only light separators divide is one block
again. Each block has a degree of coherence (DoC) from 1 to 10, and is divided further as long as this is below the
permitted one (PDoC).
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from scrapy_blockfilter.extras.papers.visual.boxes import Rectangle
from scrapy_blockfilter.extras.papers.visual.visual_tree import VisualNode, VisualTree

# Blocks that may be looked at for each node of a page: real pages take some 10, boxes made to be slow a quadratic time.
_MOST_LOOKS = 60
_MOST_COHERENT = 10

# Shares of the block that is divided in this round, below which R9 and R10 call a node, or its largest child, small.
# The report leaves both thresholds open.
_SMALL_WITH_TEXT = 0.1
_SMALL_CHILD = 0.02
# Shares of the page, and the coherence of blocks above each, for rules that set it by size. The report has 5 to 8.
_COHERENCE_BY_SIZE = ((0.5, 5), (0.2, 6), (0.05, 7))
_COHERENCE_OF_SMALL = 8
# Blocks with one of the following tags hold one thing.
_COHERENT_TAGS = frozenset({"p", "li", "td", "th", "dd", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote"})

_R1_TO_R3 = (1, 2, 3)
_ROWS = (*_R1_TO_R3, 8, 10, 13)
_CELLS = (*_R1_TO_R3, 4, 9, 10, 11, 13)
_PARAGRAPHS = (*_R1_TO_R3, 4, 5, 6, 8, 9, 10, 12)
_OTHERS = (*_R1_TO_R3, 4, 6, 7, 8, 9, 10, 12)
# The rules to try in order, by tag (table 2). R8 was for tables alone in 2003; now it is tried on all but cells.
_RULES = {
    **dict.fromkeys(("table", "thead", "tbody", "tfoot", "tr"), _ROWS),
    **dict.fromkeys(("td", "th"), _CELLS),
    "p": _PARAGRAPHS,
}

# Pixels of space that are above a weight, from 1 on. The report leaves the weights open. Lines of a list have few
# pixels between them, paragraphs a line of 16 to 20.
_WEIGHTS = (6, 12, 20, 30, 45, 65, 100)
_LINE = 3
_OTHER_BACKGROUND = 2
_LARGER_FONT = 2
_OTHER_FONT = 1
_OTHER_KIND = 2
_OF_HEADING = _ALIKE = -1
# Pixels that boxes which lie beside each other may overlap, by rounding and negative margins.
_OVERLAP = 2
# HRs between two blocks that are looked at.
_MOST_LINES = 10
_TOP = attrgetter("y")

# A node that is not divided in a round, with its degree of coherence.
_Block = tuple[VisualNode, int]


def visual_blocks(tree: VisualTree, coherence: int) -> Sequence[int | None]:
    """Return the number of the block that each chunk of a page is in, None for a chunk that is not shown.

    No block is less coherent than permitted (PDoC), from 1 for the coarsest blocks.
    """
    blocks = [block for root in tree.roots for block in _Division(root, coherence, tree.lines).run()]
    numbers: dict[VisualNode, int] = {}
    for number, block in enumerate(blocks):
        for leaf in block:
            for node in _leaves(leaf):
                numbers[node] = number
    return [None if leaf is None else numbers[leaf] for leaf in tree.of_chunks]


def _leaves(node: VisualNode) -> list[VisualNode]:
    found, todo = [], [node]
    while todo:
        one = todo.pop()
        todo += one.children
        if not one.children:
            found.append(one)
    return found


class _Division:
    """Divide a node, and what it is divided to, until all blocks are coherent enough."""

    def __init__(self, root: VisualNode, coherence: int, lines: Sequence[Rectangle]) -> None:
        self._root = root
        self._lines = lines
        self._coherence = coherence
        self._heaviest = 1 + _MOST_COHERENT - coherence  # separator within a block
        self._looks = _MOST_LOOKS * (1 + len(_leaves(root)))

    def run(self) -> list[list[VisualNode]]:
        """Return the blocks, each as the nodes in it."""
        done: list[list[VisualNode]] = []
        todo: list[list[_Block]] = [self._extracted(self._root)]
        while todo:
            blocks = todo.pop()
            self._looks -= len(blocks)
            if len(blocks) == 1:
                node, coherence = blocks[0]
                if coherence >= self._coherence or not node.children or self._looks < 0:
                    done.append([node])
                else:
                    todo.append(self._extracted(node))
                continue
            parts = self._separated(blocks) if self._looks >= 0 else None
            if parts is None:
                done.append([node for node, _ in blocks])
            else:
                todo.extend(parts)
        return done

    def _separated(self, blocks: Sequence[_Block]) -> list[list[_Block]] | None:
        """Divide blocks at the separators that are too heavy, None if they are one block."""
        nodes = [node for node, _ in blocks]
        axes = [separators(nodes, self._lines, horizontal=horizontal) for horizontal in (True, False)]
        axis = max(axes, key=lambda axis: axis.heaviest)
        coherences = dict(blocks)
        if axis.heaviest > self._heaviest:
            places = [separator.before for separator in axis.separators if separator.weight > self._heaviest]
            ordered = [(node, coherences[node]) for node in axis.ordered]
            return [ordered[start:end] for start, end in pairwise([0, *places, len(ordered)])]
        # Nothing separates them, but some are not coherent enough: these are divided, and the rest stays together.
        divided = [[block] for block in blocks if block[1] < self._coherence and block[0].children]
        if not divided:
            return None
        rest = [block for block in blocks if not (block[1] < self._coherence and block[0].children)]
        return [*divided, rest] if rest else divided

    def _extracted(self, root: VisualNode) -> list[_Block]:
        """Divide a node by the rules, in one round. Return the nodes that are not divided, in document order."""
        page_area = max(1, self._root.box.area)
        found: list[_Block] = []
        # With each node: whether R8 keeps it whole, and which of the siblings before were divided.
        todo: list[tuple[VisualNode, bool, list[bool]]] = [(root, False, [True])]
        while todo:
            node, is_whole, divided = todo.pop()
            judgement = judge(node, root, page_area, previous_divided=divided[-1])
            is_divided = not judgement.coherence and not (is_whole and node is not root)
            divided.append(is_divided)
            if is_divided:
                siblings = [True]
                todo.extend((child, child in judgement.whole, siblings) for child in reversed(node.children))
            else:
                of_whole = max(6, _coherence_by_size(node, page_area))  # R8: from 6 to 8
                found.append((node, judgement.coherence or of_whole))
        return found


class Judgement(NamedTuple):
    """The verdict of the rules on a node."""

    coherence: int  # its degree of coherence, 0 if the node is divided
    whole: frozenset[VisualNode] = frozenset()  # children that are not divided in this round, as R8 says


_DIVIDE = Judgement(0)


def judge(node: VisualNode, root: VisualNode, page_area: int, *, previous_divided: bool) -> Judgement:
    """Return what the first rule that holds says of a node.

    Args:
        root: the node that is divided in this round.
        page_area: square pixels of the page.
        previous_divided: whether the sibling before it, if any, was divided.
    """
    children = node.children
    if not children:  # R1 has left nothing of it but what R4 calls text
        return Judgement(9 if node.is_mixed else 10)
    is_small = node.box.area < _SMALL_WITH_TEXT * root.box.area
    for rule in _PARAGRAPHS if node.is_inline else _RULES.get(node.tag, _OTHERS):
        if rule == 2 and len(children) == 1 and not children[0].is_text:
            return _DIVIDE
        if rule == 3 and node is root:
            return _DIVIDE
        if rule == 4 and all(child.is_leaf and child.is_inline for child in children):
            fonts = {child.style[:2] for child in children}
            return Judgement(10 if len(fonts) == 1 and not any(child.is_mixed for child in children) else 9)
        if rule == 5 and any(not child.is_inline for child in children):
            return _DIVIDE
        if rule == 6 and node.has_rule:
            return _DIVIDE
        if rule == 7 and sum(child.box.area for child in children) > node.box.area:
            return _DIVIDE
        if rule == 8:
            others = frozenset(child for child in children if child.style.background != node.style.background)
            if others:
                return Judgement(0, others)
        if rule == 9 and is_small and any(child.is_leaf and child.is_inline for child in children):
            break
        if rule == 10 and max(child.box.area for child in children) < _SMALL_CHILD * root.box.area:
            break
        if rule == 11 and not previous_divided:
            break
        if rule == 12:
            return _DIVIDE
    return Judgement(_coherence_by_size(node, page_area))  # R13, and what R9 to R11 do not divide


def _coherence_by_size(node: VisualNode, page_area: int) -> int:
    """Return the degree of coherence of a node that is not divided, by its tag and its share of the page."""
    if node.tag in _COHERENT_TAGS:
        return _COHERENCE_OF_SMALL
    share = node.box.area / max(1, page_area)
    return next((coherence for least, coherence in _COHERENCE_BY_SIZE if share > least), _COHERENCE_OF_SMALL)


class Separator(NamedTuple):
    """A line between blocks, behind so many of them in the order of their positions, and its weight, from 1."""

    before: int
    weight: int


class Axis(NamedTuple):
    """Blocks in their order along an axis, and the separators between them."""

    ordered: Sequence[VisualNode]
    separators: Sequence[Separator]

    @property
    def heaviest(self) -> int:
        return max((separator.weight for separator in self.separators), default=0)


def separators(blocks: Sequence[VisualNode], lines: Sequence[Rectangle], *, horizontal: bool) -> Axis:
    """Find the lines that no block crosses: horizontal ones, or vertical ones.

    A line begins where the blocks before it end, and is as wide as the space up to the next block. The ``lines`` are
    HRs, from the top down: one in horizontal space makes it heavier.
    """
    if horizontal:
        spans = [(block.box.y, block.box.bottom) for block in blocks]
    else:
        spans = [(block.box.x, block.box.right) for block in blocks]
    order = sorted(range(len(blocks)), key=lambda number: (spans[number], number))
    ordered = [blocks[number] for number in order]
    found = []
    end, last = spans[order[0]][1], ordered[0]
    for place in range(1, len(order)):
        start, stop = spans[order[place]]
        if start >= end - _OVERLAP:
            weight = _weight(start - end, last, ordered[place], horizontal=horizontal)
            if horizontal and _has_line(lines, last.box, ordered[place].box):
                weight += _LINE
            found.append(Separator(place, weight))
        if stop >= end:
            end, last = stop, ordered[place]
    return Axis(ordered, found)


def _has_line(lines: Sequence[Rectangle], above: Rectangle, below: Rectangle) -> bool:
    first = bisect(lines, above.bottom - _OVERLAP, key=_TOP)
    last = bisect(lines, below.y + _OVERLAP, first, key=_TOP)
    return any(line.right > above.x and line.x < above.right for line in lines[first : min(last, first + _MOST_LINES)])


def _weight(space: int, before: VisualNode, behind: VisualNode, *, horizontal: bool) -> int:
    weight = 1 + bisect(_WEIGHTS, space)
    if before.style.background != behind.style.background:
        weight += _OTHER_BACKGROUND
    if horizontal:
        if before.style.size < behind.style.size:  # what follows has a heading
            weight += _LARGER_FONT
        elif before.style.size > behind.style.size:  # a heading belongs to what follows
            weight += _OF_HEADING
        elif before.style[:2] != behind.style[:2]:
            weight += _OTHER_FONT
        elif before.style == behind.style and before.is_leaf and behind.is_leaf and before.tag == behind.tag:
            weight += _ALIKE
        elif before.tag != behind.tag and space > _WEIGHTS[0]:  # what touches may be one thing
            weight += _OTHER_KIND
    return max(1, weight)

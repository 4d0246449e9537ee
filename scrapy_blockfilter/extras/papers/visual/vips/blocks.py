"""Divide a page to blocks that are as coherent as is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from scrapy_blockfilter.extras.papers.visual.boxes import Rectangle
from scrapy_blockfilter.extras.papers.visual.vips.rules import coherence_by_size, judge
from scrapy_blockfilter.extras.papers.visual.vips.separators import Axis, separators
from scrapy_blockfilter.extras.papers.visual.vips.visual_tree import VisualNode, VisualTree

# Blocks that may be looked at, for each node of a page. Boxes that are made to be slow would take quadratic time; pages
# take some 10.
_MOST_LOOKS = 60
_MOST_COHERENT = 10

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
        if one.children:
            todo.extend(one.children)
        else:
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
            return [[(node, coherences[node]) for node in part] for part in _cut(axis, self._heaviest)]
        if min(coherences.values()) >= self._coherence:
            return None
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
                of_whole = max(6, coherence_by_size(node, page_area))  # R8: from 6 to 8
                found.append((node, judgement.coherence or of_whole))
        return found


def _cut(axis: Axis, heaviest: int) -> list[Sequence[VisualNode]]:
    places = [separator.before for separator in axis.separators if separator.weight > heaviest]
    return [axis.ordered[start:end] for start, end in zip([0, *places], [*places, len(axis.ordered)], strict=True)]

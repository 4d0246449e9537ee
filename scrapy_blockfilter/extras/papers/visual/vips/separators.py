"""The space between blocks that lie beside each other or below one another, and how much it separates them."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from scrapy_blockfilter.extras.papers.visual.boxes import Rectangle
from scrapy_blockfilter.extras.papers.visual.vips.visual_tree import VisualNode

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

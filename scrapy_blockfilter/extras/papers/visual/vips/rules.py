"""Whether a node of the visual tree is divided, by the rules R1 to R13 of VIPS, and how coherent it is if not."""

from __future__ import annotations

from typing import NamedTuple

from scrapy_blockfilter.extras.papers.visual.vips.visual_tree import VisualNode

# Shares of the block that is divided in this round, below which R9 and R10 call a node, or its largest child, small.
# The report leaves both thresholds open.
_SMALL_WITH_TEXT = 0.1
_SMALL_CHILD = 0.02
# Shares of the page, and the coherence of blocks above each, for the rules that set it by size. The report names the
# range, 5 to 8.
_COHERENCE_BY_SIZE = ((0.5, 5), (0.2, 6), (0.05, 7))
_COHERENCE_OF_SMALL = 8
# Blocks with one of the following tags hold one thing.
_COHERENT_TAGS = frozenset({"p", "li", "td", "th", "dd", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote"})

_R1_TO_R3 = (1, 2, 3)
_ROWS = (*_R1_TO_R3, 8, 10, 13)
_CELLS = (*_R1_TO_R3, 4, 9, 10, 11, 13)
_PARAGRAPHS = (*_R1_TO_R3, 4, 5, 6, 8, 9, 10, 12)
_OTHERS = (*_R1_TO_R3, 4, 6, 7, 8, 9, 10, 12)
# The rules to try, in their order, by tag (table 2). Pages of 2003 were tables; R8, for tables alone then, is tried on
# every node but cells.
_RULES = {
    **dict.fromkeys(("table", "thead", "tbody", "tfoot", "tr"), _ROWS),
    **dict.fromkeys(("td", "th"), _CELLS),
    "p": _PARAGRAPHS,
}


class Judgement(NamedTuple):
    """The verdict of the rules on a node.

    Attributes:
        coherence: its degree of coherence, 0 if the node is divided.
        whole: children that are not divided in this round, as R8 says.
    """

    coherence: int
    whole: frozenset[VisualNode] = frozenset()


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
    return Judgement(coherence_by_size(node, page_area))  # R13, and what R9 to R11 do not divide


def coherence_by_size(node: VisualNode, page_area: int) -> int:
    """Return the degree of coherence of a node that is not divided, by its tag and its share of the page."""
    if node.tag in _COHERENT_TAGS:
        return _COHERENCE_OF_SMALL
    share = node.box.area / max(1, page_area)
    return next((coherence for least, coherence in _COHERENCE_BY_SIZE if share > least), _COHERENCE_OF_SMALL)

"""Keep the pictures of a page's matter: an image has few words to go by, and its surroundings say more."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from scrapy_blockfilter.consensus.case import Case, Change
from scrapy_blockfilter.consensus.features.of_blocks import LONG_BLOCK
from scrapy_blockfilter.html.class_hints import GROUPS
from scrapy_blockfilter.html.columns import CHARS, IMAGES, LINK_CHARS
from scrapy_blockfilter.html.subtrees import running_sums

_FIGURE = frozenset({"figure"})
# Blocks between a picture and text that stays: galleries and credits stand between paragraphs.
_NEAR = 8
# Elements around a picture that are searched for text beside it.
_AROUND = 4
# Characters beside a picture that may be its caption, and not a text of its own.
_LONGEST_CAPTION = 400
# Blocks of a caption behind its picture: the text and a credit.
_LONGEST_CREDIT = 2
_CAPTION = 1 << GROUPS.index("caption")
# An element of such a name, or the next in one, shows pictures that are not the matter of the page. A FIGURE may have
# buttons to share it, and names for them.
_OF_OTHERS = sum(1 << GROUPS.index(name) for name in ("advert", "byline", "comments", "navigation", "sharing"))
_OF_FIGURES = sum(1 << GROUPS.index(name) for name in ("advert", "byline"))
_PORTRAIT = re.compile(r"(?i)(?<![a-z])gr?avatar(?![a-z])")


class Pictures:
    """Keep a figure, or an image alone, with its caption: between texts that stay, or beside one in its element.

    An image that another page has belongs to the site, and a picture beside stripped links alone to a teaser.
    """

    kind = "picture"

    def changes(self, case: Case) -> Iterator[Change]:
        page, keep = case.columns, case.keep
        numbers = page.numbers
        figures = np.array(page.nearest(_FIGURE), np.int64)[page.nodes]
        is_image = numbers[:, IMAGES] > 0
        is_picture = (figures >= 0) | (is_image & (numbers[:, CHARS] == 0))
        if not is_picture.any() or keep.all() or not keep.any():
            return
        texts = running_sums(keep & (numbers[:, CHARS] > 0))
        end = 0
        for block in np.flatnonzero(is_picture).tolist():
            if block >= end:
                node = int(figures[block] if figures[block] >= 0 else page.nodes[block])
                start, end, around = _picture_of(case, block, node)
                end = max(end, _end_of_caption(case, end))
                if keep[start:end].all():
                    continue
                before = texts[start] > texts[max(0, start - _NEAR)]
                after = texts[min(len(keep), end + _NEAR)] > texts[end]
                is_shared = is_image[start:end] & (case.evidence.pages_with[start:end] > 0)
                if start < end and not is_shared.any() and not _is_named(case, node, start, end):
                    if (before and after) or _is_beside(case, start, end, around):
                        yield Change([*range(start, end)], True, "a picture between texts that stay")


def _picture_of(case: Case, block: int, node: int) -> tuple[int, int, int]:
    """Return the range of a picture's blocks, caption included, and the element around; no blocks for a teaser's."""
    page, tree, keep = case.columns, case.evidence.tree, case.keep
    chars, linked = page.numbers[:, CHARS], page.numbers[:, LINK_CHARS]
    start, end = (int(tree.starts[node]), int(tree.ends[node])) if page.tags[node] == "figure" else (block, block + 1)
    around = node
    for _ in range(_AROUND):
        around = int(tree.outer[node])
        first, last = int(tree.starts[around]), int(tree.ends[around])
        if keep[first:last].any():
            break
        text = int(chars[first:last].sum() - chars[start:end].sum())
        if text and int(linked[first:last].sum()) > text / 2:
            return block + 1, block + 1, around
        if text > _LONGEST_CAPTION:
            break
        node, start, end = around, first, last
    return start, end, around


def _end_of_caption(case: Case, end: int) -> int:
    """Return the end of a caption right behind a picture, outside of its element: a block without links, named so."""
    page, chars = case.columns, case.columns.numbers[:, CHARS]
    for block in range(end, min(end + _LONGEST_CREDIT, len(chars))):
        node = page.nodes[block]
        if not (page.hints[node] & _CAPTION and 0 < chars[block] <= _LONGEST_CAPTION) or case.is_linked[block]:
            return block
    return end


def _is_beside(case: Case, start: int, end: int, around: int) -> bool:
    """Return whether a long text beside a picture stays, as most of the text in the element around both."""
    tree, weights = case.evidence.tree, case.columns.weights
    first, last = int(tree.starts[around]), int(tree.ends[around])
    beside = [block for block in (start - 1, end) if first <= block < last and case.keep[block]]
    if not beside or max(weights[block] for block in beside) < LONG_BLOCK:
        return False
    of_element = weights[first:last]
    return bool(2 * of_element[case.keep[first:last]].sum() > of_element.sum())


def _is_named(case: Case, node: int, start: int, end: int) -> bool:
    """Return whether names say that a picture belongs to an advert, an author, a reader or a button."""
    page = case.columns
    hints = page.hints[node] & _OF_FIGURES
    if page.tags[node] != "figure":
        hints = (page.hints[node] | page.hints[max(0, page.parents[node])]) & _OF_OTHERS
    words = (word for block in range(start, end) for word in page.images.get(block, ()))
    return bool(hints) or any(map(_PORTRAIT.search, words))

"""LBS: the strings that stand beside each other at one level of the tree, where they are longest together.

Samuel Louvan: Extracting the Main Content from HTML Documents, section 2.3.1.

"Contiguously in the same depth level of a DOM sub tree" are the text nodes of an element and those of its children.
Children without a text node of their own (advertisements, lists) are skipped. This is done for every element, and the
largest block of strings is the content.

A string is the text of a block outside of its links, whose text nodes are their own: a menu has none. Mean F1 of six
sets of real pages: .707 for the strings alone, with the links in them counted; .715 without; .763 if every other string
below the same element stays too, the items of lists and the lines of code among paragraphs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from scrapy_blockfilter.html.subtrees import Tree
from scrapy_blockfilter.methods.base import Method, Reason, Verdict
from scrapy_blockfilter.methods.tools.one_page import FittedSinglePage, string_lengths
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import PageFeatures


class LargestBlockString(Method):
    name = "largest_block_string"
    single_page = True

    def fit(self, pages: Sequence[PageFeatures], options: Options) -> FittedLargestBlockString:
        return FittedLargestBlockString(options)


class BlockString(NamedTuple):
    """The largest block of strings.

    Attributes:
        members: the blocks in it, in their order; none where there is no text outside of links.
        size: characters of all its strings.
        of_block: of each block the size of the largest block of strings that it is in.
    """

    members: Sequence[int]
    size: int
    of_block: dict[int, int]


class FittedLargestBlockString(FittedSinglePage):
    def verdicts(self, page: PageFeatures, shown: list[int]) -> Iterable[Verdict]:
        found = largest_block_string(page, shown, self.options.largest_block_string_extent)
        members = frozenset(found.members)
        for block in shown:
            size = found.of_block.get(block, 0)
            keep = block in members
            score = (keep + size / max(1, found.size)) / 2
            yield Verdict(keep, score, partial(_reason, keep, size, found.size))


def largest_block_string(page: PageFeatures, blocks: Sequence[int], extent: str) -> BlockString:
    """The largest block of strings among some blocks of a page.

    Args:
        extent: "strings": those of one level; "subtree": all below the element whose level it is.
    """
    parents = page.structure.parents
    lengths = string_lengths(page).astype(np.int64).tolist()
    strings = [block for block in blocks if lengths[block] > 0]
    sizes: dict[int, int] = {}
    levels: dict[int, tuple[int, ...]] = {}
    for block in strings:
        # At the level of the element whose child the text is, and of that whose child this element is.
        node = page.blocks[block].node
        levels[block] = (node, parents[node]) if node else (node,)
        for level in levels[block]:
            sizes[level] = sizes.get(level, 0) + lengths[block]
    if not sizes:
        return BlockString((), 0, {})
    best = max(sizes, key=lambda level: (sizes[level], -level))
    if extent == "strings":
        members = [block for block in strings if best in levels[block]]
    else:
        tree = Tree(page.columns)
        members = [block for block in strings if tree.starts[best] <= block < tree.ends[best]]
    return BlockString(members, sizes[best], {block: max(sizes[level] for level in levels[block]) for block in strings})


def _reason(keep: bool, size: int, largest: int) -> Reason:
    if not size:
        return Reason("length", "block string of 0 characters: no text outside of links")
    where = "in the largest" if keep else "outside of the largest"
    return Reason("length", f"block string of {size} characters, {where}, which has {largest}")

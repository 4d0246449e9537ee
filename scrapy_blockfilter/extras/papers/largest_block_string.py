"""LBS: keep the largest group of strings at one level of the tree.

Samuel Louvan: Extracting the Main Content from HTML Documents, section 2.3.1.

Strings "contiguously in the same depth level of a DOM sub tree" are the text nodes of an element and of its children.
Children without a text node of their own (advertisements, lists) are skipped. Every element is tried, and the largest
block of strings is the content.

A string is the text of a block outside links, because links have text nodes of their own. A menu therefore has no
strings. All other strings below the same element stay too, such as list items and code among paragraphs; this is better
than keeping only the strings of one level, as the paper says and ``paper_defaults`` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from scrapy_blockfilter.extras.papers.one_page import SinglePageMethod, string_lengths
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.subtrees import Tree
from scrapy_blockfilter.methods.base import Verdict, reason_later
from scrapy_blockfilter.options import Options


class LargestBlockString(SinglePageMethod):
    name = "largest_block_string"

    def verdicts(self, page: Page, shown: list[int], options: Options) -> Iterable[Verdict]:
        found = largest_block_string(page, shown, options.paper_defaults)
        members = frozenset(found.members)
        for block in shown:
            size = found.of_block.get(block, 0)
            keep = block in members
            score = (keep + size / max(1, found.size)) / 2
            told = _NOTHING if not size else _IN if keep else _OUTSIDE
            yield Verdict(keep, score, reason_later("length", told, size, found.size))


class BlockString(NamedTuple):
    """The largest block of strings."""

    members: Sequence[int]  # the blocks in it, in document order; none if all text is inside links
    size: int  # characters of all its strings
    of_block: dict[int, int]  # for each block, the size of the largest block of strings that contains it


def largest_block_string(page: Page, blocks: Sequence[int], one_level: bool) -> BlockString:
    """Return the largest block of strings among blocks of a page: of one level alone, or all below its element."""
    parents = page.parents
    lengths = string_lengths(page).astype(np.int64).tolist()
    strings = [block for block in blocks if lengths[block] > 0]
    sizes: dict[int, int] = {}
    levels: dict[int, tuple[int, ...]] = {}
    for block in strings:
        # The string belongs to the level of its element, and to that of the parent.
        node = page.blocks[block].node
        levels[block] = (node, parents[node]) if node else (node,)
        for level in levels[block]:
            sizes[level] = sizes.get(level, 0) + lengths[block]
    if not sizes:
        return BlockString((), 0, {})
    best = max(sizes, key=lambda level: (sizes[level], -level))
    if one_level:
        members = [block for block in strings if best in levels[block]]
    else:
        tree = Tree.of(page)
        members = [block for block in strings if tree.starts[best] <= block < tree.ends[best]]
    return BlockString(members, sizes[best], {block: max(sizes[level] for level in levels[block]) for block in strings})


_NOTHING = "block string of 0 characters: no text outside of links"
_IN = "block string of {} characters, in the largest, which has {}"
_OUTSIDE = "block string of {} characters, outside of the largest, which has {}"

"""Group the blocks of a page in the ways of the papers. Each function returns lists of block indices."""

from __future__ import annotations

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.tags import HEADINGS, LISTS, TABLE_TAGS
from scrapy_blockfilter.text.block_text import joined_key

_LANDMARKS = frozenset({"section", "article", "aside", "main", "header", "footer", "nav"})
_BOXES = frozenset({"table", "div", "form", "fieldset", "blockquote", "figure", "body", "title"}) | LISTS | _LANDMARKS

# Debnath et al. 2005, section 3: a tag set with TABLE first. Tables are not cut into rows, nor lists into items ("we do
# not consider a single row or column of a table as a block").
BLOCK_SET_TAGS = _BOXES | HEADINGS | {"p", "hr", "pre", "figcaption", "address", "center", "details", "html"}

# Lin & Ho 2002, section 4.1: TABLE makes the block tree, and smaller elements refine it.
TREE_TAGS = frozenset({"table", "title"})
SECTION_TAGS = _BOXES | {"tr", "td", "th"}


def text_chunks(page: Page) -> list[list[int]]:
    """Group the text between table tags, and outside tables between any structural tags (Ma et al. 2003)."""
    nearest = page.nearest(TABLE_TAGS)
    if max(nearest, default=-1) < 0:
        return [[index] for index in range(len(page.blocks))]
    groups: list[list[int]] = []
    last = -1
    for index, node in enumerate(page.nodes.tolist()):
        table = nearest[node]
        if table >= 0 and table == last:
            groups[-1].append(index)
        else:
            groups.append([index])
        last = table
    return groups


def block_set(page: Page, tags: frozenset[str] = BLOCK_SET_TAGS) -> list[list[int]]:
    """Cut at every tag of the set; the rest is a block, too (GetBlockSet: Debnath et al. 2005, algorithm 1)."""
    nearest = page.nearest(tags)
    groups: dict[int, list[int]] = {}
    for index, node in enumerate(page.nodes.tolist()):
        groups.setdefault(nearest[node], []).append(index)
    return list(groups.values())


def group_key(keys: list[int]) -> int:
    """Return the key of a group, made of the keys of its blocks in order."""
    return keys[0] if len(keys) == 1 else joined_key(keys)

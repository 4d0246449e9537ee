"""Ways to divide a page, as groupings of its blocks: each gives lists of block indices."""

from __future__ import annotations

from scrapy_blockfilter.html.tags import HEADINGS, LISTS, TABLE_TAGS
from scrapy_blockfilter.sample import BlockFeatures, PageFeatures
from scrapy_blockfilter.text.block_text import joined_key

_LANDMARKS = frozenset({"section", "article", "aside", "main", "header", "footer", "nav"})
_BOXES = frozenset({"table", "div", "form", "fieldset", "blockquote", "figure", "body", "title"}) | LISTS | _LANDMARKS

# Debnath et al. 2005, section 3: a tag set with TABLE first. A table is not cut into rows nor a list into items ("we do
# not consider a single row or column of a table as a block").
BLOCK_SET_TAGS = _BOXES | HEADINGS | {"p", "hr", "pre", "figcaption", "address", "center", "details", "html"}

# What holds headings, paragraphs and lists, where these are features of a block (Debnath et al. 2005, section 3.2.1); a
# table is whole. SECTION and ARTICLE are not cut at: parts of one text are nested in them.
CONTAINER_TAGS = frozenset(
    {"table", "div", "form", "fieldset", "main", "aside", "nav", "header", "footer", "dialog", "body", "title", "html"}
)

# Lin & Ho 2002, section 4.1: the block tree is made by TABLE, and refined by what is inside.
TREE_TAGS = frozenset({"table", "title"})
SECTION_TAGS = _BOXES | {"tr", "td", "th"}


def text_chunks(page: PageFeatures) -> list[list[int]]:
    """Text between table tags; outside of tables, text between any structural tags (Ma et al. 2003)."""
    nearest = page.structure.nearest(TABLE_TAGS)
    if max(nearest, default=-1) < 0:
        return [[index] for index in range(len(page.blocks))]
    groups: list[list[int]] = []
    last = -1
    for index, block in enumerate(page.blocks):
        table = nearest[block.node]
        if table >= 0 and table == last:
            groups[-1].append(index)
        else:
            groups.append([index])
        last = table
    return groups


def block_set(page: PageFeatures, tags: frozenset[str] = BLOCK_SET_TAGS) -> list[list[int]]:
    """GetBlockSet (Debnath et al. 2005, algorithm 1): cut at every tag of the set; what is left over is a block too."""
    nearest = page.structure.nearest(tags)
    groups: dict[int, list[int]] = {}
    for index, block in enumerate(page.blocks):
        nearby = nearest[block.node]
        if nearby in groups:
            groups[nearby].append(index)
        else:
            groups[nearby] = [index]
    return list(groups.values())


def group_key(blocks: list[BlockFeatures]) -> int:
    """The identity of a group: that of its blocks in their order."""
    if len(blocks) == 1:
        return blocks[0].key
    return joined_key(block.key for block in blocks)

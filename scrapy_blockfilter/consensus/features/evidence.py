"""The features of each block of a page: what it is, what repeats, how its slot and what is around it behave.

Nothing in them is a word of any language; position on the page, depth and length of page are left out, as they fit
sites rather than the task.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.consensus.features.of_blocks import OWN, TAGS, Blocks
from scrapy_blockfilter.consensus.features.of_nodes import NODE, Nodes
from scrapy_blockfilter.consensus.features.of_site import Comparison, SiteStatistics
from scrapy_blockfilter.consensus.features.subtree_sums import SUBTREE, block_sums, side_by_side
from scrapy_blockfilter.html.columns import PageColumns
from scrapy_blockfilter.html.names import CONTAINERS, GROUPS
from scrapy_blockfilter.html.subtrees import LEVELS, Floats, Indices, Tree, finite_products

_REPETITION = (
    *("other pages", "on share of pages", "on pages", "on share of pages in its slot", "repeated", "on several"),
)
_SLOT = ("slot on share of pages", "nodes of slot", "nodes of slot here", "distinct texts of slot", "blocks of slot")
NAMES = (
    *(f"text: {name}" for name in OWN),
    *(f"tag: {name}" for name in TAGS),
    *(f"pages: {name}" for name in _REPETITION),
    *(f"slot: {name}" for name in _SLOT),
    *(f"slot: {name}" for name in SUBTREE if name != "share of page"),
    *(f"named near: {name}" for name in GROUPS),
    *(f"named: {name}" for name in GROUPS),
    *(f"inside: {name}" for name in CONTAINERS),
    *(f"level {level}: {name}" for level in range(LEVELS) for name in NODE),
)


# On this share of the other pages a text is of the template: the default of DF_SHARE.
_TEMPLATE_SHARE = 0.3
_BITS = np.arange(len(GROUPS) + len(CONTAINERS))


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known of the blocks of a page on its site.

    Attributes:
        matrix: a row of features a block, named by ``NAMES``.
        tree: which blocks each node holds.
        weights: of each block the length of its text.
        rows: of each node the row of its slot in the site's statistics, -1 if no page had it: that of its style path,
            or of its tag path where no other page has the style path.
        all_rows: of each node the rows of both.
        others: number of pages the page is compared with.
        pages_with: of each block the number of those that have it.
        pages_with_slot: of each block the number of those that have its style path.
        records: of each block how many records like the one it is in the page has, 0 if it is in none.
        headings: of each block the last heading before it, itself for a heading; -1 where there is none.
    """

    matrix: Floats
    tree: Tree
    weights: Floats
    rows: Indices
    all_rows: tuple[Indices, Indices]
    others: int
    pages_with: Floats
    pages_with_slot: Floats
    records: Floats
    headings: Indices

    @cached_property
    def are_repeated(self) -> npt.NDArray[np.bool_]:
        """Which blocks are on so many other pages that they are of the template, whatever else they are."""
        least = max(2 if self.others > 1 else 1, _TEMPLATE_SHARE * self.others)
        return np.asarray(self.pages_with >= least, np.bool_)


@finite_products
def evidence_of(page: PageColumns, site: SiteStatistics) -> Evidence:
    """Features of the blocks of ``page`` as a page of ``site``, whether it was learnt from or not."""
    tree = Tree(page)
    seen = site.compare(page)
    has_style = seen.style_paths > 0
    rows = np.where(has_style, seen.style_rows, seen.tag_rows)
    pages_of_slot = np.where(has_style, seen.style_paths, seen.tag_paths)
    shares = np.asarray(pages_of_slot / max(1, seen.others), np.float32)
    blocks = Blocks(page, block_sums(page, seen.keys > 0))
    nodes = Nodes(page, tree, blocks)
    records = nodes.records(tree, len(page.keys))
    count = len(page.keys)
    matrix = np.empty((count, len(NAMES)), np.float32)
    levels = nodes.features(shares, site.of_subtrees.take(rows, axis=0)).take(tree.levels, axis=0)
    first = 0
    for part in (
        blocks.own(records, np.asarray(seen.keys / max(1, seen.others), np.float32)),
        blocks.tags(),
        _repetition(seen),
        *_slots(page.nodes, shares, nodes.like_it, site.of_slots.take(rows, axis=0)),
        *_hints(page, tree),
        levels.reshape(count, LEVELS * len(NODE)),
    ):
        matrix[:, first : first + part.shape[1]] = part
        first += part.shape[1]
    all_rows = seen.style_rows, seen.tag_rows
    on_pages = seen.others, seen.keys, seen.style_paths[page.nodes]
    return Evidence(matrix, tree, page.weights, rows, all_rows, *on_pages, records[:, 0], blocks.headings)


def _repetition(seen: Comparison) -> Floats:
    share = 1 / max(1, seen.others)
    columns = (
        np.log1p(seen.others),
        seen.keys * share,
        np.minimum(seen.keys, 10),
        seen.keys_in_slots * share,
        seen.keys > 0,
        seen.keys > 1,
    )
    return side_by_side(len(seen.keys), columns)


def _slots(nodes: Indices, shares: Floats, like_it: Indices, of_slots: Floats) -> tuple[Floats, Floats]:
    """Features of the slot of each block."""
    on_site = of_slots.take(nodes, axis=0)
    numbers = (shares[nodes], on_site[:, 0], np.log(like_it[nodes]), on_site[:, 1], on_site[:, 2])
    return side_by_side(len(nodes), numbers), on_site[:, 3:]


def _hints(page: PageColumns, tree: Tree) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Whether the node of a block or the one around it is named so; whether any around it is, and what it is inside."""
    own = np.array(page.hints, np.int64)
    near = (own | own[np.maximum(page.parents, 0)])[page.nodes]
    inherited = tree.inherited[page.nodes]
    return near[:, None] >> _BITS[: len(GROUPS)] & 1, inherited[:, None] >> _BITS & 1

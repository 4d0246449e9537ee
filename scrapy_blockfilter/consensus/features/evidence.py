"""Put the features of each block together: its text, its repetition, its slot and its surroundings.

No feature is a word of any language. Position on the page, depth and page length are left out: they fit single sites
rather than the task.
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
from scrapy_blockfilter.html import Page
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


# A text on this share of the other pages is template: the default of DF_SHARE.
_TEMPLATE_SHARE = 0.3
_BITS = np.arange(len(GROUPS) + len(CONTAINERS))


@dataclass(frozen=True, eq=False)
class Evidence:
    """The features of a page's blocks on its site.

    Attributes:
        matrix: one row of features per block, with the columns of ``NAMES``.
        tree: which blocks each node holds.
        weights: the length of each block's text.
        rows: for each node, the row of its slot in the site's statistics. The slot is its style path, or its tag path
            where no other page has the style path; -1 if no page had it.
        all_rows: for each node, the rows of its style path and of its tag path.
        others: how many pages the page is compared with.
        pages_with: for each block, how many of those pages have it.
        records: for each block, the number of similar records on the page as a logarithm; 0 outside of records.
        headings: for each block, the last heading before it; a heading is its own. -1 where there is none.
    """

    matrix: Floats
    tree: Tree
    weights: Floats
    rows: Indices
    all_rows: tuple[Indices, Indices]
    others: int
    pages_with: Floats
    records: Floats
    headings: Indices

    @cached_property
    def are_repeated(self) -> npt.NDArray[np.bool_]:
        """Mark the blocks that are template because enough other pages have them, whatever else they are."""
        least = max(2 if self.others > 1 else 1, _TEMPLATE_SHARE * self.others)
        return np.asarray(self.pages_with >= least, np.bool_)


@finite_products
def evidence_of(page: Page, site: SiteStatistics) -> Evidence:
    """Return the features of the blocks of ``page`` on ``site``, whether the page was learnt from or not."""
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
    return Evidence(matrix, tree, page.weights, rows, all_rows, seen.others, seen.keys, records[:, 0], blocks.headings)


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
    """Return the features of each block's slot."""
    on_site = of_slots.take(nodes, axis=0)
    numbers = (shares[nodes], on_site[:, 0], np.log(like_it[nodes]), on_site[:, 1], on_site[:, 2])
    return side_by_side(len(nodes), numbers), on_site[:, 3:]


def _hints(page: Page, tree: Tree) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return two tables of hints from names.

    The first: which groups of names the block's node or its parent has. The second: the same for any ancestor, and the
    containers that the block is inside.
    """
    own = np.array(page.hints, np.int64)
    near = (own | own[np.maximum(page.parents, 0)])[page.nodes]
    inherited = tree.inherited[page.nodes]
    return near[:, None] >> _BITS[: len(GROUPS)] & 1, inherited[:, None] >> _BITS & 1

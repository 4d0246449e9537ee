"""Features of a node: what is in it on this page and on its site, and whether it is one of many like it."""

from __future__ import annotations

import numpy as np

from scrapy_blockfilter.evidence.blocks import Blocks
from scrapy_blockfilter.evidence.sums import BLOCKS, LINKED, SUBTREE, WEIGHT, of_subtrees, side_by_side
from scrapy_blockfilter.evidence.tree import Floats, Tree
from scrapy_blockfilter.html.columns import PageColumns

NODE = (
    *(f"here: {name}" for name in SUBTREE),
    *(f"on the site: {name}" for name in SUBTREE),
    *("on share of pages", "nodes like it", "title", "title elsewhere", "dates", "share of dates", "headings"),
)

# Own text of a record, such as a reader's comment, beside its date; it has no more dates than this.
_RECORD_TEXT, _RECORD_DATES = 20, 3


class Nodes:
    """Features of the nodes of a page.

    Attributes:
        places: of each node the number of its tag path: names differ between a page's records ("odd", "by-author").
    """

    def __init__(self, page: PageColumns, tree: Tree, blocks: Blocks) -> None:
        marks = np.stack([blocks.title * ~blocks.is_title, blocks.is_date, blocks.is_heading], axis=1)
        inside = tree.sums(np.concatenate([blocks.sums, marks], axis=1))
        self.inside, (self.title, self.dates, self.headings) = inside[:, : -marks.shape[1]], inside[:, -3:].T
        self.total = max(1.0, float(self.inside[0, WEIGHT]))
        _, places, counts = np.unique(page.slots, return_inverse=True, return_counts=True)
        self.like_it = counts[places]
        _, self.places = np.unique(page.tag_paths, return_inverse=True)

    def features(self, on_share_of_pages: Floats, on_site: Floats) -> Floats:
        """``NODE`` of each node, given on what share of the other pages its slot is, and what is in it on the site."""
        best = np.zeros(self.places.max() + 1, np.float32)
        np.maximum.at(best, self.places, self.title)
        columns = (
            on_share_of_pages,
            np.log(self.like_it),
            np.minimum(self.title, 1),
            best[self.places] > self.title + 0.1,
            np.log1p(self.dates),
            self.dates / np.maximum(self.inside[:, BLOCKS], 1),
            np.log1p(self.headings),
        )
        size = len(SUBTREE)
        table = np.empty((len(self.places), len(NODE)), np.float32)
        table[:, :size] = of_subtrees(self.inside, self.inside[:, WEIGHT] / self.total)
        table[:, size : 2 * size] = on_site
        table[:, 2 * size :] = side_by_side(len(table), columns)
        return table

    def records(self, tree: Tree, blocks: int) -> Floats:
        """Of each block how many records like the one it is in the page has, as a logarithm, and the share of the text
        that they have; 0 where it is in none. Records are like subtrees with a date and text of their own, as comments
        have them."""
        text = self.inside[:, WEIGHT] - self.inside[:, LINKED]
        is_record = (self.dates > 0) & (self.dates <= _RECORD_DATES) & (text >= _RECORD_TEXT)
        count = np.bincount(self.places, is_record)[self.places]
        share = np.bincount(self.places, is_record * self.inside[:, WEIGHT])[self.places] / self.total
        found = np.zeros((blocks, 2), np.float32)
        nodes = np.flatnonzero(is_record & (count >= 2))
        for node in nodes[np.argsort(count[nodes], kind="stable")].tolist():  # that with most others like it counts
            found[tree.starts[node] : tree.ends[node]] = np.log1p(count[node]), share[node]
        return found

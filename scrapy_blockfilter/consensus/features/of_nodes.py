"""Features of a node: its content on this page and on the site, and how many similar nodes there are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.consensus.features.of_blocks import Blocks
from scrapy_blockfilter.consensus.features.subtree_sums import (
    BLOCKS,
    LINKED,
    LONG,
    SUBTREE,
    WEIGHT,
    of_subtrees,
    side_by_side,
)
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.subtrees import Floats, Tree, running_sums

NODE = (
    *(f"here: {name}" for name in SUBTREE),
    *(f"on the site: {name}" for name in SUBTREE),
    *("on share of pages", "nodes like it", "title", "title elsewhere", "dates", "share of dates", "headings"),
    *("share of plain text", "prices", "share of prices"),
    *("run", "run: share of plain text", "run: unlike", "run: dates", "run: long text before"),
)

# A record, such as a reader's comment, has at least this much text besides its date, and at most this many dates.
_RECORD_TEXT, _RECORD_DATES = 20, 3


class Nodes:
    """Features of the nodes of a page.

    Attributes:
        places: for each node, the number of its tag path. Style paths would not do: names differ between a page's
            records ("odd", "by-author").
    """

    def __init__(self, page: Page, tree: Tree, blocks: Blocks) -> None:
        marks = np.stack([blocks.title * ~blocks.is_title, blocks.is_date, blocks.is_price, blocks.is_heading], axis=1)
        inside = tree.sums(np.concatenate([blocks.sums, marks], axis=1))
        self.inside = inside[:, : -marks.shape[1]]
        self.title, self.dates, self.prices, self.headings = inside[:, -marks.shape[1] :].T
        self.total = max(1.0, float(self.inside[0, WEIGHT]))
        _, places, counts = np.unique(page.slots, return_inverse=True, return_counts=True)
        self.like_it = counts[places]
        _, self.places = np.unique(page.tag_paths, return_inverse=True)
        self.plain = self.inside[:, WEIGHT] - self.inside[:, LINKED]
        long_text = blocks.sums[:, LONG] * (blocks.sums[:, WEIGHT] - blocks.sums[:, LINKED])
        self.long_before = running_sums(long_text)[tree.starts]
        self.parents = np.array(page.parents, np.int64)

    def features(self, on_share_of_pages: Floats, on_site: Floats) -> Floats:
        """Return the features ``NODE`` of each node.

        Args:
            on_share_of_pages: for each node, the share of the other pages that have its slot.
            on_site: for each node, the content of its slot on the site.
        """
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
            self.plain / max(1.0, float(self.plain[0])),
            np.log1p(self.prices),
            self.prices / np.maximum(self.inside[:, BLOCKS], 1),
            *self._runs(),
        )
        size = len(SUBTREE)
        table = np.empty((len(self.places), len(NODE)), np.float32)
        table[:, :size] = of_subtrees(self.inside, self.inside[:, WEIGHT] / self.total)
        table[:, size : 2 * size] = on_site
        table[:, 2 * size :] = side_by_side(len(table), columns)
        return table

    def _runs(self) -> Iterator[npt.NDArray[np.floating]]:
        """Describe each node's run of siblings with the same tag.

        The values: number of siblings, their share of the plain text, spread of their block counts, dates, and the long
        text before the first.
        """
        # Nodes of one tag path below one parent.
        _, run = np.unique(self.parents * (len(self.parents) + 1) + self.places, return_inverse=True)
        size = self.inside[:, BLOCKS]
        has_text = size > 0
        count = np.maximum(np.bincount(run, has_text), 1)

        def mean(of_nodes: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
            return np.bincount(run, of_nodes * has_text) / count

        spread = np.sqrt(np.maximum(mean(size * size) - mean(size) ** 2, 0)) / np.maximum(mean(size), 1)
        first = np.full(len(count), np.inf)
        np.minimum.at(first, run, self.long_before)
        of_runs = (
            np.log(count),
            np.bincount(run, self.plain) / max(1.0, float(self.plain[0])),
            np.minimum(spread, 3),
            np.minimum(mean(self.dates), 3),
            np.log1p(np.maximum(first, 0)),
        )
        for values in of_runs:
            yield values[run]

    def records(self, tree: Tree, blocks: int) -> Floats:
        """For each block, return the number of similar records and their share of the text; 0 outside of records.

        Records are similar subtrees with a date and text of their own, such as comments. The number is a logarithm.
        """
        text = self.inside[:, WEIGHT] - self.inside[:, LINKED]
        is_record = (self.dates > 0) & (self.dates <= _RECORD_DATES) & (text >= _RECORD_TEXT)
        count = np.bincount(self.places, is_record)[self.places]
        share = np.bincount(self.places, is_record * self.inside[:, WEIGHT])[self.places] / self.total
        found = np.zeros((blocks, 2), np.float32)
        nodes = np.flatnonzero(is_record & (count >= 2))
        for node in nodes[np.argsort(count[nodes], kind="stable")].tolist():  # most similar ones count
            found[tree.starts[node] : tree.ends[node]] = np.log1p(count[node]), share[node]
        return found

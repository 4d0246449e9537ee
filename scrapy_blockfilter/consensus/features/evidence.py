"""Put the features of each block together: its text, its repetition, its slot and its surroundings.

No feature is a word of any language. Position on the page, depth and page length are left out: they fit single sites
rather than the task.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.consensus.features.of_blocks import (
    BLOCKS,
    LINKED,
    OWN,
    SUBTREE,
    TAGS,
    WEIGHT,
    Blocks,
    arrays_of,
    block_sums,
    of_subtrees,
    side_by_side,
)
from scrapy_blockfilter.consensus.features.of_site import Comparison, SiteStatistics
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.class_hints import CONTAINERS, GROUPS
from scrapy_blockfilter.html.subtrees import LEVELS, Floats, Indices, Tree, finite_products
from scrapy_blockfilter.methods.base import Flags

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
        self.long_before = blocks.long_before[tree.starts]
        self.parents = np.array(page.parents, np.int64)

    def features(self, on_share_of_pages: Floats, on_site: Floats) -> Floats:
        """Return the features ``NODE`` of each node, by the share of other pages and the content of its slot."""
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
        is_record = (self.dates > 0) & (self.dates <= _RECORD_DATES) & (self.plain >= _RECORD_TEXT)
        count = np.bincount(self.places, is_record)[self.places]
        share = np.bincount(self.places, is_record * self.inside[:, WEIGHT])[self.places] / self.total
        found = np.zeros((blocks, 2), np.float32)
        nodes = np.flatnonzero(is_record & (count >= 2))
        for node in nodes[np.argsort(count[nodes], kind="stable")].tolist():  # most similar ones count
            found[tree.starts[node] : tree.ends[node]] = np.log1p(count[node]), share[node]
        return found


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
_PLACES = {name: place for place, name in enumerate(NAMES)}

# A text on this share of the other pages is template: the default of DF_SHARE.
_TEMPLATE_SHARE = 0.3
# Weight of the long text before a block, from which on it is below the content.
_CONTENT = 200
_BITS = np.arange(len(GROUPS) + len(CONTAINERS))


@dataclass(frozen=True, eq=False)
class Evidence:
    """The features of a page's blocks on its site."""

    matrix: Floats  # one row of features per block, with the columns of ``NAMES``
    tree: Tree  # which blocks each node holds
    weights: Floats  # the length of each block's text
    # For each node, the row of its slot in the site's statistics. The slot is its style path, or its tag path where no
    # other page has the style path; -1 if no page had it.
    rows: Indices
    all_rows: tuple[Indices, Indices]  # for each node, the rows of its style path and of its tag path
    others: int  # how many pages the page is compared with
    pages_with: Floats  # for each block, how many other pages have it
    records: Floats  # for each block, the number of similar records on the page as a logarithm; 0 outside of records
    headings: Indices  # for each block, the last heading before it, or -1; a heading is its own

    def column(self, name: str) -> Floats:
        """Return a feature of all blocks, by its name in ``NAMES``."""
        return self.matrix[:, _PLACES[name]]

    @cached_property
    def are_below_content(self) -> Flags:
        """Mark the blocks that are below the content, if there is any."""
        return np.asarray(self.column("text: long text before") >= np.log1p(_CONTENT), np.bool_)

    @cached_property
    def are_repeated(self) -> Flags:
        """Mark the blocks that are template because enough other pages have them, whatever else they are."""
        least = max(2 if self.others > 1 else 1, _TEMPLATE_SHARE * self.others)
        return np.asarray(self.pages_with >= least, np.bool_)


@finite_products
def evidence_of(page: Page, site: SiteStatistics, native: ModuleType | None = None) -> Evidence:
    """Return the features of the blocks of ``page`` on ``site``, whether the page was learnt from or not.

    Raises:
        ValueError: the arrays of the page or of the site do not fit each other, in native code.
    """
    if native is not None:
        matrix, of_nodes, *others = native.evidence(arrays_of(page), site.arrays, len(GROUPS), len(CONTAINERS))
        return Evidence(matrix, Tree(*of_nodes), page.weights, *others)
    tree = Tree.of(page)
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
    """Return two tables of hints from names: of a block's node or its parent; of any ancestor, with containers."""
    own = np.array(page.hints, np.int64)
    near = (own | own[np.maximum(page.parents, 0)])[page.nodes]
    inherited = tree.inherited[page.nodes]
    return near[:, None] >> _BITS[: len(GROUPS)] & 1, inherited[:, None] >> _BITS & 1

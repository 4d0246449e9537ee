"""Headlines and summaries of further articles below that of a page, told by what several pages of a site show.

On one page they may be its content: a list of news below what it is about. Where several pages have them as the last,
below text of their own, the site invites its readers to go on. By a network that has seen no such site F1 rises on
ria.ru by .184, held back by site, and by .210, held back by set, on wp.pl by .044 by set (daniel: .9392 to .9439, .9334
to .9402), and no site of 118 loses. Told by each page alone, the rule costs mozilla.org, whose pages are such lists,
.2.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.evidence.features import Evidence
from scrapy_blockfilter.evidence.own_text import own_text
from scrapy_blockfilter.evidence.tree import Indices, Tree, running_sums
from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS, PageColumns
from scrapy_blockfilter.html.tags import HEADINGS

Flags = npt.NDArray[np.bool_]

# A teaser: an element of so many blocks at the most with one heading, which is linked.
_BLOCKS, _ALL_LINKED = 12, 0.9
# Pages that show teasers, two side by side or more, as their last text, below so much text of their own.
_LEAST_PAGES, _SIDE_BY_SIDE, _TEXT_ABOVE = 2, 2, 400
# Text of its own that a page must keep beside its teasers.
_TEXT_BESIDE = 300


class TeaserPaths:
    """Where a site has teasers of further articles, as tag paths: their classes differ on a page ("lead", "story").

    Args:
        pages: of each page learnt from its columns, its evidence, and which of its blocks are kept.
    """

    def __init__(self, pages: Iterable[tuple[PageColumns, Evidence, Flags]]) -> None:
        on_pages = Counter(path for page in pages for path in _paths_below_text(*page))
        self._paths = frozenset(path for path, count in on_pages.items() if count >= _LEAST_PAGES)

    def blocks_in(self, columns: PageColumns, evidence: Evidence, keep: Flags) -> list[int]:
        """The kept blocks of a page that are in teasers, where it keeps text of its own beside them."""
        if not self._paths:
            return []
        tree = evidence.tree
        nodes = [node for node in _teasers(columns, tree).tolist() if int(columns.tag_paths[node]) in self._paths]
        are_in = _blocks_of(tree, nodes, len(keep))
        if own_text(columns)[keep & ~are_in].sum() < _TEXT_BESIDE:
            return []
        return np.flatnonzero(keep & are_in).tolist()


def _paths_below_text(columns: PageColumns, evidence: Evidence, keep: Flags) -> set[int]:
    """The tag paths of teasers that are side by side and the last that a page keeps, below text of its own."""
    tree = evidence.tree
    siblings: dict[tuple[int, int], list[int]] = defaultdict(list)
    for node in _teasers(columns, tree).tolist():
        siblings[columns.parents[node], int(columns.tag_paths[node])].append(node)
    groups = {key: nodes for key, nodes in siblings.items() if len(nodes) >= _SIDE_BY_SIDE}
    are_in = _blocks_of(tree, [node for nodes in groups.values() for node in nodes], len(keep))
    kept = np.flatnonzero(keep & are_in)
    if not len(kept):
        return set()
    text = np.where(keep & ~are_in, own_text(columns), 0)
    if text[: kept[0]].sum() < _TEXT_ABOVE or text[kept[0] :].any():
        return set()
    return {
        path
        for (_, path), nodes in groups.items()
        if any(keep[tree.starts[node] : tree.ends[node]].any() for node in nodes)
    }


def _teasers(columns: PageColumns, tree: Tree) -> Indices:
    """The nodes of a page that look like a teaser: a linked headline, and what is said below it."""
    numbers, tags = columns.numbers, columns.tags
    is_linked = (numbers[:, CHARS] > 0) & (numbers[:, LINK_CHARS] >= _ALL_LINKED * numbers[:, CHARS])
    is_heading = np.fromiter((tags[node] in HEADINGS for node in columns.nodes.tolist()), np.bool_, len(numbers))
    if not (is_heading & is_linked).any():
        return np.zeros(0, np.int64)
    sums = running_sums(np.stack([is_heading, is_heading & is_linked], axis=1).astype(np.float32))
    headings, linked_headings = (sums[tree.ends] - sums[tree.starts]).T
    return np.flatnonzero((tree.ends - tree.starts <= _BLOCKS) & (headings == 1) & (linked_headings == 1))


def _blocks_of(tree: Tree, nodes: Iterable[int], blocks: int) -> Flags:
    found = np.zeros(blocks, np.bool_)
    for node in nodes:
        found[tree.starts[node] : tree.ends[node]] = True
    return found

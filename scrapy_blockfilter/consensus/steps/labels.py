"""Keep the label of a value that stays."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from scrapy_blockfilter.consensus.steps.base import Case, Change
from scrapy_blockfilter.html.columns import LAST_KIND
from scrapy_blockfilter.text.characters import COMMA

# Labels are shorter than this, in characters; those of scripts without spaces count as three.
_LONGEST = 60


class Labels:
    """Keep the unlinked label of a value that stays.

    A label is the first of two blocks in an element, or ends with a colon before the next block of its element.
    """

    kind = "label"

    def changes(self, case: Case) -> Iterator[Change]:
        columns, tree, keep = case.columns, case.evidence.tree, case.keep
        if len(keep) < 2:
            return
        outer = tree.outer[columns.nodes]
        is_pair = (tree.starts[outer] == np.arange(len(keep))) & (tree.ends[outer] - tree.starts[outer] == 2)
        ends_with_colon = (columns.numbers[:, LAST_KIND] == COMMA) & (tree.ends[outer] > np.arange(len(keep)) + 1)
        is_label = ~keep & (columns.weights < _LONGEST) & ~case.is_linked & (is_pair | ends_with_colon)
        is_label[:-1] &= keep[1:]
        is_label[-1] = False
        if blocks := np.flatnonzero(is_label).tolist():
            yield Change(blocks, True, "the label of a value that stays")

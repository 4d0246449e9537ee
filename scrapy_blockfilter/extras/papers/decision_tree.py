"""Read trained decision trees from plain JSON, and evaluate them for all rows at once.

A tree is a mapping. A branch names a ``feature`` and a value: rows that have ``at_most`` this value go to ``then``, all
others to ``else``. A leaf has the ``share`` of its training examples that are of the class, 0 to 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scrapy_blockfilter.extras.papers.one_page import Floats

# Branches above a leaf. The bound limits the work of evaluating a tree.
_DEEPEST = 32
_BRANCH, _LEAF = frozenset({"feature", "at_most", "then", "else"}), frozenset({"share"})


class TreeError(ValueError):
    """Raised for data that is no decision tree of the features given."""


@dataclass(frozen=True, eq=False)
class DecisionTree:
    """A tree of parsed JSON, and the column of each feature in rows."""

    root: Mapping[str, Any]
    columns: Mapping[str, int]

    def shares(self, rows: Floats) -> Floats:
        """Return the share of the leaf that each row of features reaches."""
        found = np.zeros(len(rows))
        todo = [(self.root, np.arange(len(rows)))]
        while todo:
            node, at = todo.pop()
            if "share" in node:
                found[at] = node["share"]
            elif len(at):
                is_above = rows[at, self.columns[node["feature"]]] > node["at_most"]
                todo += [(node["then"], at[~is_above]), (node["else"], at[is_above])]
        return found


def read_tree(stored: Any, names: Sequence[str]) -> DecisionTree:
    """Check a tree of parsed JSON, by the names of the features of rows; raise TreeError for anything else."""
    todo: list[tuple[Any, int]] = [(stored, 0)]
    while todo:
        node, depth = todo.pop()
        keys = frozenset(node) if isinstance(node, Mapping) else frozenset()
        if keys not in (_BRANCH, _LEAF) or depth > _DEEPEST:
            raise TreeError(f"not a branch or leaf of a decision tree, or too deep: {node!r:.80}")
        value = node["share"] if keys == _LEAF else node["at_most"]
        if not isinstance(value, int | float) or not np.isfinite(value) or (keys == _LEAF and not 0 <= value <= 1):
            raise TreeError(f"not a valid number in a decision tree: {value!r:.80}")
        if keys == _BRANCH:
            if node["feature"] not in names:
                raise TreeError(f"unknown feature in a decision tree: {node['feature']!r:.80}")
            todo += [(node["else"], depth + 1), (node["then"], depth + 1)]
    return DecisionTree(stored, {name: column for column, name in enumerate(names)})

"""Read trained decision trees from plain JSON, and evaluate them for all rows at once.

A tree is a mapping. A branch names a ``feature`` and a value: rows that have ``at_most`` this value go to ``then``, all
others to ``else``. A leaf has the ``share`` of its training examples that are of the class, 0 to 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

# Branches above a leaf. The bound limits the work of evaluating a tree.
_DEEPEST = 32
_BRANCH, _LEAF = frozenset({"feature", "at_most", "then", "else"}), frozenset({"share"})

Floats = npt.NDArray[np.float64]


class TreeError(ValueError):
    """Raised for data that is no decision tree of the features given."""


@dataclass(frozen=True, eq=False)
class DecisionTree:
    """A tree as columns, with one row per branch or leaf; the first is the root.

    Attributes:
        features: number of a branch's feature, or -1 for a leaf.
        thresholds: ``at_most`` of a branch, or share of a leaf.
        children: rows of a branch's ``then`` and ``else``, or a leaf's own row twice: shape (rows, 2).
        depth: largest number of branches above a leaf.
    """

    features: npt.NDArray[np.intp]
    thresholds: Floats
    children: npt.NDArray[np.intp]
    depth: int

    def shares(self, rows: Floats) -> Floats:
        """Return the share of the leaf that each row of features reaches."""
        at = np.zeros(len(rows), np.intp)
        for _ in range(self.depth):
            feature = self.features[at]
            values = np.take_along_axis(rows, np.maximum(feature, 0)[:, None], axis=1)[:, 0]
            at = self.children[at, (values > self.thresholds[at]).astype(np.intp)]
        return self.thresholds[at]


def read_tree(stored: Any, names: Sequence[str]) -> DecisionTree:
    """Build a tree from parsed JSON, by the names of the features of rows; raise TreeError for anything else."""
    features: list[int] = []
    thresholds: list[float] = []
    children: list[tuple[int, int]] = []
    numbers = {name: number for number, name in enumerate(names)}
    deepest = 0
    todo: list[tuple[Any, int, int, int]] = [(stored, -1, 0, 0)]  # node, row of its parent, which child, depth
    while todo:
        node, parent, side, depth = todo.pop()
        row = len(features)
        keys = frozenset(node) if isinstance(node, Mapping) else frozenset()
        if keys not in (_BRANCH, _LEAF) or depth > _DEEPEST:
            raise TreeError(f"not a branch or leaf of a decision tree, or too deep: {node!r:.80}")
        value = node["share"] if keys == _LEAF else node["at_most"]
        if not isinstance(value, int | float) or not np.isfinite(value) or (keys == _LEAF and not 0 <= value <= 1):
            raise TreeError(f"not a valid number in a decision tree: {value!r:.80}")
        feature = -1
        if keys == _BRANCH:
            feature = numbers.get(node["feature"], -1) if isinstance(node["feature"], str) else -1
            if feature < 0:
                raise TreeError(f"unknown feature in a decision tree: {node['feature']!r:.80}")
            todo += [(node["else"], row, 1, depth + 1), (node["then"], row, 0, depth + 1)]
        features.append(feature)
        thresholds.append(float(value))
        children.append((row, row))
        if parent >= 0:
            before, behind = children[parent]
            children[parent] = (before, row) if side else (row, behind)
        deepest = max(deepest, depth)
    return DecisionTree(np.array(features, np.intp), np.array(thresholds), np.array(children, np.intp), deepest)

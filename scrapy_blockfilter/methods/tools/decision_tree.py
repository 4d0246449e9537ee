"""Decision trees, grown elsewhere and read from JSON that a person can read: evaluated by numpy, for all rows at once.

A tree is a mapping. A branch names a ``feature`` and the value that rows ``at_most`` have which go to ``then``, the
others to ``else``; a leaf has the ``share`` of what came to it in training that is of the class, 0 to 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

# Branches in one line, which bounds the work of evaluating a tree.
_DEEPEST = 32
_BRANCH, _LEAF = frozenset({"feature", "at_most", "then", "else"}), frozenset({"share"})

Floats = npt.NDArray[np.float64]


class TreeError(ValueError):
    """What was read is no decision tree of these features."""


@dataclass(frozen=True, eq=False)
class DecisionTree:
    """A tree as columns, one row a branch or leaf; the first is the root.

    Attributes:
        features: of a branch the number of its feature, of a leaf -1.
        thresholds: of a branch its ``at_most``, of a leaf its share.
        children: shape (rows, 2): of a branch the rows of ``then`` and ``else``, of a leaf itself.
        depth: the most branches above a leaf.
    """

    features: npt.NDArray[np.intp]
    thresholds: Floats
    children: npt.NDArray[np.intp]
    depth: int

    def shares(self, rows: Floats) -> Floats:
        """Of each row of features the share of its leaf."""
        at = np.zeros(len(rows), np.intp)
        for _ in range(self.depth):
            feature = self.features[at]
            values = np.take_along_axis(rows, np.maximum(feature, 0)[:, None], axis=1)[:, 0]
            at = self.children[at, (values > self.thresholds[at]).astype(np.intp)]
        return self.thresholds[at]


def read_tree(stored: Any, names: Sequence[str]) -> DecisionTree:
    """A tree from what JSON gives.

    Args:
        names: of the features of the rows that it is to judge.

    Raises:
        TreeError: it is no tree, or one of other features.
    """
    features: list[int] = []
    thresholds: list[float] = []
    children: list[tuple[int, int]] = []
    numbers = {name: number for number, name in enumerate(names)}
    deepest = 0
    todo: list[tuple[Any, int, int, int]] = [(stored, -1, 0, 0)]  # with its parent, which child it is, and its depth
    while todo:
        node, parent, side, depth = todo.pop()
        row = len(features)
        keys = frozenset(node) if isinstance(node, Mapping) else frozenset()
        if keys not in (_BRANCH, _LEAF) or depth > _DEEPEST:
            raise TreeError(f"not a branch or a leaf of a decision tree, or one too deep: {node!r:.80}")
        value = node["share"] if keys == _LEAF else node["at_most"]
        if not isinstance(value, int | float) or not np.isfinite(value) or (keys == _LEAF and not 0 <= value <= 1):
            raise TreeError(f"not a number that a decision tree can have: {value!r:.80}")
        feature = -1
        if keys == _BRANCH:
            feature = numbers.get(node["feature"], -1) if isinstance(node["feature"], str) else -1
            if feature < 0:
                raise TreeError(f"no feature of this release: {node['feature']!r:.80}")
            todo += [(node["else"], row, 1, depth + 1), (node["then"], row, 0, depth + 1)]
        features.append(feature)
        thresholds.append(float(value))
        children.append((row, row))
        if parent >= 0:
            before, behind = children[parent]
            children[parent] = (before, row) if side else (row, behind)
        deepest = max(deepest, depth)
    return DecisionTree(np.array(features, np.intp), np.array(thresholds), np.array(children, np.intp), deepest)

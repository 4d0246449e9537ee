"""Decision trees from JSON: their output, and the errors for bad files."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scrapy_blockfilter.extras.papers.decision_tree import TreeError, read_tree

NAMES = ("text", "links")
LEAF = {"share": 0.5}
# By hand: texts up to 100 are noise; longer ones content with up to 3.5 links, and one in four with more.
TREE = {
    "feature": "text",
    "at_most": 100,
    "then": {"share": 0.0},
    "else": {"feature": "links", "at_most": 3.5, "then": {"share": 1.0}, "else": {"share": 0.25}},
}


def nested(depth: int) -> Any:
    tree: Any = LEAF
    for _ in range(depth):
        tree = {"feature": "text", "at_most": 1, "then": LEAF, "else": tree}
    return tree


def test_rows_go_down_to_their_leaves() -> None:
    rows = np.array([[100.0, 0], [101, 3], [101, 4], [0, 9]])
    assert read_tree(TREE, NAMES).shares(rows).tolist() == [0, 1, 0.25, 0]


def test_a_tree_of_one_leaf_gives_its_share_to_all() -> None:
    assert read_tree({"share": 0.75}, NAMES).shares(np.zeros((3, 2))).tolist() == [0.75] * 3
    assert read_tree(LEAF, NAMES).shares(np.zeros((0, 2))).tolist() == []


def test_branches_below_each_other_are_all_gone_through() -> None:
    assert read_tree(nested(32), NAMES).shares(np.array([[2.0, 0.0]])).tolist() == [0.5]


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        (None, "not a branch or leaf"),
        ([], "not a branch or leaf"),
        ({}, "not a branch or leaf"),
        ({"share": 0.5, "more": 1}, "not a branch or leaf"),
        ({"feature": "text", "at_most": 1, "then": LEAF}, "not a branch or leaf"),
        (nested(33), "too deep"),
        ({"share": 1.5}, "not a valid number"),
        ({"share": "much"}, "not a valid number"),
        ({"share": float("nan")}, "not a valid number"),
        ({**TREE, "at_most": float("inf")}, "not a valid number"),
        ({**TREE, "feature": "width"}, "unknown feature in a decision tree: 'width'"),
        ({**TREE, "feature": 0}, "unknown feature in a decision tree: 0"),
        ({**TREE, "else": {**TREE, "then": 3}}, "not a branch or leaf of a decision tree, or too deep: 3"),
    ],
)
def test_what_is_no_tree_is_refused(stored: Any, message: str) -> None:
    with pytest.raises(TreeError, match=message):
        read_tree(stored, NAMES)

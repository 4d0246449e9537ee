"""Sums over blocks worked out by hand, and the features of subtrees made of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scrapy_blockfilter.consensus.features.of_blocks import (
    ANCHORS,
    BLOCKS,
    COMMAS,
    DIGITS,
    ENDS,
    LINK_BLOCKS,
    LINKED,
    LONG,
    LONG_BLOCK,
    PICTURES,
    REPEATED,
    SUBTREE,
    SUMS,
    UPPERS,
    WEIGHT,
    block_sums,
    of_subtrees,
)
from tests.support.pages import segmented


def test_sums_of_a_block_by_hand() -> None:
    made = segmented(
        "<p>In 1962, <a href=/ada>Ada</a> wrote. <img src=/i/ada.jpg></p>"
        f"<p><a href=/>Home</a></p><p>港口<a href=/>城</a></p><p>{'x' * LONG_BLOCK}</p>"
    )
    sums = block_sums(made, np.array([False, True, False, False]))
    names = (WEIGHT, LINKED, REPEATED, BLOCKS, ENDS, COMMAS, DIGITS, UPPERS, LINK_BLOCKS, PICTURES, ANCHORS, LONG)
    assert sorted(names) == list(range(SUMS))
    assert [[float(row[name]) for name in names] for row in sums] == [
        [19, 3, 0, 1, 1, 1, 4, 2, 0, 1, 1, 0],
        [4, 4, 4, 1, 0, 0, 0, 1, 1, 0, 1, 0],
        [9, 3, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0],
        [LONG_BLOCK, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1],
    ]


def test_what_sums_say_of_a_subtree_by_hand() -> None:
    sums = np.zeros((2, SUMS), np.float32)
    sums[0, [WEIGHT, LINKED, REPEATED, BLOCKS, ENDS, COMMAS]] = 200, 50, 20, 4, 3, 1
    sums[0, [DIGITS, UPPERS, LINK_BLOCKS, PICTURES, ANCHORS, LONG]] = 10, 5, 2, 1, 7, 3
    sums[1, [BLOCKS, PICTURES]] = 2, 2  # images alone
    said, nothing = of_subtrees(sums, 0.25).tolist()
    assert dict(zip(SUBTREE, said, strict=True)) == pytest.approx(
        {
            "weight": math.log(201),
            "share of page": 0.25,
            "link density": 0.25,
            "repeated": 0.1,
            "weight of a block": math.log(51),
            "sentence ends": 1.5,
            "commas": 0.5,
            "digits": 0.05,
            "upper case": 0.025,
            "link blocks": 0.5,
            "long blocks": 0.75,
            "blocks": math.log(5),
            "images": 0.25,
        }
    )
    assert not any(nothing)

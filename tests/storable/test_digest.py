"""The digest of learnt values: the same for any order and type of container, and different for each part."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pytest

from scrapy_blockfilter.storable import digest_of


@dataclass
class Learnt:
    counts: Any


class Slotted:
    __slots__ = ("count",)

    def __init__(self, count: int) -> None:
        self.count = count


EQUAL = {
    "mappings in another order": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "sets in another order": ({1, 9, 17}, {17, 9, 1}),
    "lists and tuples": ([1, 2], (1, 2)),
    "arrays of other memory": (np.arange(6)[::2], np.array([0, 2, 4])),
    "objects of equal attributes": (Learnt({1: 2}), Learnt({1: 2})),
    "objects with slots": (Slotted(3), Slotted(3)),
    "what only spares work": (WeakKeyDictionary(), WeakKeyDictionary({Learnt: 1})),
}
UNEQUAL = {
    "values": ({"a": 1}, {"a": 2}),
    "keys": ({"a": 1}, {"b": 1}),
    "order of a list": ([1, 2], [2, 1]),
    "numbers and their texts": ([1], ["1"]),
    "types of numbers": (np.zeros(3, np.int32), np.zeros(3, np.float32)),
    "shapes": (np.zeros((2, 3)), np.zeros((3, 2))),
    "attributes": (Learnt(1), Learnt(2)),
    "classes": (Learnt(1), Slotted(1)),
    "arrays of bytes": (array("q", [1]), array("q", [2])),
}


@pytest.mark.parametrize("name", EQUAL)
def test_equal_values_have_one_digest(name: str) -> None:
    one, other = EQUAL[name]
    assert digest_of(one) == digest_of(other)


@pytest.mark.parametrize("name", UNEQUAL)
def test_other_values_have_another_digest(name: str) -> None:
    one, other = UNEQUAL[name]
    assert digest_of(one) != digest_of(other)


def test_a_digest_has_128_bits_that_no_process_changes() -> None:
    assert digest_of({"a": [1, 2.5, None]}) == "7a771a66e0d8b8299be6be72d981ed4a"

"""Hashes and digests are stored, so they are the same in every process, version and order of a container."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pytest

from scrapy_blockfilter.storable import digest_of, hash32, hash64


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


@pytest.mark.parametrize("name", EQUAL | UNEQUAL)
def test_equal_values_alone_have_one_digest(name: str) -> None:
    one, other = (EQUAL | UNEQUAL)[name]
    assert (digest_of(one) == digest_of(other)) is (name in EQUAL)


@pytest.mark.parametrize(
    ("data", "wide", "narrow"),
    [
        # As coreutils prints them: b2sum -l 64 and b2sum -l 32.
        (b"", "e4a6a0577479b2b4", "1271cf25"),
        (b"menu", "67aa505f55aae7c0", "8c649e20"),
        ("café".encode(), "5777a2bd3192d7e3", "2d03c5d6"),
    ],
)
def test_a_hash_is_a_blake2b_digest_of_that_length(data: bytes, wide: str, narrow: str) -> None:
    assert hash64(data) % 2**64 == int(wide, 16)
    assert hash32(data) == int(narrow, 16)


def test_a_digest_has_128_bits_that_no_process_changes_and_hashes_fit_their_columns() -> None:
    assert digest_of({"a": [1, 2.5, None]}) == "7a771a66e0d8b8299be6be72d981ed4a"
    wide = [hash64(f"block {number}".encode()) for number in range(5_000)]
    assert -(2**63) <= min(wide) < 0 < max(wide) < 2**63
    narrow = [hash32(f"term {number}".encode()) for number in range(5_000)]
    assert min(narrow) >= 0
    assert 2**31 < max(narrow) < 2**32

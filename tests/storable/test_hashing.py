"""Hashes are stored, so they are the same in every process and version."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.storable import hash32, hash64


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


def test_ranges_are_those_of_the_columns() -> None:
    wide = [hash64(f"block {number}".encode()) for number in range(5_000)]
    assert -(2**63) <= min(wide) < 0 < max(wide) < 2**63
    narrow = [hash32(f"term {number}".encode()) for number in range(5_000)]
    assert min(narrow) >= 0
    assert 2**31 < max(narrow) < 2**32

"""The longest common subsequence of two texts."""

from __future__ import annotations

from collections import defaultdict
from itertools import takewhile


def lcs_length(one: str, other: str) -> int:
    """Return the length of the longest common subsequence of two texts, in characters.

    Bit-parallel (Allison, Dix: A Bit-String Longest-Common-Subsequence Algorithm, 1986). A number holds a row of the
    table, with a bit per character of the longer text. Each character of the shorter text costs a few operations on it.
    A common beginning and a common end cost nothing.
    """
    begin = _common_start(one, other)
    one, other = one[begin:], other[begin:]
    end = _common_start(one[::-1], other[::-1])
    one, other = sorted((one[: len(one) - end], other[: len(other) - end]), key=len)
    matching = _places(other)
    full = (1 << len(other)) - 1
    row = full  # a bit is 0 where the subsequence grows
    for character in one:
        if matches := row & matching.get(character, 0):
            row = ((row + matches) | (row - matches)) & full
    return begin + end + len(other) - row.bit_count()


def _common_start(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _places(text: str) -> dict[str, int]:
    """Return each character's positions in the text as the bits of a number."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, character in enumerate(text):
        places[character].append(place)
    bits = {}
    for character, found in places.items():
        row = bytearray(len(text) // 8 + 1)
        for place in found:
            row[place >> 3] |= 1 << (place & 7)
        bits[character] = int.from_bytes(row, "little")
    return bits

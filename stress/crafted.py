"""Pages made to cost much, and pages of the same size and kind at random.

Names and texts collide by the hashes that tables of native code had in 0.2.0, which had no key.
Marks stand in an order that normalisation has to sort.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

import numpy as np

from scrapy_blockfilter.html.paths import extended_path
from scrapy_blockfilter.storable import hash64

# From a number of elements to a page that costs much, and to one at random.
Pair = tuple[Callable[[int], str], Callable[[int], str]]

_MASK = (1 << 64) - 1
# Of the hash of steps of style paths: names joined by 0xff, eight bytes at a time.
_OF_PARENT, _FIRST, _LAST = 0x9E3779B97F4A7C15, 0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53
# The number of the path of BODY, in tables that have learnt HTML and BODY first.
BODY = 1
_CHARACTERS = frozenset(map(ord, set(map(chr, range(33, 127))) - set("\"&'<=>`")))
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Bits in which the hashes of colliding texts agree: more take long to find, and fewer do no harm.
_EQUAL_BITS = 5
_MARKS = "\u0301\u0327\u0323"  # of the classes 230, 202 and 220


def crafted_pages() -> dict[str, Pair]:
    """Return the kinds of page: name -> functions to pages that cost much, and to pages at random."""
    body = extended_path(extended_path(0, "html"), "body")
    return {
        "classes": _pair("<p class='{}'>a", colliding_names(b"p\xff"), _names(14)),
        "IDs": _pair("<p id='{}'>a", colliding_names(b"p\xff\xff"), _names(13)),
        "texts": _pair("<p>{}", alike(lambda word: hash64(word.encode())), _words(7)),
        "style paths": _pair("<p class={}>a", alike(lambda word: extended_path(body, f"p.{word}")), _words(7)),
        "marks in a text": _of_marks("<p>a{}"),
        "marks in the TITLE": _of_marks("<title>a{}</title><p>b"),
        "marks in an address": _of_marks("<p>a <a href='http://a{}/'>b</a>"),
        "marks in the BASE": _of_marks("<base href='http://a{}/'><p>a <a href=b>c</a>"),
    }


def step_hash(parent: int, names: bytes) -> int:
    """Return the hash that a step had in the native table: that of its parent's number, and its names."""
    state = (_OF_PARENT * (parent + 1) & _MASK) ^ len(names)
    whole = len(names) - len(names) % 8
    for start in range(0, whole, 8):
        state = (state ^ int.from_bytes(names[start : start + 8], "little")) * _FIRST & _MASK
        state ^= state >> 32
    state = (state ^ int.from_bytes(names[whole:], "little")) * _FIRST & _MASK
    state ^= state >> 29
    state = state * _LAST & _MASK
    return state ^ state >> 32


def colliding_names(before: bytes) -> Iterator[str]:
    """Yield names of one hash below BODY: their second eight bytes undo what the first have done.

    Args:
        before: the bytes of the step before the name.
    """
    size = 16 + 2 - before.count(0xFF) + 1
    random = np.random.default_rng(len(before))
    good = np.zeros(256, np.bool_)
    good[list(_CHARACTERS)] = True
    start = np.uint64((_OF_PARENT * (BODY + 1) & _MASK) ^ size)
    target: np.uint64 | None = None
    while True:
        first = random.choice(np.frombuffer(_LETTERS.encode(), np.uint8), (500_000, 8))
        first[:, : len(before)] = np.frombuffer(before, np.uint8)
        state = (start ^ first.view("<u8").ravel()) * np.uint64(_FIRST)
        state ^= state >> np.uint64(32)
        if target is None:
            target = state[0] ^ np.frombuffer(b"xxxxxxxx", "<u8")[0]
        second = (state ^ target).view(np.uint8).reshape(-1, 8)
        for row in np.flatnonzero(good[second].all(1)):
            yield (first[row, len(before) :].tobytes() + second[row].tobytes()).decode()


def alike(hash_of: Callable[[str], int]) -> Iterator[str]:
    """Yield words whose hashes begin alike once they are multiplied, as tables of keys and of style paths did."""
    return (word for word in _words(7) if (hash_of(word) * _OF_PARENT & _MASK) >> (64 - _EQUAL_BITS) == 1)


def _names(size: int) -> Iterator[str]:
    random, letters = Random(size), "".join(map(chr, sorted(_CHARACTERS)))
    while True:
        yield "".join(random.choices(_LETTERS, k=size - 8) + random.choices(letters, k=8))


def _words(size: int) -> Iterator[str]:
    random = Random(size)
    while True:
        yield "".join(random.choices(_LETTERS, k=size))


def _pair(part: str, crafted: Iterator[str], at_random: Iterator[str]) -> Pair:
    def pages_of(words: Iterator[str]) -> Callable[[int], str]:
        known: list[str] = []  # words that collide take long to find

        def page(count: int) -> str:
            known.extend(islice(words, max(0, count - len(known))))
            return "".join(part.format(word) for word in known[:count])

        return page

    return pages_of(crafted), pages_of(at_random)


def _of_marks(page: str) -> Pair:
    in_order = "".join(sorted(_MARKS, key="\u0327\u0323\u0301".index))
    return (
        lambda count: page.format(_MARKS * count),
        lambda count: page.format("".join(mark * count for mark in in_order)),
    )

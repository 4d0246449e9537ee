"""Count the kinds of characters in many texts at once.

Kinds mean the same in every script: 。 ends a sentence like a full stop, and a Devanagari digit is a digit.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

LETTER, SPACE, DIGIT, UPPER, SENTENCE_END, COMMA, WIDE, SYMBOL = range(8)
KINDS = 8

_SENTENCE_ENDS = frozenset(".!?。！？…।؟։")
_COMMAS = frozenset(",;:、，；：،·")
# Scripts in which one character says as much as about three letters of an alphabet, most of them written without
# spaces: Thai and Lao, Han with its radicals, kana, Hangul.
_WIDE = ((0x0E00, 0x0EFF), (0x2E80, 0x9FFF), (0xAC00, 0xD7AF), (0xF900, 0xFAFF))
_TABLE_SIZE = 1 << 16  # the basic plane; characters beyond it count as its last one


def count_kinds(texts: Sequence[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
    """Count the characters of each kind in each text.

    Returns:
        The counts, shape (texts, ``KINDS``), and the kind of each text's last character (``SPACE`` for empty texts).
    """
    if not texts:
        return np.zeros((0, KINDS), np.int64), np.zeros(0, np.uint8)
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    kinds = kinds_of("".join(texts))
    cells = np.repeat(np.arange(0, KINDS * len(texts), KINDS), lengths) + kinds
    last = np.append(kinds, np.uint8(SPACE))[lengths.cumsum() - 1]
    last[lengths == 0] = SPACE
    return np.bincount(cells, minlength=KINDS * len(texts)).reshape(-1, KINDS), last


def kinds_of(text: str) -> npt.NDArray[np.uint8]:
    """Return the kind of each character."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return _table()[np.minimum(codes, _TABLE_SIZE - 1)]


@lru_cache(1)
def _table() -> npt.NDArray[np.uint8]:
    return np.fromiter((_kind(chr(code), code) for code in range(_TABLE_SIZE)), np.uint8, _TABLE_SIZE)


def _kind(character: str, code: int) -> int:
    if character.isspace():
        return SPACE
    if character in _SENTENCE_ENDS:
        return SENTENCE_END
    if character in _COMMAS:
        return COMMA
    category = unicodedata.category(character)
    if category == "Nd":
        return DIGIT
    if category in ("Lu", "Lt"):
        return UPPER
    if any(first <= code <= last for first, last in _WIDE):
        return WIDE
    return LETTER if category[0] in "LM" else SYMBOL

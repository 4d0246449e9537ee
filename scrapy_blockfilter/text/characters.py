"""Count the kinds of characters in many texts at once.

Kinds mean the same in every script: 。 ends a sentence like a full stop, and a Devanagari digit is a digit. The kinds
are fixed, so every Python counts alike, whatever Unicode version it has. Characters that Unicode has assigned since are
symbols.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

# WIDE characters say as much as about three letters of an alphabet: Han, kana, Hangul, Thai, Lao. Marks are letters.
LETTER, SPACE, DIGIT, UPPER, SENTENCE_END, COMMA, WIDE, SYMBOL = range(8)
KINDS = 8

TABLE_SIZE = 1 << 16  # the basic plane; characters beyond it count as its last one
# One byte per character, compressed with zlib. ``python -m research.character_table FILE`` made it by this UNICODE.
FILE, UNICODE = "kinds_of_characters.bin", "15.1.0"


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
    return kinds_of_codes()[np.minimum(codes, TABLE_SIZE - 1)]


@lru_cache(1)
def kinds_of_codes() -> npt.NDArray[np.uint8]:
    """Return the kind of each character of the basic plane, by its code."""
    return np.frombuffer(zlib.decompress(files(__package__).joinpath(FILE).read_bytes()), np.uint8)

"""Make the table of kinds of characters that ships as ``scrapy_blockfilter/text/kinds_of_characters.bin``.

Run ``python -m research.character_table FILE`` with the Python whose Unicode version the table should have.
"""

from __future__ import annotations

import sys
import unicodedata
import zlib
from pathlib import Path

from scrapy_blockfilter.text.characters import (
    COMMA,
    DIGIT,
    LETTER,
    SENTENCE_END,
    SPACE,
    SYMBOL,
    TABLE_SIZE,
    UPPER,
    WIDE,
)

_SENTENCE_ENDS = frozenset(".!?。！？…।؟։")
_COMMAS = frozenset(",;:、，；：،·")
# Scripts in which one character says as much as about three letters of an alphabet, most of them written without
# spaces: Thai and Lao, Han with its radicals, kana, Hangul.
_WIDE = ((0x0E00, 0x0EFF), (0x2E80, 0x9FFF), (0xAC00, 0xD7AF), (0xF900, 0xFAFF))


def kind_of(character: str) -> int:
    """Return the kind of a character by the Unicode version of the running Python."""
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
    if any(first <= ord(character) <= last for first, last in _WIDE):
        return WIDE
    return LETTER if category[0] in "LM" else SYMBOL


def table() -> bytes:
    """Return the bytes of the file."""
    return zlib.compress(bytes(kind_of(chr(code)) for code in range(TABLE_SIZE)), 9)


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(table())

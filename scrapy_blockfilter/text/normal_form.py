"""Bring text into Unicode's normal forms, in time linear in any text.

Normalisation sorts the marks that follow a letter, which takes quadratic time in their number. Texts and addresses have
few marks in a row; only a page that wants to keep its reader busy has more.
"""

from __future__ import annotations

import re
from typing import Literal
from unicodedata import category, combining, normalize
from urllib.parse import quote

# Marks in a row in stream-safe text, by Unicode's annex 15: more than any language needs.
MOST_MARKS = 30
# COMBINING GRAPHEME JOINER, which parts marks in a row, and cannot be seen.
JOINER = "\u034f"
# Fewer marks in a row are stream-safe: each stands for two at most, and the letter before them for three.
_FEW = 14
# Characters that stand for marks but are letters or spaces by themselves.
_STAND_FOR_MARKS = frozenset("\u0f73\u0f75\u0f81\uff9e\uff9f")
# All marks, and the characters that stand for some, are among these.
_ROW = re.compile(rf"[\W\uff9e\uff9f]{{{_FEW},}}")
# Marks in a row once Python has dropped what it ignores in addresses: white space and signs.
_ROW_OF_ADDRESS = re.compile(rf"[^\w\0-\x7f][\W\uff9e\uff9f]{{{MOST_MARKS},}}")


def normalized(form: Literal["NFC", "NFKC"], text: str) -> str:
    """Return a text in a normal form of Unicode, with joiners that part longer rows of marks."""
    return text if text.isascii() else normalize(form, stream_safe(text))


def encodable(text: str) -> str:
    """Return a text with "?" for lone surrogates, which JSON may hold, and neither UTF-8 nor SQLite nor Arrow takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def lettered(text: str) -> str:
    """Return a text with a letter for each mark, as vowels are marks in many scripts, and without unseen characters."""
    shown = ((one, "a" if category(one)[0] == "M" else one) for one in text)
    return text if text.isascii() else "".join(letter for one, letter in shown if category(one) != "Cf")


def stream_safe(text: str) -> str:
    """Return a text in Unicode's stream-safe form: unchanged, unless there are more than ``MOST_MARKS`` in a row.

    >>> stream_safe("a" + "\\u0301" * 40) == "a" + "\\u0301" * 30 + JOINER + "\\u0301" * 10
    True
    """
    every = text[::_FEW]  # hits each row that is long enough
    if (not any(map(combining, every)) and _STAND_FOR_MARKS.isdisjoint(every)) or not _ROW.search(text):
        return text
    known: dict[str, tuple[int, int]] = {}
    parts, marks = [], 0
    for character in text:
        before, behind = known.get(character) or known.setdefault(character, _marks_around(character))
        if marks + before > MOST_MARKS:
            parts.append(JOINER)
            marks = 0
        parts.append(character)
        marks = behind if behind >= 0 else marks + before
    return "".join(parts)


def escaped_rows(address: str) -> str:
    """Return an address, or HTML with addresses, in which rows of marks that no address has are percent-encoded."""
    # Functions of addresses normalise the host in them, and drop characters from between its marks before.
    return address if address.isascii() else _ROW_OF_ADDRESS.sub(_escaped, address)


def _marks_around(character: str) -> tuple[int, int]:
    """Return how many marks a character begins and ends with when decomposed; -1 for the end if it is nothing else."""
    classes = list(map(combining, normalize("NFKD", character)))
    if all(classes):
        return len(classes), -1
    return classes.index(0), classes[::-1].index(0)


def _escaped(row: re.Match[str]) -> str:
    return "".join(part if part.isascii() else quote(part, errors="ignore") for part in row[0])

"""Fold the white space of a block's text, and compute the key of its content.

Texts of a template recur on page after page, so results for short texts are cached.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from scrapy_blockfilter.storable.hashing import hash64
from scrapy_blockfilter.text.normal_form import encodable, normalized

BREAK = "\x00"  # stands for <br> until white space is folded; the one character that no text node can hold
_BREAKS = re.compile(rf" ?{BREAK} ?")
# Longer texts (in characters) are rarely part of a template, so they are not cached.
MAX_KNOWN_TEXT = 200
# Texts cached, about 300 bytes each, before the cache is cleared.
_MAX_TEXTS = 30_000


class KnownTexts(dict[str, tuple[str, int]]):
    """A cache from raw text to folded text and key. A text that is looked up is added."""

    def ready(self) -> KnownTexts:
        """Return the cache itself, after making room for the texts of another page."""
        if len(self) > _MAX_TEXTS:
            self.clear()
        return self

    def __missing__(self, text: str) -> tuple[str, int]:
        made = self[text] = block_text(text)
        return made


def block_text(text: str, images: Sequence[str] = (), *, is_pre: bool = False) -> tuple[str, int]:
    """Return the folded text of a block, with a line break for each ``BREAK``, and the key of its content.

    Args:
        is_pre: whether to keep white space, except line breaks around the text.
    """
    content = folded = fold(text)
    if BREAK in folded:
        content = fold(folded.replace(BREAK, " "))
        folded = _BREAKS.sub("\n", folded).strip()
    if is_pre:
        folded = text.replace(BREAK, "\n").strip("\n")
    return folded, block_key(content, images)


def fold(text: str) -> str:
    """Fold each run of white space to one space, and strip the ends."""
    if text.isprintable() and "  " not in text:  # the space is the only printable white space
        return text.strip(" ")
    return " ".join(text.split())


def composed(text: str) -> str:
    """Return a text in Unicode's composed form, as its key takes it, with "?" for lone surrogates.

    >>> composed("e\\u0301") == "\\xe9", composed("a\\ud800")
    (True, 'a?')
    """
    return encodable(normalized("NFC", text))


def joined_key(keys: Iterable[int]) -> int:
    """Return the key of joined blocks: a hash of their keys in order."""
    return hash64(b"".join(key.to_bytes(8, "big", signed=True) for key in keys))


def block_key(folded: str, images: Sequence[str] = ()) -> int:
    """Return the 64-bit hash of a block's content: folded text in Unicode's composed form, and words of images."""
    content = "\x1f".join((folded, *images)) if images else folded
    return hash64(normalized("NFC", content).encode("utf-8", "replace"))

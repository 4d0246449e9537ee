"""From the text of a block as it stands in the page to folded text, and to a key that tells it.

Most texts of a template come again on page after page, so what was made of a short one is kept.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from scrapy_blockfilter.hashing import hash64

BREAK = "\x00"  # stands for <br> until white space is folded; the one character that no text node can hold
_BREAKS = re.compile(rf" ?{BREAK} ?")
# Longer texts are hardly ever those of a template.
MAX_KNOWN_TEXT = 200
# Texts that are remembered, some 300 bytes each, before all are forgotten.
_MAX_TEXTS = 30_000


class KnownTexts(dict[str, tuple[str, int]]):
    """Texts as they stand -> folded text and key. A text that is looked up is known from then on."""

    def ready(self) -> KnownTexts:
        """Itself, with room for the texts of a page."""
        if len(self) > _MAX_TEXTS:
            self.clear()
        return self

    def __missing__(self, text: str) -> tuple[str, int]:
        made = self[text] = block_text(text)
        return made


def block_text(text: str, images: Sequence[str] = (), *, is_pre: bool = False) -> tuple[str, int]:
    """The text of a block with its white space folded, a line break for each ``BREAK``, and the key of its content.

    Args:
        is_pre: white space stays as it is, but for line breaks around the text.
    """
    content = folded = fold(text)
    if BREAK in folded:
        content = fold(folded.replace(BREAK, " "))
        folded = _BREAKS.sub("\n", folded).strip()
    if is_pre:
        folded = text.replace(BREAK, "\n").strip("\n")
    return folded, block_key(content, images)


def fold(text: str) -> str:
    """Text with its white space folded.

    >>> fold("  Main\\n\\u00a0 menu ")
    'Main menu'
    """
    if text.isprintable() and "  " not in text:  # the space is the one white space that is printable
        return text.strip(" ")
    return " ".join(text.split())


def joined_key(keys: Iterable[int]) -> int:
    """The identity of several blocks together: of their keys in their order."""
    return hash64(b"".join(key.to_bytes(8, "big", signed=True) for key in keys))


def block_key(folded: str, images: Sequence[str] = ()) -> int:
    """The 64-bit identity of a block's content: its folded text, in Unicode's composed form, and its images' words."""
    content = "\x1f".join((folded, *images)) if images else folded
    if not content.isascii():
        content = unicodedata.normalize("NFC", content)
    return hash64(content.encode("utf-8", "replace"))

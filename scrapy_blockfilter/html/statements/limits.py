"""Limits of what is read of a page's statements. Strangers write them: a value beyond a limit is cut or left out."""

from __future__ import annotations

import html
import re

# Characters of a line, such as a description; longer ones are cut. Browsers take addresses of up to about the second.
MAX_TEXT, MAX_ADDRESS = 1_000, 2_000
# Characters of one string of structured data: the text of most articles.
MAX_STRING = 10_000
# Characters, and values, of all structured data of a page. Pages of shops with reviews have half as much.
MAX_CHARACTERS, MAX_VALUES = 200_000, 5_000
# Levels of nesting that are kept; the deepest examples of schema.org have eight.
MAX_DEPTH = 16
# Steps into and out of elements, for the texts of microdata: ten times those of pages with most. The text of a property
# within another one is read again.
_MAX_STEPS = 30_000

_UNWANTED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")


class Budget:
    """How much is still read of a page."""

    def __init__(self) -> None:
        self.is_cut = False  # whether something was cut or left out
        self._characters = MAX_CHARACTERS
        self._values = MAX_VALUES
        self.steps = iter(range(_MAX_STEPS))  # left, into and out of elements

    def take(self) -> bool:
        """Count a value, and return whether it is within the limits."""
        self._values -= 1
        is_left = self._values >= 0 and self._characters > 0
        self.is_cut = self.is_cut or not is_left
        return is_left

    def text(self, written: str) -> str:
        """Count a string, and return it, cut to the limits."""
        most = min(MAX_STRING, self._characters)
        self.is_cut = self.is_cut or len(written) > most
        written = written[:most]
        self._characters -= len(written)
        return without_control(written)


def without_control(written: str) -> str:
    """Return text without control characters and lone surrogates, which other formats refuse."""
    return _UNWANTED.sub("", written)


def plain_text(written: object, most: int = MAX_TEXT) -> str:
    """Return a value as a line of at most ``most`` characters; "" for what is no text.

    >>> plain_text(" Salt &amp; \\n pepper "), plain_text(None)
    ('Salt & pepper', '')
    """
    if isinstance(written, int) and not isinstance(written, bool):
        written = str(written) if abs(written) < 10**18 else ""
    if not isinstance(written, str):
        return ""
    return " ".join(without_control(unescaped(written[: 2 * most])).split())[:most].rstrip()


def unescaped(written: str) -> str:
    """Return text with characters for its references: JSON-LD is often escaped as if it were HTML."""
    return html.unescape(written) if _REFERENCE.search(written) else written

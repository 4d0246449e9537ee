"""Limits on the size of a page. A page beyond a limit passes unchanged and is never shortened."""

from __future__ import annotations

from dataclasses import dataclass


class UnfitPage(ValueError):  # noqa: N818 - the name describes the page; nothing has gone wrong
    """Raised for a page that cannot be judged; ``reason`` is a short name for stats."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[type[UnfitPage], tuple[str, str]]:
        return type(self), (self.reason, str(self))  # between processes


# With huge_tree, libxml2 stops at 2,048 levels, html and body included. A tree that reaches them has lost the rest.
DEEPEST = 2_040
# Bytes of a record that is read from a file, be it a line, a row or a response: more than a page of
# BLOCKFILTER_MAX_CHARACTERS takes with JSON escapes.
MAX_RECORD_BYTES = 64 * 2**20


@dataclass(frozen=True)
class Limits:
    """The largest page that is judged.

    Attributes:
        characters: of the HTML, or of a plain text. The longest of 500 real pages had 3.4 M, the median 60 k.
        elements: the walk keeps a few hundred bytes for each. The largest of 500 real pages had 40,000. A page may have
            twice as many tags.
        depth: levels of elements below HTML, at most ``DEEPEST``. 99 of 100 real pages stay under 38.
        blocks: of a page, or lines of a plain text. The longest of 3,000 real pages had 1,900 blocks.
    """

    characters: int = 8_000_000
    elements: int = 250_000
    depth: int = DEEPEST
    blocks: int = 50_000

    def unfit(self, reason: str) -> UnfitPage:
        """Return the error for a tree with too many levels, elements or blocks, by its reason."""
        messages = {
            "too_deep": f"elements are nested more than {self.depth:,} deep",
            "too_many_elements": f"the page has more than {self.elements:,} elements",
            "too_many_blocks": f"the page has more than {self.blocks:,} blocks",
        }
        return UnfitPage(reason, messages[reason])

    def exceeded_by(self, text: str) -> str:
        """Return the limit that a plain text exceeds, as a reason, or ""."""
        if len(text) > self.characters:
            return "too_large"
        lines = 1 + sum(map(text.count, _LINE_ENDS)) if len(text) > self.blocks else 0
        return "too_many_blocks" if lines > self.blocks else ""


_LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"  # those of str.splitlines

DEFAULT_LIMITS = Limits()

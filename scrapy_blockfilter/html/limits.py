"""How much of a page is looked at: beyond a limit it passes unchanged, and never comes out shortened."""

from __future__ import annotations

from dataclasses import dataclass


class UnfitPage(ValueError):  # noqa: N818 - it says what the page is; nothing has gone wrong
    """A page that cannot be judged; ``reason`` is a short name for statistics."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


# huge_tree's own bound is 2,048 levels, html and body among them; a tree that reaches it has lost the rest.
DEEPEST = 2_040


@dataclass(frozen=True)
class Limits:
    """The most that a page may have.

    Attributes:
        characters: of its HTML, or of a text. 500 real pages: the longest had 3.4 M, the median 60 k.
        elements: which the walk holds a few hundred bytes of each; the largest of 500 real pages had 40,000. There may
            be twice as many tags.
        depth: levels of elements below HTML, ``DEEPEST`` at the most. 99 of 100 real pages stay under 38.
        tag_characters: of one tag, quoted values not counted. Real tags have under 26 attributes.
        blocks: of a page, or lines of a text. The longest of 3,000 real pages had 1,900 blocks.
    """

    characters: int = 8_000_000
    elements: int = 250_000
    depth: int = DEEPEST
    tag_characters: int = 30_000
    blocks: int = 50_000

    def check_size(self, text: str) -> None:
        """Raises :class:`UnfitPage` for a text that has nothing in it or more than ``characters``."""
        if not text or text.isspace():
            raise UnfitPage("empty", "the page is empty")
        if len(text) > self.characters:
            raise UnfitPage("too_large", f"the page has {len(text):,} characters, more than {self.characters:,}")

    def exceeded_by(self, text: str) -> str:
        """Which limit a plain text is beyond, as a reason; "" for none."""
        if len(text) > self.characters:
            return "too_large"
        lines = 1 + sum(map(text.count, _LINE_ENDS)) if len(text) > self.blocks else 0
        return "too_many_blocks" if lines > self.blocks else ""


_LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"  # as str.splitlines has them

DEFAULT_LIMITS = Limits()

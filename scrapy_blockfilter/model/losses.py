"""Measure what a page keeps and loses, and suspect pages whose cleaning may have gone wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS
from scrapy_blockfilter.methods.base import Flags, Verdict, Verdicts

# Characters of own text: a few paragraphs. A page with less may well have no content of its own, such as a login form.
_MUCH = 1000
# Share of the own text: a page that keeps less has nothing left but a heading or a label.
_NEXT_TO_NONE = 0.05
# Share of the likely content: of the pages of part "build" that lose less than a fifth of their content, one in a
# hundred loses more. `python -m benchmarks.told --part build` prints both shares for any other number.
DOUBT = 0.11


def kept_flags(verdicts: Sequence[Verdict]) -> Flags:
    """Return whether each block stays."""
    if isinstance(verdicts, Verdicts):
        return verdicts.keep
    return np.array([verdict.keep for verdict in verdicts], np.bool_)


def share_kept(page: Page, verdicts: Sequence[Verdict]) -> tuple[float, bool]:
    """Return the share of its text that a page keeps, and whether it loses a block.

    The TITLE does not count: it is in no text, and always stays in HTML.
    """
    shown, keep = are_shown(page), kept_flags(verdicts)
    chars = page.numbers[:, CHARS] * shown
    total = int(chars.sum())
    return int(chars[keep].sum()) / total if total else 0.0, not keep[shown].all()


class OwnText(NamedTuple):
    """How much of a page's own text stays: unlinked text that its site does not repeat.

    Attributes:
        chars: number of its characters.
        kept: how many of them stay.
    """

    chars: int
    kept: int

    @property
    def is_nearly_lost(self) -> bool:
        """Whether there is much of it, and next to none stays."""
        return self.chars >= _MUCH and self.kept < _NEXT_TO_NONE * self.chars


NO_TEXT = OwnText(0, 0)


def own_text(page: Page, keep: Flags, counted: Flags) -> OwnText:
    """Return how much of its own text a page keeps.

    Args:
        keep: whether each block stays.
        counted: the blocks that are its own and count, never the TITLE: it is in no text, and always stays.
    """
    is_own = counted & are_shown(page)
    chars = (page.numbers[:, CHARS] - page.numbers[:, LINK_CHARS]) * is_own
    return OwnText(int(chars.sum()), int(chars[keep].sum()))


def lost_content(page: Page, keep: Flags, counted: Flags, likely: npt.NDArray[np.float32]) -> float:
    """Return the share of its content that a page is expected to lose, from 0 to 1, without its TITLE.

    Args:
        keep: whether each block stays.
        counted: the blocks that count.
        likely: for each block, how likely it is content.
    """
    content = page.weights * (counted & are_shown(page)) * likely
    # One character more, so that a page without content loses none of it.
    return float(content[~keep].sum() / (content.sum() + 1))


def why_suspicious(own: OwnText, doubt: float) -> str:
    """Return why a page may have lost content, "" if nothing is odd.

    Args:
        doubt: the share of its content that it is expected to lose; 0 if unknown.
    """
    if own.is_nearly_lost:
        return f"keeps {own.kept:,} of the {own.chars:,} characters that are its own and no link"
    if doubt > DOUBT:
        return f"loses {doubt:.0%} of its likely content, by the scores of its stripped blocks"
    return ""


def are_shown(page: Page) -> Flags:
    """Mark the blocks that are not the TITLE."""
    if "title" not in page.tags:
        return np.ones(len(page.keys), np.bool_)
    return np.asarray(page.nodes != page.tags.index("title"), np.bool_)


def are_read(page: Page) -> Flags:
    """Mark the blocks that a browser with scripts shows: not the TITLE, and not those in a NOSCRIPT."""
    shown = are_shown(page)
    if "noscript" in page.tags:
        shown &= np.array(page.nearest(frozenset({"noscript"})), np.int64)[page.nodes] < 0
    return shown

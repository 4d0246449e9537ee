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
# The same by whose text it is: chosen on parts "build" and "choose". There 75 of 8,501 such pages are suspicious by all
# rules together, and 29 of 52 that lose half.
OWN_DOUBT, REPEATED_DOUBT = 0.14, 0.08
# A page that keeps less than its site's pages usually have, and loses so many times as much, loses no comments alone.
# Fewer characters show nothing.
_TIMES_USUAL, _SOME = 4, 200


def kept_flags(verdicts: Sequence[Verdict]) -> Flags:
    """Return whether each block stays."""
    if isinstance(verdicts, Verdicts):
        return verdicts.keep
    return np.array([verdict.keep for verdict in verdicts], np.bool_)


def share_kept(page: Page, verdicts: Sequence[Verdict]) -> tuple[float, bool]:
    """Return the share of its text that a page keeps, and whether it loses a block."""
    # The TITLE does not count: it is in no text, and always stays in HTML.
    shown, keep = are_shown(page), kept_flags(verdicts)
    chars = page.numbers[:, CHARS] * shown
    total = int(chars.sum())
    return int(chars[keep].sum()) / total if total else 0.0, 0 in keep[shown].tobytes()


class OwnText(NamedTuple):
    """Characters of a page's own text, unlinked and not repeated on its site, and how many of them stay."""

    chars: int
    kept: int

    @property
    def is_nearly_lost(self) -> bool:
        """Whether a page has much text of its own, and next to none of that stays."""
        return self.chars >= _MUCH and self.kept < _NEXT_TO_NONE * self.chars


NO_TEXT = OwnText(0, 0)
NO_TEXT_SHOWN = "shows next to no text: scripts would build it"


def own_text(page: Page, keep: Flags, counted: Flags) -> OwnText:
    """Return how much of a page's own text stays, by whether each block stays, and whether it is own and counts."""
    chars = (page.numbers[:, CHARS] - page.numbers[:, LINK_CHARS]) * counted
    return OwnText(int(chars.sum()), int(chars[keep].sum()))


class Doubt(NamedTuple):
    """The share of its content that a page may lose, from 0 to 1: of its own, and of what its site repeats."""

    own: float
    repeated: float

    @property
    def share(self) -> float:
        return self.own + self.repeated


NO_DOUBT = Doubt(0.0, 0.0)


def lost_content(page: Page, keep: Flags, counted: Flags, repeated: Flags, likely: npt.NDArray[np.float32]) -> Doubt:
    """Return how much of its content a page is expected to lose, by how likely each block that counts is content."""
    content = page.weights * counted * likely
    total = float(content.sum()) + 1  # one character more, so that a page without content loses none of it
    return Doubt(*(float(content[~keep & part].sum()) / total for part in (~repeated, repeated)))


def why_suspicious(own: OwnText, doubt: Doubt, usual: int) -> str:
    """Return why a page may have lost content, "" if nothing is odd; ``usual`` is 0 if unknown."""
    lost = own.chars - own.kept
    if own.is_nearly_lost or (usual >= _SOME and own.kept < usual and lost > _TIMES_USUAL * usual):
        return f"keeps {own.kept:,} of the {own.chars:,} characters that are its own and no link"
    # A page of a board loses a little of each of many posts. It has not lost half while most of its own text stays.
    if doubt.repeated > REPEATED_DOUBT or (doubt.own > OWN_DOUBT and lost > own.kept):
        return f"loses {doubt.share:.0%} of its likely content, by the scores of its stripped blocks"
    return ""


def are_shown(page: Page) -> Flags:
    """Mark the blocks that are not the TITLE."""
    title = page.tags.index("title") if "title" in page.tags else -1
    return np.asarray(page.nodes != title, np.bool_)


def are_read(page: Page) -> Flags:
    """Mark the blocks that a browser with scripts shows: not the TITLE, and not those in a NOSCRIPT."""
    outside = np.asarray(page.nearest(frozenset({"noscript"})))[page.nodes] < 0 if "noscript" in page.tags else True
    return are_shown(page) & outside

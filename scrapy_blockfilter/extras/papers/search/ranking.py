"""Rank documents by page (DR), by their best block (BR), or by both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

BY = ("page", "block", "both")
# The weight of the page's own score beside that of its best block: neither is known to be the better one.
ALPHA = 0.5


class PassageScore(NamedTuple):
    """The score of a passage, and the document that it is of."""

    passage: int
    document: int
    score: float


def best_passages(scored: Iterable[PassageScore]) -> dict[int, PassageScore]:
    """Return the best passage of each document; the first of equal ones."""
    best: dict[int, PassageScore] = {}
    for one in scored:
        known = best.get(one.document)
        if known is None or (one.score, -one.passage) > (known.score, -known.passage):
            best[one.document] = one
    return best


def combined(
    pages: Mapping[int, float], blocks: Mapping[int, float], by: str, alpha: float = ALPHA
) -> dict[int, float]:
    """Return the scores of documents: of their page, of their best block, or ``alpha`` * DR + (1 - ``alpha``) * BR.

    >>> combined({1: 4.0, 2: 2.0}, {2: 6.0}, "both", alpha=0.5)
    {1: 2.0, 2: 4.0}
    """
    if by == "page":
        return dict(pages)
    if by == "block":
        return dict(blocks)
    return {
        document: alpha * pages.get(document, 0.0) + (1 - alpha) * blocks.get(document, 0.0)
        for document in {**pages, **blocks}
    }

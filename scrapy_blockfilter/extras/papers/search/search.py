"""Search an index: rank documents by page (DR), by their best block (BR), or by both.

Each document is shown by its best passage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scrapy_blockfilter.extras.papers.search.search_index import SearchIndex, document_of

BY = ("page", "block", "both")
# The weight of the page's own score beside that of its best block: neither is known to be the better one.
_ALPHA = 0.5


class Found(NamedTuple):
    """A document that was found, with its best passage, which is "" if only its title has a word."""

    url: str
    site: str
    title: str
    language: str
    score: float
    passage: str


class Result(NamedTuple):
    """The outcome of a search.

    Attributes:
        words: the words of the query that were looked up.
        total: number of documents that have one of them.
    """

    words: Sequence[str]
    total: int
    found: Sequence[Found]


def search(index: SearchIndex, query: str, *, by: str = "both", site: str = "", limit: int) -> Result:
    """Return the best documents for a query.

    Args:
        by: rank by "page", "block" or "both".
        site: only documents of this site; "" for all.
    """
    asked = index.words.of_query(query, index.languages())
    pages, passages = index.document_scores(asked, site), index.passage_scores(asked, site)
    best: dict[int, int] = {}
    for passage in _ranked(passages):
        best.setdefault(document_of(passage), passage)
    scores = _combined(pages, {document: passages[passage] for document, passage in best.items()}, by)
    first = _ranked(scores)[:limit]
    texts = index.passage_texts(best[document] for document in first if document in best)
    found = [
        Found(*index.entry(document), scores[document], texts[best[document]] if document in best else "")
        for document in first
    ]
    return Result(asked, len(scores), found)


def _ranked(scores: Mapping[int, float]) -> list[int]:
    """Return what has scores, the best first; of equal ones the first in the index."""
    return sorted(scores, key=lambda number: (-scores[number], number))


def _combined(pages: Mapping[int, float], blocks: Mapping[int, float], by: str) -> Mapping[int, float]:
    """Return the scores of documents: of their page, of their best block, or alpha * DR + (1 - alpha) * BR."""
    if by != "both":
        return pages if by == "page" else blocks
    return {
        document: _ALPHA * pages.get(document, 0.0) + (1 - _ALPHA) * blocks.get(document, 0.0)
        for document in {**pages, **blocks}
    }

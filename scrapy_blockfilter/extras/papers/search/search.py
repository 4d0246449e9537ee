"""Search an index: rank documents by page (DR), by their best block (BR), or by both.

The query may first be expanded, and each document is shown by its best passage.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from scrapy_blockfilter.extras.papers.search.expansion import BEST_BLOCKS, QUERY_WEIGHT, new_words
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
        added: the words of the best blocks that were added, with their weights.
        total: number of documents that have one of them.
    """

    words: Sequence[str]
    added: Mapping[str, float]
    total: int
    found: Sequence[Found]


def search(
    index: SearchIndex,
    query: str,
    *,
    by: str = "both",
    expand: bool = False,
    site: str = "",
    limit: int,
) -> Result:
    """Return the best documents for a query.

    Args:
        by: rank by "page", "block" or "both".
        expand: add words of the best blocks.
        site: only documents of this site; "" for all.
    """
    asked = index.words.of_query(query, index.languages())
    more: dict[str, float] = {}
    pages, passages = index.document_scores(asked, site), index.passage_scores(asked, site)
    if expand:
        more = new_words(_feedback(index, passages), asked, index.passage_frequency, index.passage_count())
        pages = _weighted(pages, more, lambda word: index.document_scores([word], site))
        passages = _weighted(passages, more, lambda word: index.passage_scores([word], site))
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
    return Result(asked, more, len(scores), found)


def _ranked(scores: Mapping[int, float]) -> list[int]:
    """Return what has scores, the best first; of equal ones the first in the index."""
    return sorted(scores, key=lambda number: (-scores[number], number))


def _feedback(index: SearchIndex, passages: Mapping[int, float]) -> list[set[str]]:
    """Return the words of the best passages."""
    best = _ranked(passages)[:BEST_BLOCKS]
    texts = index.passage_texts(best)
    return [set(index.words.of(texts[passage], index.entry(document_of(passage)).language)) for passage in best]


def _weighted(
    scores: Mapping[int, float], more: Mapping[str, float], scored: Callable[[str], Mapping[int, float]]
) -> dict[int, float]:
    """Add the weighted scores of further words. BM25 is a sum over words."""
    total = {number: QUERY_WEIGHT * score for number, score in scores.items()}
    for word, weight in more.items():
        for number, score in scored(word).items():
            total[number] = total.get(number, 0.0) + weight * score
    return total


def _combined(pages: Mapping[int, float], blocks: Mapping[int, float], by: str) -> Mapping[int, float]:
    """Return the scores of documents: of their page, of their best block, or alpha * DR + (1 - alpha) * BR."""
    if by != "both":
        return pages if by == "page" else blocks
    return {
        document: _ALPHA * pages.get(document, 0.0) + (1 - _ALPHA) * blocks.get(document, 0.0)
        for document in {**pages, **blocks}
    }

"""Search an index: rank pages and blocks, expand the query if asked to, and find the best passage of each page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from scrapy_blockfilter.extras.papers.search.expansion import BEST_BLOCKS, QUERY_WEIGHT, new_words
from scrapy_blockfilter.extras.papers.search.ranking import PassageScore, best_passages, combined
from scrapy_blockfilter.extras.papers.search.search_index import SearchIndex


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
    pages = index.document_scores(asked, site) if by != "block" or expand else {}
    passages = index.passage_scores(asked, site)
    if expand:
        more = new_words(_feedback(index, passages), asked, index.passage_frequency, index.passage_count())
        pages = _weighted(pages, more, lambda word: index.document_scores([word], site))
        passages = _weighted_passages(index, passages, more, site)
    best = best_passages(passages)
    scores = combined(pages, {document: one.score for document, one in best.items()}, by)
    first = sorted(scores, key=lambda document: (-scores[document], document))[:limit]
    texts = index.passage_texts(best[document].passage for document in first if document in best)
    return Result(
        asked, more, len(scores), [_found(index, document, scores[document], best, texts) for document in first]
    )


def _feedback(index: SearchIndex, passages: Sequence[PassageScore]) -> list[set[str]]:
    """Return the words of the best passages."""
    best = sorted(passages, key=lambda one: (-one.score, one.passage))[:BEST_BLOCKS]
    texts = index.passage_texts(one.passage for one in best)
    return [set(index.words.of(texts[one.passage], index.entry(one.document).language)) for one in best]


def _weighted(
    scores: Mapping[int, float], more: Mapping[str, float], scored: Callable[[str], Mapping[int, float]]
) -> dict[int, float]:
    """Add the weighted scores of further words. BM25 is a sum over words."""
    total = {document: QUERY_WEIGHT * score for document, score in scores.items()}
    for word, weight in more.items():
        for document, score in scored(word).items():
            total[document] = total.get(document, 0.0) + weight * score
    return total


def _weighted_passages(
    index: SearchIndex, passages: Sequence[PassageScore], more: Mapping[str, float], site: str
) -> list[PassageScore]:
    documents = {one.passage: one.document for one in passages}

    def scored(word: str) -> dict[int, float]:
        further = index.passage_scores([word], site)
        documents.update((one.passage, one.document) for one in further)
        return {one.passage: one.score for one in further}

    total = _weighted({one.passage: one.score for one in passages}, more, scored)
    return [PassageScore(passage, documents[passage], score) for passage, score in total.items()]


def _found(
    index: SearchIndex, document: int, score: float, best: Mapping[int, PassageScore], texts: Mapping[int, str]
) -> Found:
    passage = texts[best[document].passage] if document in best else ""
    return Found(*index.entry(document), score, passage)

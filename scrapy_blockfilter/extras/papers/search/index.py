"""The questions that a search asks an index. ``search_index`` keeps one in a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from scrapy_blockfilter.extras.papers.search.words import Words


class PassageScore(NamedTuple):
    """The score of a passage, and the document that it is of."""

    passage: int
    document: int
    score: float


class Entry(NamedTuple):
    """The fields of a document that a result shows."""

    url: str
    site: str
    title: str
    language: str


class Index(Protocol):
    """Documents and their passages, each scored by BM25 against words.

    Attributes:
        words: how its texts were turned into words.
    """

    @property
    def words(self) -> Words: ...

    def languages(self) -> Sequence[str]:
        """Return the languages of the documents."""
        ...

    def document_scores(self, words: Sequence[str], site: str = "") -> Mapping[int, float]:
        """Return the scores of the documents that have one of the words; of one site, if it is named."""
        ...

    def passage_scores(self, words: Sequence[str], site: str = "") -> Sequence[PassageScore]:
        """Return the scores of the passages that have one of the words, in any order."""
        ...

    def passage_count(self) -> int: ...

    def passage_frequency(self, word: str) -> int:
        """Return the number of passages that have a word."""
        ...

    def passage_texts(self, passages: Iterable[int]) -> Mapping[int, str]: ...

    def entry(self, document: int) -> Entry: ...

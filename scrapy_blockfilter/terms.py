"""Features of text: stemmed terms without stop words (Lin & Ho 2002, section 4.2).

Where the page's language has a stemmer and a list of stop words, its words are stemmed and the stop words left out;
in other languages whole words count, and in scripts written without spaces pairs of characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import snowballstemmer

from scrapy_blockfilter.hashing import hash32
from scrapy_blockfilter.stopwords import listed_languages, stemmer_name, stop_words

_WORD = re.compile(r"[^\W_]+")
# Thai, Lao, Myanmar, Khmer; kana; Han. Hangul puts spaces between words.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_UNSPACED_RUN = re.compile(f"{_UNSPACED.pattern}+")

# A language is taken for a page's where this many of its function words occur, and more than of any other.
_MIN_FUNCTION_WORDS = 5
_GUESS_CHARACTERS = 20_000
_MAX_CACHED = 100_000
_STOP = -1


class TermMaker:
    """Turns text into counted terms; remembers the stems it made, as a crawl meets the same words again and again."""

    def __init__(self) -> None:
        self._stemmers: dict[str, snowballstemmer.stemmer] = {}
        self._known: dict[str, dict[str, int]] = {}

    def count(self, text: str, language: str) -> dict[int, int]:
        """Hash of each term of ``text`` -> its frequency."""
        known = self._known.setdefault(language, {})
        if len(known) > _MAX_CACHED:
            known.clear()
        counts: dict[int, int] = {}
        for word in _WORD.findall(text.lower()):
            if word in known:
                term = known[word]
            elif not word.isascii() and _UNSPACED.search(word):
                self._count_unspaced(word, counts)
                continue
            else:
                term = known[word] = self._term(word, language)
            if term != _STOP:
                counts[term] = counts.get(term, 0) + 1
        return counts

    def guess_language(self, texts: Iterable[str]) -> str:
        """Two-letter code of the language whose function words ``texts`` hold most of, "" if that is not clear."""
        words: set[str] = set()
        characters = 0
        for text in texts:
            words.update(_WORD.findall(text.lower()))
            characters += len(text)
            if characters > _GUESS_CHARACTERS:
                break
        hits = sorted(((len(words & stop_words(code)), code) for code in listed_languages()), reverse=True)
        (most, language), (second, _) = hits[0], hits[1]
        return language if most >= _MIN_FUNCTION_WORDS and most > second else ""

    def _term(self, word: str, language: str) -> int:
        if word in stop_words(language):
            return _STOP
        algorithm = stemmer_name(language)
        if algorithm:
            stemmer = self._stemmers.get(algorithm)
            if stemmer is None:
                stemmer = self._stemmers[algorithm] = snowballstemmer.stemmer(algorithm)
            word = stemmer.stemWord(word)
        return hash32(word.encode("utf-8", "replace"))

    @staticmethod
    def _count_unspaced(word: str, counts: dict[int, int]) -> None:
        for run in _UNSPACED_RUN.findall(word):
            for first in range(max(1, len(run) - 1)):
                term = hash32(run[first : first + 2].encode())
                counts[term] = counts.get(term, 0) + 1
        for rest in _UNSPACED_RUN.sub(" ", word).split():
            term = hash32(rest.encode("utf-8", "replace"))
            counts[term] = counts.get(term, 0) + 1

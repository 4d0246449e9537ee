"""Features of text: stemmed terms without stop words (Lin & Ho 2002, section 4.2).

Where the page's language has a stemmer and a list of stop words, its words are stemmed and the stop words left out;
in other languages whole words count, and in scripts written without spaces pairs of characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from Stemmer import Stemmer

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
_STOP = 0  # what a stop word is known as; no hash is 0


class TermMaker:
    """Turns text into terms; remembers the stems it made, as a crawl meets the same words again and again."""

    def __init__(self) -> None:
        self._stemmers: dict[str, Stemmer] = {}
        self._known: dict[str, dict[str, int]] = {}

    def terms(self, text: str, language: str) -> list[int]:
        """Hashes of the terms of ``text``, in its order."""
        known = self._known.setdefault(language, {})
        if len(known) > _MAX_CACHED:
            known.clear()
        text = text.lower()
        words = _WORD.findall(text)
        if not text.isascii() and _UNSPACED.search(text):
            words = [part for word in words for part in _split_unspaced(word)]
        terms = list(map(known.get, words))
        if None in terms:
            for word in set(words).difference(known):
                known[word] = self._term(word, language)
            terms = list(map(known.get, words))
        return [term for term in terms if term]

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
                stemmer = self._stemmers[algorithm] = Stemmer(algorithm, 0)
            word = stemmer.stemWord(word)
        return hash32(word.encode("utf-8", "replace")) or 1


def _split_unspaced(word: str) -> list[str]:
    """Pairs of characters of scripts without spaces, and what stands between them in other scripts."""
    if word.isascii() or not _UNSPACED.search(word):
        return [word]
    parts = _UNSPACED_RUN.sub(" ", word).split()
    for run in _UNSPACED_RUN.findall(word):
        parts += [run[first : first + 2] for first in range(max(1, len(run) - 1))]
    return parts

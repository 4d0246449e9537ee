"""Features of text: stemmed terms without stop words (Lin & Ho 2002, section 4.2).

If the page's language has a stemmer and a list of stop words, words are stemmed and stop words dropped. In other
languages, whole words are terms. In scripts written without spaces, pairs of characters are terms.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from Stemmer import Stemmer

from scrapy_blockfilter.storable.hashing import hash32
from scrapy_blockfilter.text.stopwords import listed_languages, stemmer_name, stop_words

_WORD = re.compile(r"[^\W_]+")
# Thai, Lao, Myanmar, Khmer; kana; Han. Hangul puts spaces between words.
_UNSPACED = "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+"

# The guessed language has at least this many function words on the page, and more than any other language.
_MIN_FUNCTION_WORDS = 5
_GUESS_CHARACTERS = 20_000
_MAX_CACHED = 100_000
# Characters; longer words are not cached, as a page may be one word, nor stemmed, which takes quadratic time.
_LONGEST_KNOWN = 100
_STOP = 0  # stands for a stop word
_BETWEEN = "\x00"  # separates texts
_SPACED = {code: " " for code in range(1, 128) if not chr(code).isalnum()}


class _Known(dict[str, int]):
    """A cache from the words of a language to terms. A word that is looked up is added."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._stop_words = stop_words(language)
        self._stem = stemmer_of(language)

    def __missing__(self, word: str) -> int:
        # No term hashes to that of a stop word.
        is_stop = word in self._stop_words
        term = _STOP if is_stop else hash32(self._stem(word).encode("utf-8", "replace")) or 1
        if len(word) <= _LONGEST_KNOWN:
            self[word] = term
        return term


class TermMaker:
    """Turns text into terms, and caches them, as a crawl meets the same words again and again."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}

    def terms(self, text: str, language: str) -> list[int]:
        """Return hashes of the terms of ``text``, in text order."""
        return list(filter(None, map(self._known_in(language).__getitem__, words_of(text))))

    def terms_of_each(self, texts: Sequence[str], language: str) -> list[list[int]]:
        """Return hashes of the terms of each text, in text order."""
        if not texts:
            return []
        # Splitting all ASCII texts together takes a fifth of the time of matching words in each.
        plain = [text if text.isascii() and _BETWEEN not in text else "" for text in texts]
        spaced = _BETWEEN.join(plain).lower().translate(_SPACED).split(_BETWEEN)
        look_up = self._known_in(language).__getitem__
        return [
            list(filter(None, map(look_up, part.split() or words_of(text))))
            for part, text in zip(spaced, texts, strict=True)
        ]

    def _known_in(self, language: str) -> _Known:
        if not stemmer_name(language):
            language = ""  # other languages share one cache, as pages may declare any number of them
        known = self._known.get(language)
        if known is None:
            known = self._known[language] = _Known(language)
        elif len(known) > _MAX_CACHED:
            known.clear()
        return known

    def guess_language(self, texts: Iterable[str]) -> str:
        """Return the two-letter code of the language with most function words in the texts, "" if none stands out."""
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


def stemmer_of(language: str) -> Callable[[str], str]:
    """Return a function from a word to its stem: the word itself if it is very long, or the language has no stemmer."""
    algorithm = stemmer_name(language)
    if not algorithm:
        return str
    stem = Stemmer(algorithm, 0).stemWord
    return lambda word: stem(word) if len(word) <= _LONGEST_KNOWN else word


@cache
def _unspaced_run() -> re.Pattern[str]:
    """Return the pattern of a run in scripts without spaces. It takes long to compile, and many crawls need none."""
    return re.compile(_UNSPACED)


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case; pairs of characters in scripts without spaces.

    >>> words_of("Die Straße, 東京都")
    ['die', 'straße', '東京', '京都']
    """
    words = _WORD.findall(text.lower())
    if text.isascii() or not _unspaced_run().search(text):
        return words
    return [part for word in words for part in _split_unspaced(word)]


def is_unspaced(word: str) -> bool:
    """Return whether a word is of a script that is written without spaces."""
    return not word.isascii() and _unspaced_run().fullmatch(word) is not None


def _split_unspaced(word: str) -> list[str]:
    """Split a word into pairs of characters in scripts without spaces, and the parts in other scripts."""
    if word.isascii() or not _unspaced_run().search(word):
        return [word]
    parts = _unspaced_run().sub(" ", word).split()
    for run in _unspaced_run().findall(word):
        parts += [run[first : first + 2] for first in range(max(1, len(run) - 1))]
    return parts

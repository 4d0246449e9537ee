"""Stems of words by Snowball, without stop words."""

from __future__ import annotations

from collections.abc import Callable

from Stemmer import Stemmer

from scrapy_blockfilter.text.stopwords import stemmer_name, stop_words

# Characters; longer words are not stemmed, which takes quadratic time.
_LONGEST = 100


def stems_of(language: str) -> Callable[[str], str]:
    """Return a function from a word to its stem, "" for a stop word. Very long words stay as they are."""
    algorithm = stemmer_name(language)
    if not algorithm:
        return str
    stops, stem = stop_words(language), Stemmer(algorithm, 0).stemWord
    return lambda word: "" if word in stops else stem(word) if len(word) <= _LONGEST else word

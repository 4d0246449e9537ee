"""Words to look up: stems without stop words, and pairs of characters in scripts without spaces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from scrapy_blockfilter.extras.papers.stems import stems_of
from scrapy_blockfilter.text.stopwords import stemmer_name
from scrapy_blockfilter.text.terms import is_unspaced, words_of

_WORD = re.compile(r"[^\W_]+")
# Of each language, as many words are remembered; a crawl meets the same ones again and again.
_MAX_KNOWN = 100_000


class Words:
    """Turns texts and queries into words to look up, in any number of languages."""

    def __init__(self) -> None:
        self._stems: dict[str, Callable[[str], str]] = {}

    def of(self, text: str, language: str) -> list[str]:
        """Return the words of a text in its order.

        >>> Words().of("The running of the bulls", "en")
        ['run', 'bull']
        """
        stem_of = self._stems_of(language)
        return [stem for stem in map(stem_of, words_of(text)) if stem]

    def of_document(self, text: str, language: str) -> list[str]:
        """Return the words to index, with those that only a query of a single character asks for.

        A single character of a script without spaces is found as the first of a pair; the last of a run begins none.

        >>> Words().of_document("東京都", "ja")
        ['東京', '京都', '都']
        """
        words = self.of(text, language)
        if not text.isascii():
            words += [last for last in (part[-1] for part in _WORD.findall(text)) if is_unspaced(last)]
        return words

    def of_query(self, query: str, languages: Iterable[str]) -> list[str]:
        """Return the words to look up for a query: in each language, as nobody says which one a query is in.

        A word that each language has for a stop word is left out, unless the query has no other.

        >>> Words().of_query("The running", ["en", "de"])
        ['the', 'run', 'running']
        """
        known = list(languages) or [""]
        found = {word: None for typed in words_of(query) for language in known for word in self.of(typed, language)}
        return list(found or dict.fromkeys(words_of(query)))

    def _stems_of(self, language: str) -> Callable[[str], str]:
        language = language if stemmer_name(language) else ""  # pages may declare any number of languages
        if language not in self._stems:
            self._stems[language] = lru_cache(_MAX_KNOWN)(stems_of(language))
        return self._stems[language]


def is_part(word: str) -> bool:
    """Return whether a word of a query is a single character that stands in longer words, as in Chinese.

    >>> is_part("水"), is_part("水道"), is_part("a")
    (True, False, False)
    """
    return len(word) == 1 and is_unspaced(word)

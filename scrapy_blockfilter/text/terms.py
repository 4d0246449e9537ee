"""Features of text: stemmed terms without stop words (Lin & Ho 2002, section 4.2).

If the page's language has a stemmer and a list of stop words, words are stemmed and stop words dropped. In other
languages, whole words are terms. In scripts written without spaces, pairs of characters are terms. The stemmers are
found by an entry point when a method first asks for terms.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from unicodedata import category

from scrapy_blockfilter.plugins import PluginError, Plugins
from scrapy_blockfilter.storable.hashing import hash32
from scrapy_blockfilter.text.normal_form import normalized
from scrapy_blockfilter.text.stopwords import stemmer_name

logger = logging.getLogger(__name__)

STEMS = Plugins("stems", "maker of stems", ())
# Thai, Lao, Myanmar, Khmer; kana; Han. Hangul puts spaces between words.
_UNSPACED = "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+"
_unspaced_run = cache(partial(re.compile, _UNSPACED))  # takes long to compile, and many crawls need none

_MAX_CACHED = 100_000
# Characters; longer words are not cached, as a page may be one word.
_LONGEST_KNOWN = 100
_STOP = 0  # stands for a stop word
_BETWEEN = "\x00"  # separates texts
_SPACED = {code: " " for code in range(1, 128) if not chr(code).isalnum()}
# What is in words, but no part of them: soft hyphen, joiner, and the dot that a Turkish capital leaves on a small i.
_WITHIN = re.compile("[\u00ad\u200d]|(?<=i)\u0307")


class _Known(dict[str, int]):
    """A cache from the words of a language to terms. A word that is looked up is added."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._stem = _stems_of(language)

    def __missing__(self, word: str) -> int:
        stem = self._stem(word)
        # No term hashes to that of a stop word.
        term = (hash32(stem.encode("utf-8", "replace")) or 1) if stem else _STOP
        if len(word) <= _LONGEST_KNOWN:
            self[word] = term
        return term


class TermMaker:
    """Turns text into terms, and caches them, as a crawl meets the same words again and again."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}

    def terms_of_each(self, texts: Sequence[str], language: str) -> list[list[int]]:
        """Return hashes of the terms of each text, in text order."""
        if not texts:
            return []
        # Splitting all ASCII texts together takes a fifth of the time of matching words in each.
        plain = [text if text.isascii() and _BETWEEN not in text else "" for text in texts]
        spaced = _BETWEEN.join(plain).lower().translate(_SPACED).split(_BETWEEN)
        look_up = self._known_in(language).__getitem__
        words = (part.split() or words_of(text) for part, text in zip(spaced, texts, strict=True))
        return [list(filter(None, map(look_up, of_text))) for of_text in words]

    def _known_in(self, language: str) -> _Known:
        if not stemmer_name(language):
            language = ""  # other languages share one cache, as pages may declare any number of them
        known = self._known.get(language)
        if known is None:
            known = self._known[language] = _Known(language)
        elif len(known) > _MAX_CACHED:
            known.clear()
        return known


def _stems_of(language: str) -> Callable[[str], str]:
    """Return a function from a word to its stem, "" for a stop word; to the word itself if no stemmer can be had."""
    try:
        stems: Callable[[str], str] = STEMS.load("snowball")(language)
    except (KeyError, PluginError) as missing:
        logger.warning("Methods that count terms count whole words: %s.", missing)
        return str
    return stems


@cache
def word_pattern() -> re.Pattern[str]:
    """Return the pattern of words, and of underscores. Vowels are marks in many scripts, which are no ``\\w``."""
    marks = "".join(sign for sign in map(chr, range(0x300, 0xFFFF)) if category(sign)[0] == "M")
    return re.compile(rf"\w[\w{marks}\u00ad\u200d]*")


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case; pairs of characters in scripts without spaces.

    >>> words_of("Die Straße, 東京都")
    ['die', 'straße', '東京', '京都']
    """
    text = _WITHIN.sub("", normalized("NFC", text).lower()).replace("_", " ")
    words = word_pattern().findall(text)
    if text.isascii() or not _unspaced_run().search(text):
        return words
    return [part for word in words for part in _split_unspaced(word)]


def is_unspaced(word: str) -> bool:
    """Return whether a word is of a script that is written without spaces."""
    return not word.isascii() and _unspaced_run().fullmatch(word) is not None


def _split_unspaced(word: str) -> list[str]:
    """Split a word into pairs of characters in scripts without spaces, and the parts in other scripts."""
    parts = _unspaced_run().sub(" ", word).split()
    for run in _unspaced_run().findall(word):
        parts += [run[first : first + 2] for first in range(max(1, len(run) - 1))]
    return parts

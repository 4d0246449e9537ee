"""Function words of languages with a stemmer: articles, pronouns, prepositions, conjunctions, auxiliaries.

These words show the language of a page that declares none, and are the stop words of terms. The lists are short on
purpose. Published lists have a thousand words or more, among them "home", "information", "page" and "contact".
Templates are made of such words, so they must stay features.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

_SAME_LANGUAGE = {"nb": "no", "nn": "no"}
# The guessed language has at least this many function words on the page, and more than any other language.
_MIN_FUNCTION_WORDS = 5
_GUESS_CHARACTERS = 20_000
_WORD = re.compile(r"[^\W_]+")
_Language = tuple[str | None, frozenset[str]]
_UNLISTED: _Language = None, frozenset()


def stop_words(language: str) -> frozenset[str]:
    """Return the function words of a language, given as two-letter code; none for a language without a list."""
    return languages().get(_SAME_LANGUAGE.get(language, language), _UNLISTED)[1]


def stemmer_name(language: str) -> str | None:
    """Return the name of the Snowball algorithm for a two-letter language code, or None."""
    return languages().get(_SAME_LANGUAGE.get(language, language), _UNLISTED)[0]


def guess_language(texts: Iterable[str]) -> str:
    """Return the two-letter code of the language with most function words in the texts, "" if none stands out."""
    words: set[str] = set()
    characters = 0
    for text in texts:
        words.update(_WORD.findall(text.lower()))
        characters += len(text)
        if characters > _GUESS_CHARACTERS:
            break
    hits = sorted(((len(words & listed), code) for code, (_, listed) in languages().items()), reverse=True)
    (most, language), (second, _), *_ = hits
    return language if most >= _MIN_FUNCTION_WORDS and most > second else ""


@cache
def languages() -> dict[str, _Language]:
    """Return the listed languages by their codes, each with its Snowball algorithm and its function words."""
    paragraphs = files(__package__).joinpath("function_words.txt").read_text(encoding="utf-8").split("\n\n")
    split = (paragraph.split() for paragraph in paragraphs)
    return {code: (algorithm, frozenset(words)) for code, algorithm, *words in split}

"""Function words of languages with a stemmer: articles, pronouns, prepositions, conjunctions, auxiliaries.

The lists are short on purpose. Published lists have a thousand words or more, among them "home", "information", "page"
and "contact". Templates are made of these words, so they must stay features.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

# Paragraphs of the file, each with the code of a language, the name of its Snowball algorithm, and its words.
_FILE = "function_words.txt"
_SAME_LANGUAGE = {"nb": "no", "nn": "no"}
_Language = tuple[str | None, frozenset[str]]
_UNLISTED: _Language = None, frozenset()


def stop_words(language: str) -> frozenset[str]:
    """Return the function words of a language, given as two-letter code; none for a language without a list.

    >>> "the" in stop_words("en"), stop_words("ja")
    (True, frozenset())
    """
    return _listed().get(_SAME_LANGUAGE.get(language, language), _UNLISTED)[1]


def stemmer_name(language: str) -> str | None:
    """Return the name of the Snowball algorithm for a two-letter language code, if there is one."""
    return _listed().get(_SAME_LANGUAGE.get(language, language), _UNLISTED)[0]


def listed_languages() -> tuple[str, ...]:
    return tuple(_listed())


@cache
def _listed() -> dict[str, _Language]:
    paragraphs = files(__package__).joinpath(_FILE).read_text(encoding="utf-8").split("\n\n")
    split = (paragraph.split() for paragraph in paragraphs)
    return {code: (algorithm, frozenset(words)) for code, algorithm, *words in split}

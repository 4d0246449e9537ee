"""Function words and stemmers: each language has both."""

from __future__ import annotations

import pytest
import Stemmer

from scrapy_blockfilter.text.stopwords import listed_languages, stemmer_name, stop_words


def test_each_listed_language_has_a_stemmer_that_exists() -> None:
    assert len(listed_languages()) == 18
    assert {stemmer_name(language) for language in listed_languages()} <= set(Stemmer.algorithms())


@pytest.mark.parametrize("language", listed_languages())
def test_words_of_a_list_can_be_met(language: str) -> None:
    words = stop_words(language)
    assert 60 <= len(words) <= 200
    assert all(word == word.lower() and word.isalpha() for word in words)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "home information page contact about news search menu login"),
        ("de", "startseite seite kontakt suche impressum"),
        ("fr", "accueil page contact recherche"),
    ],
)
def test_words_that_templates_are_made_of_are_no_stop_words(language: str, words: str) -> None:
    assert set(words.split()) & stop_words(language) <= {"about"}


def test_both_norwegians_are_norwegian() -> None:
    assert stop_words("nb") == stop_words("nn") == stop_words("no")
    assert stemmer_name("nb") == stemmer_name("nn") == "norwegian"


def test_an_unknown_language_has_neither() -> None:
    for language in ("ja", "", "english", "EN"):
        assert stop_words(language) == frozenset()
        assert stemmer_name(language) is None

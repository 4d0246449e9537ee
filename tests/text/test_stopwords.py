"""Function words and stemmers: each language has both."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import Stemmer

from scrapy_blockfilter.text.stopwords import guess_language, languages, stemmer_name, stop_words


def test_each_listed_language_has_a_stemmer_that_exists() -> None:
    assert len(languages()) == 18
    assert {stemmer_name(language) for language in languages()} <= set(Stemmer.algorithms())


@pytest.mark.parametrize("language", languages())
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


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The council has decided that the bridge will be closed for the winter and it is not the first.", "en"),
        ("Der Rat hat entschieden, dass die Brücke für den Winter nicht geöffnet wird und das ist neu.", "de"),
        ("Le conseil a décidé que le pont ne sera pas ouvert pour l'hiver, et ce n'est pas la première fois.", "fr"),
        ("Совет решил, что мост не будет открыт на зиму, и это уже не первый раз, как и в том году.", "ru"),
        ("港口城市的冬天", ""),
        ("Home News Sport Contact", ""),
        ("", ""),
    ],
)
def test_the_language_is_guessed_from_function_words(text: str, language: str) -> None:
    assert guess_language([text]) == language


def test_the_guess_reads_only_so_far() -> None:
    def texts() -> Iterator[str]:
        yield from ["the and of to in that it was for on are with"] * 1_000
        raise AssertionError("read to the end")

    assert guess_language(texts()) == "en"

"""PyStemmer: samples hold hashes of stems, so the same words have the same stems in every version."""

from __future__ import annotations

import pytest
import Stemmer

STEMS = {
    "english": ("harbours running", "harbour run"),
    "german": ("häuser gelaufen", "haus gelauf"),
    "french": ("maisons continuellement", "maison continuel"),
    "russian": ("дома", "дом"),
    "spanish": ("canciones", "cancion"),
}


@pytest.mark.parametrize("algorithm", STEMS)
def test_words_have_their_stems(algorithm: str) -> None:
    words, stems = STEMS[algorithm]
    stemmer = Stemmer.Stemmer(algorithm, 0)  # without a cache
    assert [stemmer.stemWord(word) for word in words.split()] == stems.split()


def test_what_is_no_word_comes_back() -> None:
    stemmer = Stemmer.Stemmer("english", 0)
    for text in ("", "港", "😀", "a\ud800"[:1]):
        assert stemmer.stemWord(text) == text


def test_the_version_is_named() -> None:
    assert Stemmer.version()

"""Features of text (Lin & Ho 2002, section 4.2): words, or pairs of characters."""

from __future__ import annotations

import tracemalloc
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_blockfilter.plugins import Plugins
from scrapy_blockfilter.storable import hash32
from scrapy_blockfilter.text.terms import TermMaker, words_of


def counted(text: str, language: str = "en", maker: TermMaker | None = None) -> Counter[int]:
    (terms,) = (maker or TermMaker()).terms_of_each([text], language)
    return Counter(terms)


def hashed(**frequencies: int) -> dict[int, int]:
    return {hash32(term.encode()): frequency for term, frequency in frequencies.items()}


@given(
    st.lists(st.text() | st.sampled_from(["The harbours", "a\x00b", "don't_stop-it", "港口 Häfen", "ΟΔΟΣ"]), max_size=8)
)
def test_terms_of_many_texts_are_those_of_each(texts: list[str]) -> None:
    for language in ("en", "de", ""):
        alone = [TermMaker().terms_of_each([text], language)[0] for text in texts]
        assert TermMaker().terms_of_each(texts, language) == alone
    terms = [[hash32(word.encode("utf-8", "replace")) for word in words_of(text)] for text in texts]
    assert TermMaker().terms_of_each(texts, "xx") == terms


@pytest.mark.parametrize("language", ["ja", "uk", "", "xx", "english"])
def test_without_a_stemmer_whole_words_count_stop_words_too(language: str) -> None:
    assert counted("the Opening opened", language) == hashed(the=1, opening=1, opened=1)


def test_chinese_and_japanese_are_pairs_of_characters() -> None:
    # 港口城 overlap: 港口, 口城. A single character is a term of its own.
    assert counted("港口城", "zh") == hashed(港口=1, 口城=1)
    assert counted("港口港口", "zh") == hashed(港口=2, 口港=1)
    assert counted("港", "zh") == hashed(港=1)
    assert counted("カタカナ", "ja") == hashed(カタ=1, タカ=1, カナ=1)
    assert counted("ที่", "th") == {hash32("ที".encode()): 1, hash32("ี่".encode()): 1}


def test_case_punctuation_and_unseen_characters_do_not_matter_and_marks_part_no_word() -> None:
    assert counted("Front-Page, front_page: FRONT page!", "xx") == hashed(front=3, page=3)
    words = ["हिन्दी", "भाषा", "தமிழ்", "é", "izmir", "coop", "ශ්රී"]
    assert words_of("हिन्दी_भाषा, தமிழ்; e\u0301 İzmir co\u00adop ශ්\u200dරී ❤\ufe0f") == words


def test_a_term_maker_counts_the_same_the_second_time() -> None:
    maker = TermMaker()
    text = "The harbours, 港口城市 and harbours"
    first = maker.terms_of_each([text], "en")
    assert counted("harbours", "de", maker) == counted("harbours", "de")
    assert maker.terms_of_each([text], "en") == first == TermMaker().terms_of_each([text], "en")


@pytest.mark.slow
def test_a_term_maker_does_not_grow_without_bound() -> None:
    maker = TermMaker()
    tracemalloc.start()
    try:
        for start in range(0, 250_000, 10_000):
            counted(" ".join(f"w{number}" for number in range(start, start + 10_000)), "xx", maker)
            remembered, _ = tracemalloc.get_traced_memory()
            # A word takes some 120 bytes: there are never 170,000 of them.
            assert 1_000_000 < remembered < 20_000_000
    finally:
        tracemalloc.stop()
    assert counted("w1 w249999", "xx", maker) == hashed(w1=1, w249999=1)


def test_words_count_whole_if_no_package_has_stems_and_it_is_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("scrapy_blockfilter.text.terms.STEMS", Plugins("none", "maker of stems", ()))
    assert counted("the harbours") == hashed(the=1, harbours=1)
    assert "count whole words: \"there is no maker of stems 'snowball'" in caplog.text

"""Kinds of characters: the same in every script, and in bulk as for single texts."""

from __future__ import annotations

import unicodedata
import zlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.character_table import kind_of, table
from scrapy_blockfilter.text.characters import (
    COMMA,
    DIGIT,
    KINDS,
    LETTER,
    SENTENCE_END,
    SPACE,
    SYMBOL,
    TABLE_SIZE,
    UNICODE,
    UPPER,
    WIDE,
    count_kinds,
    kinds_of,
)


@pytest.mark.parametrize(
    ("kind", "characters"),
    [
        (LETTER, "aéßжλ\u0301\u02b0ا\u05d0"),  # letters with no case, and marks, are letters
        (UPPER, "AÉЖΛǅ"),
        (DIGIT, "09٣३๔"),
        (SPACE, " \t\n\u00a0\u3000\u2028"),
        (SENTENCE_END, ".!?。！？…।؟"),
        (COMMA, ",;:、，；：،"),
        (WIDE, "水あア한ไ々\u2e80"),
        (SYMBOL, "-–(«“@€©|/_\u200b\ufffd"),
    ],
)
def test_a_kind_is_the_same_in_every_script(kind: int, characters: str) -> None:
    assert {character: int(found) for character, found in zip(characters, kinds_of(characters), strict=True)} == (
        dict.fromkeys(characters, kind)
    )


@pytest.mark.parametrize("character", ["\U0001f600", "\U00020000", "\U0010ffff", "\ud800", "\0"])
def test_characters_outside_of_the_basic_plane_and_halves_of_pairs_are_symbols(character: str) -> None:
    assert kinds_of(f"a{character}b").tolist() == [LETTER, SYMBOL, LETTER]


_WILD = st.text(st.characters(codec=None, exclude_categories=()), max_size=40)


@given(st.lists(_WILD, max_size=8))
def test_texts_counted_together_are_counted_as_each_alone(texts: list[str]) -> None:
    counts, last_kinds = count_kinds(texts)
    assert counts.shape == (len(texts), KINDS)
    for row, last, text in zip(counts, last_kinds, texts, strict=True):
        alone = Counter(int(kinds_of(character)[0]) for character in text)
        assert row.tolist() == [alone[kind] for kind in range(KINDS)]
        assert row.sum() == len(text)
        assert last == kinds_of(text[-1:] or " ")[0]


def test_table_is_that_of_its_unicode_version() -> None:
    kinds = kinds_of("".join(map(chr, range(TABLE_SIZE)))).tolist()
    different = [code for code, kind in enumerate(kinds) if kind != kind_of(chr(code))]
    if unicodedata.unidata_version == UNICODE:
        assert not different
    # Other versions differ in characters that one of the two has not assigned.
    for code in different:
        assert unicodedata.category(chr(code)) == "Cn" or kinds[code] == SYMBOL, hex(code)
    assert len(different) < 200


def test_written_table_has_the_kinds_of_this_python() -> None:
    assert list(zlib.decompress(table())) == [kind_of(chr(code)) for code in range(TABLE_SIZE)]

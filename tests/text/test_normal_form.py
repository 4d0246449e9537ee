"""Normal forms of texts and addresses that have more marks in a row than any language."""

from __future__ import annotations

import re
import sys
from unicodedata import combining, normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_blockfilter.identity import page_id, site_key
from scrapy_blockfilter.render.addresses import address_of, base_of
from scrapy_blockfilter.text.block_text import block_key, composed
from scrapy_blockfilter.text.normal_form import JOINER, MOST_MARKS, escaped_rows, normalized, stream_safe

# Letters, marks of several classes, and characters that stand for marks or end in some when decomposed.
MARKED = st.text(alphabet="ae水 .\u0301\u0327\u0323\u0334\u0344\u0f73\uff9e\u1f82\u3099", max_size=200)
ROWS = st.lists(st.tuples(MARKED, st.sampled_from("\u0301\u0344\uff9e"), st.integers(0, 80))).map(
    lambda parts: "".join(text + mark * times for text, mark, times in parts)
)
MIXED = "\u0301\u0327\u0323" * 2_000
# Such an address as Python's functions of addresses see it: without these characters.
DROPPED = re.compile("[\t\r\n@:#?]")


def most_marks(text: str) -> int:
    """Return the length of the longest row of marks in a decomposed text."""
    most = row = 0
    for character in normalize("NFKD", text):
        row = row + 1 if combining(character) else 0
        most = max(most, row)
    return most


@given(ROWS)
def test_texts_are_unchanged_up_to_30_marks_in_a_row_and_have_no_more_afterwards(text: str) -> None:
    safe = stream_safe(text)
    assert most_marks(safe) <= MOST_MARKS
    assert safe.replace(JOINER, "") == text
    assert (safe == text) == (most_marks(text) <= MOST_MARKS)


@given(ROWS, st.sampled_from(["NFC", "NFKC"]))
def test_other_texts_are_normalised_as_ever(text: str, form: str) -> None:
    if most_marks(text) <= MOST_MARKS:
        assert normalized(form, text) == normalize(form, text)  # type: ignore[arg-type]
    assert most_marks(normalized(form, text)) <= MOST_MARKS  # type: ignore[arg-type]


@pytest.mark.slow
def test_each_character_that_stands_for_marks_counts_as_them() -> None:
    decomposed = {character: normalize("NFKD", character) for character in map(chr, range(sys.maxunicode + 1))}
    for character in (each for each, parts in decomposed.items() if combining(parts[0])):
        assert JOINER in stream_safe("a" + character * (MOST_MARKS + 1)), hex(ord(character))


def test_keys_of_texts_take_their_composed_form() -> None:
    assert composed("a" + MIXED).count(JOINER) == len(MIXED) // MOST_MARKS - 1
    assert block_key("a" + MIXED) == block_key(stream_safe("a" + MIXED)) != block_key("a" + MIXED[:-1])


@given(st.lists(st.sampled_from(["a", "\t", "@", ":", "\u0301", "\u0327\u0323" * 9, "\u200d", "/", " "])).map("".join))
def test_addresses_keep_no_long_row_of_marks_whatever_is_dropped_from_them(path: str) -> None:
    escaped = escaped_rows(f"http://a{path}")
    assert most_marks(DROPPED.sub("", escaped)) <= MOST_MARKS
    assert escaped == f"http://a{path}" or "%" in escaped


@pytest.mark.parametrize("written", ["http://bücher.example/é?ä=水#नमस्ते", "/a\u0301\u0327", "“quoted”", "…" * 9])
def test_usual_addresses_are_left_as_they_are(written: str) -> None:
    assert escaped_rows(written) == written


def test_every_reader_of_addresses_gets_them_escaped() -> None:
    hostile = f"http://a{MIXED}.example/"
    assert address_of(hostile, "http://b.example/").isascii()
    assert base_of(f"<base href='{hostile}'>é", "http://b.example/").isascii()
    assert site_key(hostile) is None
    assert page_id(f"http://b.example/{MIXED}") == page_id(escaped_rows(f"http://b.example/{MIXED}"))

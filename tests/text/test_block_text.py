"""From raw text in a page to folded text and a key, seen before or not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_blockfilter.text.block_text import BREAK, KnownTexts, block_text, fold


@given(st.text(alphabet=" ab\n\t\u00a0\u2003\x1f\x85é"))
def test_folded_text_has_single_spaces(text: str) -> None:
    assert fold(text) == " ".join(text.split())


@given(st.lists(st.text(alphabet=f" ab\n\u00a0é{BREAK}"), max_size=6))
def test_a_known_text_is_what_it_was_when_it_was_new(raw: list[str]) -> None:
    known = KnownTexts()
    for text in (*raw, *raw):
        assert known.ready()[text] == block_text(text)


def test_texts_are_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_blockfilter.text.block_text._MAX_TEXTS", 3)
    known = KnownTexts()
    for number in range(20):
        assert known.ready()[f" text {number} "] == block_text(f"text {number}")
        assert len(known) <= 4

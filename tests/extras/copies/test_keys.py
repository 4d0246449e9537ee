"""The keys of the kept texts: what they depend on, and what they do not."""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib.util import find_spec

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_blockfilter.extras.copies.keys import NUMBERS, content_key, likeness, numbers_of, similar_key, words_of
from scrapy_blockfilter.methods import Reason, Verdict
from scrapy_blockfilter.model import Cleaned
from tests.support.pages import document, segmented

needs_datasketch = pytest.mark.skipif(find_spec("datasketch") is None, reason="no datasketch")
TEXTS = st.lists(st.text(st.characters(codec="utf-8"), max_size=40) | st.just("one two three four"), max_size=8)
WORDS = [
    *("harbour", "council", "winter", "market", "river", "teacher", "question", "engine", "garden", "number", "letter"),
]


def text_of(seed: int, words: int = 600) -> str:
    chosen = random.Random(seed)
    return " ".join(chosen.choice(WORDS) for _ in range(words))


def cleaned(*body: str) -> Cleaned:
    html = document(*body, title="Name")
    page = segmented(html)
    verdicts = [Verdict("Menu" not in block.text, 0.5, Reason("other", "so")) for block in page.blocks]
    return Cleaned(html, page, verdicts, "")


@pytest.mark.parametrize("key_of", [content_key, pytest.param(similar_key, marks=needs_datasketch)])
@given(TEXTS, st.randoms())
def test_key_is_that_of_the_same_texts_in_any_order_and_number(
    key_of: Callable[[list[str]], str], texts: list[str], chosen: random.Random
) -> None:
    others = [*texts, *texts[:2]]
    chosen.shuffle(others)
    assert key_of(others) == key_of(texts)


@given(TEXTS, TEXTS)
def test_content_keys_of_other_lines_differ(one: list[str], other: list[str]) -> None:
    lines = [{" ".join(words_of(line)) for text in texts for line in text.split("\n")} - {""} for texts in (one, other)]
    if max(len(line.split()) for texts in lines for line in [*texts, ""]) < 8:  # there are no long lines
        assert (content_key(one) == content_key(other)) is (lines[0] == lines[1])


@given(st.text("abcXYZéÀß Ωж9"))
def test_words_have_no_case_and_no_white_space(text: str) -> None:
    assert words_of(text.upper()) == words_of(f" {text}\u00a0") == words_of("\u00ad".join(text)) == words_of(text)
    assert len(words_of(text)) == len(text.split())


def test_keys_are_those_of_every_release() -> None:
    texts = ["Harbour reopens", "The “boats” returned\non Monday, İstanbul.", "日本語のページ", "√2 ≈ 1.41"]
    assert content_key(texts) == "610245a141dc29f3b25d520b01d17b18"
    assert content_key([text_of(1)]) == "7ea89910bd37d41aa74c6cedc78f2a3b"


@needs_datasketch
def test_similar_keys_are_those_of_every_release() -> None:
    key = similar_key(["Harbour reopens", "The boats returned\non Monday.", "日本語のページ"])
    assert len(key) == 8 * NUMBERS
    assert key[:48] == "132878da0ea393ce0e7ba3e5184fef432d1a04ce02638c54"


@needs_datasketch
def test_keys_are_of_what_is_kept_whatever_the_markup() -> None:
    one = cleaned("<p>Menu</p><h1>Moles</h1><p>The mole digs.</p><p>“It is blind.”</p>")
    other = cleaned("<table><tr><td>The <b>MOLE</b> digs.<br>It is blind!<td>Moles</table><p>Menu of another</p>")
    assert one.content_key == other.content_key != ""
    assert one.similar_key == other.similar_key != ""
    assert one.content_key != cleaned("<h1>Moles</h1><p>The mole digs.</p>").content_key


@pytest.mark.parametrize("body", ["", "<p>Menu</p>", "<p>…</p><img src=a.png>"])
def test_page_without_words_has_no_keys(body: str) -> None:
    assert cleaned(body).content_key == cleaned(body).similar_key == ""
    assert likeness("", "") == likeness("", "00" * 4 * NUMBERS) == 0


def test_short_lines_beside_long_ones_make_no_other_content() -> None:
    text = "The harbour of the town was opened again after a long winter."
    assert content_key([text, "By Anna Mole"]) == content_key(["12 March 2014", text])
    assert content_key(["Price: 12", "Name: Anna"]) != content_key(["Price: 13", "Name: Anna"])


@needs_datasketch
@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.6])
def test_likeness_is_the_share_of_runs_of_words_that_both_have(share: float) -> None:
    one = [f"{number} {text_of(number, 30)}" for number in range(100)]
    changed = round(share * len(one))
    other = [f"{text_of(1_000 + number, 30)} {number}" for number in range(changed)] + one[changed:]
    runs = [
        {tuple(words[at : at + 3]) for text in texts for words in [words_of(text)] for at in range(len(words) - 2)}
        for texts in (one, other)
    ]
    wanted = len(runs[0] & runs[1]) / len(runs[0] | runs[1])
    assert likeness(similar_key(one), similar_key(other)) == pytest.approx(wanted, abs=0.15)


@pytest.mark.parametrize("key", ["", "00", "x" * 8 * NUMBERS, "0" * (8 * NUMBERS + 2)])
def test_what_is_no_similar_key_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match=r"hexadecimal|digits"):
        numbers_of(key)

"""The labels to train the default method on: which blocks a gold text contains."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.training.labels import label_blocks, label_pictures, open_captions

_STORY = "Boats returned to the old harbour on Monday morning"
_MORE = "The mayor said that repairs had cost less than planned"


def labels(texts: list[str], gold: str) -> list[float]:
    return [round(float(label), 3) for label in label_blocks(texts, gold)]


def test_a_long_block_is_content_where_the_gold_holds_its_words_in_their_order() -> None:
    assert labels([_STORY, "Read all about our cookies and partners here", _MORE], f"{_STORY}\n{_MORE}") == [1, 0, 1]
    scrambled = " ".join(sorted(_STORY.split()))
    assert labels([scrambled], _STORY) == [0]


def test_a_block_that_is_gold_in_part_has_the_share_of_its_tokens() -> None:
    # Nine tokens of the story, then three that are not in the gold.
    assert labels([f"{_STORY} share this page"], _STORY) == [0.75]


def test_a_short_block_is_content_where_it_continues_a_block() -> None:
    texts = ["Harbour", _STORY, "Photo: Ann", "Share", _MORE]
    assert labels(texts, f"Harbour {_STORY} Photo: Ann {_MORE}") == [1, 1, 1, 0, 1]


def test_of_several_places_on_the_page_that_is_meant_which_stands_as_in_the_gold() -> None:
    name, price = "Blue lamp", "$ 30"
    texts = [name, f"Home > Lamps > {name}", "Menu", name, price, _STORY, "See also", name, price]
    assert labels(texts, f"{name}\n{price}\n{_STORY}") == [0, 0, 0, 1, 1, 1, 0, 0, 0]


def test_a_short_block_that_the_gold_has_by_accident_is_not_content() -> None:
    # "Monday" is a word of the story, which has been found already; it is no line of the gold.
    assert labels(["Monday", _STORY, "Monday"], _STORY) == [0, 1, 0]
    assert labels(["morning", "Menu", _STORY], f"{_STORY}\n{_MORE}") == [0, 0, 1]


def test_a_short_block_that_is_a_line_of_the_gold_is_content_once() -> None:
    gold = f"{_STORY}\nand much more was said by many people\nShare\n{_MORE}"
    assert labels([_STORY, "Share", _MORE, "Share", "Share"], gold) == [1, 1, 1, 0, 0]


@pytest.mark.parametrize("gold", ["", "\n \n", "!"])
def test_nothing_is_content_where_there_is_no_gold(gold: str) -> None:
    assert labels([_STORY, "Menu", "", "!"], gold) == [0, 0, 0, 0]


_WORDS = st.lists(st.sampled_from("abcde"), max_size=14).map(" ".join)


@given(st.lists(_WORDS, max_size=8), st.lists(_WORDS, max_size=5).map("\n".join))
def test_labels_are_shares_and_those_of_short_blocks_are_zero_or_one(texts: list[str], gold: str) -> None:
    found = label_blocks(texts, gold)
    assert len(found) == len(texts)
    for text, label in zip(texts, found.tolist(), strict=True):
        assert 0 <= label <= 1
        if len(text.split()) < 6:
            assert label in (0, 1)


@given(st.lists(st.lists(st.integers(0, 10**6), min_size=6, max_size=12), min_size=1, max_size=6))
def test_blocks_that_are_the_gold_are_all_content(numbers: list[list[int]]) -> None:
    texts = [" ".join(f"{place}x{at}x{word}" for at, word in enumerate(line)) for place, line in enumerate(numbers)]
    assert labels(texts, "\n".join(texts)) == [1] * len(texts)


def test_a_caption_that_the_gold_lacks_is_open_between_paragraphs_alone() -> None:
    are_captions = np.array([True, False, True, True, False, True])
    found = np.array([0, 1, 0, 1, 1, 0], np.float32)
    tokens = np.array([9, 9, 4, 4, 9, 4], np.float32)
    assert open_captions(are_captions, found, tokens).tolist() == [False, False, True, False, False, False]


def test_a_picture_is_content_between_content_and_open_elsewhere() -> None:
    tokens = np.array([0, 9, 0, 0, 4, 0, 2, 0], np.float32)
    found, are_open = label_pictures(np.array([0, 1, 0, 0, 1, 0, 0, 0], np.float32), tokens)
    assert found.tolist() == [0, 1, 1, 1, 1, 0, 0, 0]
    assert are_open.tolist() == [True, False, False, False, False, True, False, True]
    assert not label_pictures(np.zeros(0, np.float32), np.zeros(0, np.float32))[1].any()

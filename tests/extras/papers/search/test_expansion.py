"""The words that best blocks add to a query, by hand."""

from __future__ import annotations

from math import log

import pytest

from scrapy_blockfilter.extras.papers.search.expansion import NEW_WORDS, new_words, relevance_weight


def test_relevance_weight_is_that_of_robertson_and_sparck_jones() -> None:
    # 3 of 4 best blocks have the word, and 10 of 100 in all.
    assert relevance_weight(3, 4, 10, 100) == pytest.approx(log((3.5 / 1.5) / (7.5 / 89.5)))


def test_words_of_several_best_blocks_that_few_others_have_are_added_in_the_order_of_their_value() -> None:
    blocks = [
        {"asked", "rare", "usual", "once"},
        {"asked", "rare", "usual"},
        {"asked", "rare", "usual", "half"},
        {"half"},
    ]
    frequency = {"asked": 3, "rare": 3, "usual": 900, "once": 1, "half": 40}
    added = new_words(blocks, {"asked"}, frequency.__getitem__, 1000)
    assert list(added) == ["rare", "half"]
    assert added == {"rare": 1.0, "half": 1 - 1 / NEW_WORDS}


def test_no_more_words_are_added_than_there_may_be() -> None:
    blocks = [{f"w{number}" for number in range(30)}] * 2
    added = new_words(blocks, set(), lambda word: 2, 1000)
    assert len(added) == NEW_WORDS
    assert min(added.values()) > 0

"""Words to look up, in any script and language."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.extras.papers.search.words import Words, is_part


@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        ("The Houses of Parliament", "en", ["hous", "parliament"]),
        ("Die Häuser und der Garten", "de", ["haus", "gart"]),
        ("The Houses", "xx", ["the", "houses"]),
        ("東京都 GPU", "ja", ["東京", "京都", "gpu"]),
        ("naïve_case-2", "", ["naïve", "case", "2"]),
        ("", "en", []),
    ],
)
def test_texts_become_stems_without_stop_words_and_pairs_without_spaces(
    text: str, language: str, words: list[str]
) -> None:
    assert Words().of(text, language) == words


def test_query_is_looked_up_in_every_language_of_the_index() -> None:
    assert Words().of_query("houses", ["de", "en"]) == ["hous"]
    assert Words().of_query("running", ["de", "en"]) == ["running", "run"]


def test_stop_words_of_a_query_go_unless_there_is_nothing_else() -> None:
    assert Words().of_query("the house", ["en"]) == ["hous"]
    assert Words().of_query("to be or not to be", ["en"]) == ["to", "be", "or", "not"]
    assert Words().of_query("the", []) == ["the"]


def test_last_character_of_a_run_is_indexed_for_queries_of_one_character() -> None:
    assert Words().of_document("給水", "zh") == ["給水", "水"]
    assert Words().of_document("cold water", "en") == ["cold", "water"]
    assert [is_part("水"), is_part("給水"), is_part("x")] == [True, False, False]

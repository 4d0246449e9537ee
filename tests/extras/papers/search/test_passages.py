"""Where a passage has the words that were looked for, and the part of it that is shown."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.extras.papers.search.passages import excerpt, spans
from scrapy_blockfilter.extras.papers.search.words import Words


@pytest.mark.parametrize(
    ("text", "looked_up", "language", "marked"),
    [
        ("Houses and a house.", ["hous"], "en", ["Houses", "house"]),
        ("東京都の水道局は水を。", ["水道", "道局"], "ja", ["水道局"]),
        ("給水と水", ["水"], "ja", ["水", "水"]),
        ("GPU向け", ["gpu"], "ja", ["GPU向け"]),
        ("nothing here", ["hous"], "en", []),
    ],
)
def test_words_are_marked_in_every_form_and_script(
    text: str, looked_up: list[str], language: str, marked: list[str]
) -> None:
    found = spans(text, looked_up, Words(), language)
    assert [text[start:end] for start, end in found] == marked


def test_excerpt_is_where_most_of_the_words_are() -> None:
    text = f"one {'x ' * 100}two three {'x ' * 100}"
    marked = spans(text, ["one", "two", "three"], Words(), "")
    shown, inside = excerpt(text, marked, 40)
    assert len(shown) <= 40
    assert [shown[start:end] for start, end in inside] == ["two", "three"]
    assert shown.startswith("…two")


def test_short_passage_is_shown_whole_and_a_long_one_without_marks_from_its_start() -> None:
    assert excerpt("short", [(0, 5)], 20) == ("short", [(0, 5)])
    shown, inside = excerpt("y" * 50, [], 20)
    assert (shown, inside) == ("y" * 18 + "…", [])

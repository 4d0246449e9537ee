"""Blocks that are of the template by repetition alone."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.evidence.repetition import are_on_nearly_all, are_repeated
from tests.evidencing import evidence
from tests.segmenting import document


def page(number: int, *, line: bool) -> str:
    text = (
        f"Boats {number} returned on Monday, a week early, and the harbour {number} was full by noon of day {number}."
    )
    return document(f"<p>{text}</p>", "<p>Follow us</p>" if line else "")


@pytest.mark.parametrize(
    ("with_line", "without", "is_repeated"), [(1, 0, True), (1, 2, False), (3, 7, True), (3, 8, False)]
)
def test_a_text_on_three_of_ten_other_pages_is_of_the_template(with_line: int, without: int, is_repeated: bool) -> None:
    others = [page(number, line=number <= with_line) for number in range(1, with_line + without + 1)]
    assert are_repeated(evidence(page(0, line=True), *others)).tolist() == [False, is_repeated]


LINE = "Please support the shops of your town!"


@pytest.mark.parametrize(
    ("text", "with_text", "without", "is_everywhere"),
    [
        (LINE, 3, 0, True),
        (LINE, 2, 0, False),
        (LINE, 9, 2, True),
        (LINE, 8, 2, False),
        ("Returns a string", 10, 0, False),
        ("请支持你所在城市的商店", 10, 0, True),
    ],
    ids=["on all", "of too few", "on nearly all", "on most", "a label", "of a script without spaces"],
)
def test_a_text_longer_than_a_label_on_nearly_all_pages_is_told(
    text: str, with_text: int, without: int, is_everywhere: bool
) -> None:
    def with_line(number: int, line: str) -> str:
        own = f"Boats {number} returned on Monday, a week early, and harbour {number} was full by noon of day {number}."
        return document(f"<p>{own}</p><p>{line}</p>")

    others = [with_line(number, text if number <= with_text else "") for number in range(1, with_text + without + 1)]
    assert are_on_nearly_all(evidence(with_line(0, text), *others)).tolist() == [False, is_everywhere]

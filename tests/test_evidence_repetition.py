"""Blocks that are of the template by repetition alone."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.evidence.repetition import are_repeated
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

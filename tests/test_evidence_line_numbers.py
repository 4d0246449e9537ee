"""Numbers of lines of code, told from other figures."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.evidence.line_numbers import line_numbers
from tests.segmenting import columns, document


def listing(numbers: str, code: str) -> str:
    return f"<table><tr><td class=gutter><pre>{numbers}</pre></td><td class=code><pre>{code}</pre></td></tr></table>"


def lines(count: int, first: int = 1) -> str:
    return "\n".join(str(number) for number in range(first, first + count))


def code(count: int) -> str:
    return "\n".join(f"step({place})" for place in range(count))


def numbering(*parts: str) -> list[int]:
    return line_numbers(columns(document(*parts)))


@pytest.mark.parametrize("count", [3, 9, 10, 120])
def test_a_column_of_figures_beside_as_many_lines_numbers_them(count: int) -> None:
    assert numbering("<p>Text</p>", listing(lines(count), code(count)), "<p>Text</p>") == [1]


def test_broken_lines_are_lines() -> None:
    assert numbering(listing("1<br>2<br>3<br>4", "a<br>b<br>c<br>d")) == [0]


def test_what_is_in_its_slot_numbers_shorter_code_and_code_from_the_midst_of_a_file() -> None:
    assert numbering(listing("1", "a"), listing(lines(5), code(5)), listing(lines(4, 12), code(4))) == [0, 2, 4]


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        (lines(2), code(2)),
        (lines(5), code(9)),
        (lines(5, 2010), code(5)),
        ("12\n3\n4", code(3)),
        ("a\nb\nc", code(3)),
        ("1\n2\n3", ""),
    ],
    ids=["too few", "fewer than there are lines", "years", "other figures", "letters", "nothing beside them"],
)
def test_other_blocks_are_not_taken_for_line_numbers(numbers: str, text: str) -> None:
    assert numbering(listing(numbers, text)) == []


def test_figures_in_other_slots_stay() -> None:
    assert numbering(listing(lines(3), code(3)), "<p>42</p>") == [0]


def test_a_page_without_blocks_has_none() -> None:
    assert numbering() == []

"""SLS (Louvan, section 2.3.2): the array of string lengths and its threshold, worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from scrapy_blockfilter.extras.papers.string_length_smoothing import string_array
from tests.support.pages import document, fitted, kept, segmented

PAGE = document("<div><p>Boatsgo!</p><p>On</p></div>", "<div><p>C</p></div>")


def keeping(html: str, **options: Any) -> list[str]:
    return kept(fitted("string_length_smoothing", [], **options), html)


def test_strings_from_a_standard_deviation_on_are_kept() -> None:
    # 10/3, 10/3 and 1/3: mean 7/3, deviations 1, 1 and 2, of whose squares the mean is 2. The threshold is 1.41.
    assert keeping(PAGE, radius=1) == ["Boatsgo!", "On"]
    page = segmented(PAGE)
    verdicts = fitted("string_length_smoothing", [], radius=1).judge(page, whole=True)
    assert [verdict.reason for verdict in verdicts] == [
        "string length 8, with its neighbours 3.3, threshold 1.4",
        "string length 2, with its neighbours 3.3, threshold 1.4",
        "string length 1, with its neighbours 0.3, threshold 1.4",
    ]
    assert verdicts[2].score == pytest.approx((1 / 3) / (1 / 3 + math.sqrt(2)))


def test_tags_that_modify_the_structure_are_empty_elements() -> None:
    table = "<table><tr><td>one</td><td>three</td></tr></table>"
    row, places = string_array(segmented(document(table, "<ul><li>a</li></ul>", "<h2>b</h2>")), range(4))
    # TABLE, TR, TD, the text, TD, the text, UL, LI, the text; a heading is no such tag.
    assert row.tolist() == [0, 0, 0, 3, 0, 5, 0, 0, 1, 1]
    assert places.tolist() == [3, 5, 8, 9]

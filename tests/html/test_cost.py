"""Reading a page takes work that grows as the page does, whatever its elements are in and around."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.html import build
from tests.support.counted import MOST, calls, growth
from tests.support.pages import segmented


@pytest.mark.parametrize("names", ["id='comments {}'", "id=a class='comments {}'"])
def test_long_names_around_many_headings_are_read_once(names: str) -> None:
    assert growth(segmented, lambda n: f"<div {names.format('b ' * n)}>{'<h2>a</h2>' * n}", 200) < MOST


@pytest.mark.parametrize("drawing", ["<svg></svg>", "<svg><foreignobject><b>x</b></foreignobject></svg>"])
def test_drawings_below_many_levels_are_looked_at_once(drawing: str) -> None:
    assert growth(build, lambda n: "<i>" * n + drawing * n, 200) < MOST
    assert growth(build, lambda n: f"<svg><foreignobject>{'<i>' * n}{drawing * n}", 200) < MOST


def test_paths_of_blocks_below_many_levels_are_made_once() -> None:
    def called(count: int) -> int:
        blocks = segmented("<div>" * count + "<p>a" * count).blocks
        return calls(lambda: [block.path for block in blocks])

    assert called(400) < MOST * called(200)

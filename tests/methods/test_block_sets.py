"""Ways to divide a page: all group the same blocks."""

from __future__ import annotations

from collections.abc import Callable

from scrapy_blockfilter.html import Block
from scrapy_blockfilter.methods.block_sets import TREE_TAGS, block_set, group_key, text_chunks
from tests.support.pages import document, segmented


def grouped(html: str, divide: Callable[..., list[list[int]]], *tags: frozenset[str]) -> list[list[str]]:
    page = segmented(html)
    return [[page.blocks[index].text for index in group] for group in divide(page, *tags)]


def test_get_block_set_on_a_page_by_hand() -> None:
    # Debnath et al. 2005, algorithm 1: B is {page}. TABLE first takes the table out, rows and cells uncut, then P the
    # paragraph, UL the list with its items, and what is left of the page is a block too.
    html = (
        "<body>intro<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table><p>para</p>"
        "<ul><li>x</li><li>y</li></ul>rest<hr>end</body>"
    )
    assert grouped(html, block_set) == [["intro", "rest", "end"], ["a", "b", "c"], ["para"], ["x", "y"]]


def test_a_table_in_a_table_and_a_list_in_a_list_are_blocks_of_their_own() -> None:
    html = (
        "<table><tr><td>a<table><tr><td>b</td></tr></table>c</td></tr></table><ol><li>d<ul><li>e</li></ul>f</li></ol>"
    )
    assert grouped(html, block_set) == [["a", "c"], ["b"], ["d", "f"], ["e"]]


def test_the_title_is_a_block_of_its_own_in_every_division() -> None:
    html = document("<p>text</p>", title="Name")
    for divide, tags in ((text_chunks, ()), (block_set, ()), (block_set, (TREE_TAGS,))):
        assert grouped(html, divide, *tags) == [["Name"], ["text"]]


def test_a_group_is_what_its_blocks_are_in_their_order() -> None:
    blocks: list[Block] = [*segmented("<p>a</p><p>b</p><p>a</p><div>b</div>").blocks]
    keys = [block.key for block in blocks]
    assert group_key(keys[:1]) == keys[0]
    assert group_key(keys[:2]) == group_key(keys[2:4])
    assert len({group_key(group) for group in (keys[:1], keys[:2], keys[1:3], keys[:3])}) == 4

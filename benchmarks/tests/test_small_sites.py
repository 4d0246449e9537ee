"""Made-up small sites: their pages have the blocks that they say."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.small_sites import LEAST_BLOCKS, LEAST_PAGES, MOST_BLOCKS, MOST_PAGES, SmallPage, small_pages
from tests.support.pages import segmented


def _blocks(page: SmallPage) -> list[str]:
    # A picture without words is a block without text.
    return [block.text for block in segmented(page.html).blocks if block.tag != "title" and block.text]


@settings(max_examples=40)
@given(st.integers(0, 2**32))
def test_each_block_is_template_content_or_a_label(seed: int) -> None:
    pages = small_pages(Random(seed))
    assert LEAST_PAGES <= len(pages) <= MOST_PAGES
    for page in pages:
        blocks = _blocks(page)
        assert Counter(blocks) == Counter((*page.template, *page.content, *page.labels))
        assert LEAST_BLOCKS <= len(blocks) <= MOST_BLOCKS
        assert page.gold.splitlines() == [text for text in blocks if text not in page.template]


@settings(max_examples=40)
@given(st.integers(0, 2**32))
def test_template_is_on_all_pages_and_content_on_one(seed: int) -> None:
    pages = small_pages(Random(seed))
    assert pages[0].template
    assert {Counter(page.template).total() for page in pages} == {len(set(pages[0].template))}
    assert all(set(page.template) == set(pages[0].template) for page in pages)
    on_pages = Counter(text for page in pages for text in _blocks(page))
    assert all(page.content and all(on_pages[text] == 1 for text in page.content) for page in pages)

"""Small made-up sites: what all other pages have goes, and what differs stays, as far as each method promises it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.harm import Kept
from benchmarks.small_sites import SmallPage, small_pages
from scrapy_blockfilter import Options, learn
from scrapy_blockfilter.model import JudgedBlock

# Training takes low numbers.
_SITES = range(1_000_000, 1_000_060)


def _judged(pages: Iterable[SmallPage], method: str) -> Iterator[tuple[SmallPage, JudgedBlock]]:
    """Yield each block of a site's pages, judged after learning from all of them."""
    made = list(pages)
    # A page may lose nearly all its text here: some have hardly any content.
    model = learn([page.html for page in made], Options(method=method, pages=len(made), min_kept=0))
    for page in made:
        for block in model.clean(page.html).blocks:
            yield page, block


@pytest.mark.slow
@settings(max_examples=40)
@given(seed=st.integers(0, 2**32))
def test_what_all_pages_have_goes_by_block_document_frequency_and_what_differs_stays(seed: int) -> None:
    for page, block in _judged(small_pages(Random(seed)), "ibdf"):
        if block.text in page.template:
            # A table that lays out the page is kept as a whole, too.
            assert not block.keep or block.reason.startswith("part of a table that is kept"), block
        elif block.text in page.content and sum(len(word) > 4 for word in block.text.split()) > 1:
            assert block.keep, block  # texts of one term ("The cepojo", "In Cepojo That") are alike by chance


# The least share of blocks that go, of those on all pages, and that stay, of those on one page.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "gone", "stays"),
    [
        ("consensus", 0.94, 0.98),
        # In a table, text of one cell is one chunk.
        ("chunk_frequency", 0.95, 1.0),
        ("entropy", 0.78, 0.93),
    ],
)
def test_most_of_what_all_pages_have_goes_and_of_what_differs_stays(method: str, gone: float, stays: float) -> None:
    template, content = Kept(), Kept()
    for seed in _SITES:
        for page, block in _judged(small_pages(Random(seed)), method):
            if block.text in page.template:
                template += Kept(not block.keep, 1)
            elif block.text in page.content:
                content += Kept(block.keep, 1)
    assert (template.share or 0) >= gone
    assert (content.share or 0) >= stays

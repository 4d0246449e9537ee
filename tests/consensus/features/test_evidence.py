"""The features of blocks: one number per name on any page, and repetition worked out by hand."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_blockfilter.consensus import evidence_of
from scrapy_blockfilter.consensus.features.evidence import NAMES
from scrapy_blockfilter.html.subtrees import LEVELS
from tests.support.any_html import ANY_HTML
from tests.support.made_sites import LAYOUTS, make_site
from tests.support.networks import evidence, feature, statistics
from tests.support.pages import all_readable, document, segmented


def test_each_feature_has_a_name_of_its_own() -> None:
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_there_is_a_number_for_each_name_and_block(layout: str) -> None:
    pages = [page.html for page in make_site(layout, pages=4, rich=True).pages]
    found = evidence(pages[0], *pages)
    assert found.matrix.shape == (len(segmented(pages[0]).keys), len(NAMES))
    assert found.matrix.dtype == np.float32
    # Those of the outermost level are of the root, which is five levels out from everywhere.
    headings = sum(pages[0].count(f"<h{rank}>") for rank in range(1, 5))
    assert feature(found, f"level {LEVELS - 1}: headings") == [round(math.log1p(headings), 5)] * len(found.matrix)


@pytest.mark.slow
@given(st.lists(ANY_HTML, min_size=1, max_size=4), ANY_HTML)
def test_features_of_any_page_on_any_site_are_finite(pages: list[str], html: str) -> None:
    readable = list(all_readable(html, *pages))
    if len(readable) < 2:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for known in readable:
            found = evidence_of(known, statistics(*(document(part) for part in pages)))
            assert found.matrix.shape == (len(known.keys), len(NAMES))
            assert np.isfinite(found.matrix).all()


# A menu on all, a partner on two of three other pages at two places, and a story of each page.
_STORIES = ("harbour", "windmill", "railway", "lighthouse")
PAGES = [
    document(
        "<p class=nav>Home</p>",
        *(f"<p>A story of the {story}, part {part}: {f'{story} ' * 20}</p>" for part in (1, 2)),
        ["<p>Partner</p>", "<div>Partner</div>", "<p>Partner</p>", ""][number],
    )
    for number, story in enumerate(_STORIES)
]


def test_repetition_by_hand() -> None:
    found = evidence(PAGES[0], *PAGES)
    assert found.others == 3
    assert found.pages_with.tolist() == [3, 0, 0, 2]
    third = round(1 / 3, 5)
    assert feature(found, "pages: other pages") == [round(math.log(4), 5)] * 4
    assert feature(found, "pages: on share of pages") == [1, 0, 0, round(2 / 3, 5)]
    assert feature(found, "pages: on pages") == [3, 0, 0, 2]
    assert feature(found, "pages: on share of pages in its slot") == [1, 0, 0, third]
    assert feature(found, "pages: repeated") == [1, 0, 0, 1]
    assert feature(found, "pages: on several") == [1, 0, 0, 1]


def test_a_site_of_one_page_has_nothing_to_compare_it_with() -> None:
    found = evidence(PAGES[0], PAGES[0])
    assert found.others == 0
    for name in ("other pages", "on share of pages", "on pages", "repeated"):
        assert not any(feature(found, f"pages: {name}"))


def test_slots_by_hand() -> None:
    found = evidence(PAGES[3], *PAGES)
    assert feature(found, "slot: slot on share of pages") == [1, 1, 1]
    assert feature(found, "slot: nodes of slot here") == [0, round(math.log(2), 5), round(math.log(2), 5)]
    # Ten paragraphs without a class on four pages, of nine texts, two of which are Partner.
    assert feature(found, "slot: nodes of slot")[1] == round(math.log1p(10 / 4), 5)
    assert feature(found, "slot: distinct texts of slot") == [0.25, 0.9, 0.9]
    repeated = 2 * len("Partner") / (sum(segmented(page).weights[1:3].sum() for page in PAGES) + 2 * len("Partner"))
    assert feature(found, "slot: repeated") == [1, round(float(repeated), 5), round(float(repeated), 5)]


def test_a_slot_on_no_other_page_is_told_by_the_page_alone() -> None:
    found = evidence(document("<section>new</section>"), *PAGES)
    for name in ("slot on share of pages", "nodes of slot", "distinct texts of slot", "blocks of slot", "weight"):
        assert feature(found, f"slot: {name}") == [0]

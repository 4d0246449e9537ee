"""Whether a page fits the model, and when misfits make a layout of their own."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.sample.copies import differ_by_a_line
from scrapy_blockfilter.sample.misfits import Misfits
from scrapy_blockfilter.sample.signature import Signature, is_of, marks_of
from tests.support.made_sites import LAYOUTS, make_site
from tests.support.pages import numbered, segmented


def pages_of(layout: str, count: int = 8, seed: int = 0) -> list[Page]:
    return [segmented(page.html) for page in make_site(layout, count, seed).pages]


PAGES = {layout: pages_of(layout) for layout in LAYOUTS}


def sample_of(pages: Sequence[Page]) -> SiteSample:
    return numbered(pages, range(len(pages)))


def test_marks_are_the_same_of_a_page_and_of_its_record() -> None:
    page = PAGES["div"][0]
    (recorded,) = sample_of([page]).pages()
    assert marks_of(recorded) == marks_of(page)
    assert len(marks_of(page)) > 20


@pytest.mark.parametrize("layout", LAYOUTS)
def test_other_pages_of_a_layout_fit_and_those_of_others_fit_less(layout: str) -> None:
    signature = Signature([marks_of(page) for page in PAGES[layout][:4]])
    assert signature.tells
    own = [signature.closeness(marks_of(page)) for page in PAGES[layout][4:]]
    # The other layouts have the same texts in their menus and footers.
    others = [signature.closeness(marks_of(page)) for other in LAYOUTS if other != layout for page in PAGES[other]]
    assert min(own) > 0.9
    assert max(others) < 0.6
    assert is_of(signature, sample_of(PAGES[layout][4:]))


def test_pages_with_nothing_in_common_tell_no_layout() -> None:
    pages = [segmented(f"<p>{word}</p>") for word in ("one", "two", "three")]
    signature = Signature([marks_of(page) for page in pages])
    assert not signature.tells
    assert signature.closeness(marks_of(PAGES["div"][0])) == 1.0
    assert Signature([]).closeness(frozenset()) == 1.0


def test_misfits_are_a_layout_when_enough_are_alike() -> None:
    misfits = Misfits(SiteSample(20), 4)
    found = []
    for number, page in enumerate(PAGES["div"][:4]):
        assert misfits.take(number, page)
        assert not misfits.take(number, page)
        found.append(misfits.layout())
    assert found[:3] == [None] * 3
    assert found[3] is not None
    assert sorted(found[3].records) == [0, 1, 2, 3]
    assert found[3].texts == sample_of(PAGES["div"][:4]).texts
    assert len(misfits.sample) == 0
    assert misfits.layout() is None


def test_misfits_of_other_kinds_are_left_out_of_a_layout() -> None:
    misfits = Misfits(SiteSample(20), 4)
    for number, language in enumerate(("de", "ru")):
        (other,) = make_site("table", 1, language=language).pages
        misfits.take(100 + number, segmented(other.html))
    found = []
    for number, page in enumerate(PAGES["div"][:5]):
        misfits.take(number, page)
        found.append(misfits.layout())
    layouts = [sample for sample in found if sample is not None]
    assert len(layouts) == 1
    assert set(layouts[0].records) <= set(range(5))
    assert {100, 101} <= set(misfits.sample.records)


def test_one_page_again_and_again_is_no_layout() -> None:
    misfits = Misfits(SiteSample(12), 4)
    html = make_site("div", 1, 5).pages[0].html
    for number in range(12):
        misfits.take(number, segmented(html.replace("</body>", f"<p>Made at 12:{number + 10}</p></body>")))
        assert misfits.layout() is None
    assert len(misfits.sample) < 4


def test_full_misfits_make_room_for_what_comes_now() -> None:
    misfits = Misfits(SiteSample(4), 4)
    for number in range(4):
        misfits.take(number, segmented(f"<div id=a{'bcde'[number]}><p>{'wxyz'[number]}</p></div>"))
        assert misfits.layout() is None
    found = None
    for number, page in enumerate(PAGES["semantic"][:4]):
        misfits.take(10 + number, page)
        found = misfits.layout()
    assert found is not None
    assert sorted(found.records) == [10, 11, 12, 13]


def test_misfits_that_have_become_a_layout_are_forgotten() -> None:
    signature = Signature([marks_of(page) for page in PAGES["div"]])
    sample = sample_of([PAGES["div"][0], PAGES["table"][0]])
    assert sorted(Misfits(sample, 4, [signature]).sample.records) == [1]


@pytest.mark.parametrize("enough", [1, 2])
def test_layout_takes_three_pages_however_small_n_is(enough: int) -> None:
    misfits = Misfits(SiteSample(20), enough)
    for number, page in enumerate(PAGES["div"][:2]):
        misfits.take(number, page)
        assert misfits.layout() is None
    misfits.take(2, PAGES["div"][2])
    assert misfits.layout() is not None


def test_pages_that_differ_by_a_line() -> None:
    wall = "<div><h1>Are you a robot?</h1><p>Tick the box to go on.</p><p>Reference {}</p></div>"
    assert differ_by_a_line([segmented(wall.format(number)) for number in ("4a", "77", "c1")])
    assert not differ_by_a_line(PAGES["div"])
    assert not differ_by_a_line(PAGES["div"][:1])
    quotations = [
        "It was a bright cold day in the harbour, and whoever had a boat was out at sea by dawn, " * 2 + word
        for word in ("said one", "said two", "said three")
    ]
    assert not differ_by_a_line([segmented(wall.format(text)) for text in quotations])

"""The survey's counts of a site's slots and blocks."""

from __future__ import annotations

from scrapy_blockfilter.html import Reader
from scrapy_blockfilter.model import fit
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.report.survey import survey
from tests.support.pages import document, sampled

LONG = "Nobody had thought of a {0} before, and once it was there nobody could think of a day without the {0}."
MENU = '<div class="menu"><p>Home page</p><p>News desk</p></div>'
PAGES = [
    document(
        MENU,
        f'<div class="story"><h1>All about {word}s</h1><p>{LONG.format(word)}</p>',
        f"{'<p>Share this</p>' if number < 3 else ''}</div>",
        title="The Gazette",
    )
    for number, word in enumerate(("harbour", "windmill", "railway", "lighthouse"))
]


def test_slots_and_blocks_are_counted_over_all_pages() -> None:
    sample = sampled(PAGES)
    found = survey(sample, fit(sample, Reader(Options(method="chunk_frequency"))))
    assert found.pages == 4
    by_path = {view.path: view for view in found.slots.values()}
    menu, story = by_path["html/body/div.menu"], by_path["html/body/div.story"]
    assert (menu.pages, menu.kept, menu.stripped, menu.chars) == (4, 0, 8, 4 * len("Home pageNews desk"))
    assert (menu.example, menu.reason) == ("Home page", "on 4 of 4 pages")
    assert (story.pages, story.kept, story.stripped, story.example) == (4, 8, 3, "Share this")
    assert found.slots[menu.parent].path == "html/body"
    assert [view.path for view in found.stripped_slots()] == ["html/body/div.menu"]
    assert [(view.text, view.pages, view.stripped, view.reason) for view in found.blocks] == [
        ("Home page", 4, 4, "on 4 of 4 pages"),
        ("News desk", 4, 4, "on 4 of 4 pages"),
        ("Share this", 3, 3, "on 3 of 4 pages"),
    ]


def test_title_is_left_out_as_it_always_stays() -> None:
    sample = sampled(PAGES)
    found = survey(sample, fit(sample, Reader(Options(method="chunk_frequency"))))
    assert not any("title" in view.path for view in found.slots.values())
    assert all(view.text != "The Gazette" for view in found.blocks)

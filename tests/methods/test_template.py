"""Text that a site repeats and nothing else, with many pages and with few."""

from __future__ import annotations

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter import Options
from scrapy_blockfilter.methods.chunk_frequency import ChunkFrequency, template_of
from tests.support.made_sites import LAYOUTS, make_site
from tests.support.pages import document, kept, recorded

TEMPLATE = Options(strip="template")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_of_a_site_of_ten_pages_it_is_what_the_chunk_frequency_says(layout: str) -> None:
    site = make_site(layout, pages=12, seed=7, rich=True)
    pages = [page.html for page in site.pages]
    as_template = bf.learn(pages[:10], TEMPLATE)
    by_frequency = bf.learn(pages[:10], Options(method="chunk_frequency"))
    assert as_template.digest == by_frequency.digest
    for html in pages:
        one, other = as_template.clean(html), by_frequency.clean(html)
        assert one.html == other.html
        assert [(block.keep, block.score, block.reason) for block in one.blocks] == [
            (block.keep, block.score, block.reason) for block in other.blocks
        ]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("pages", range(1, 10))
def test_of_a_site_of_fewer_pages_all_content_is_kept_and_what_all_have_goes(layout: str, pages: int) -> None:
    site = make_site(layout, pages=pages, seed=8, rich=True)
    model = bf.learn((page.html for page in site.pages), TEMPLATE)
    for page in site.pages:
        text = model.clean(page.html).text
        assert [content for content in page.content if content not in text] == []
        assert pages < 2 or [template for template in page.template if template in text] == []


def test_a_text_on_some_of_few_pages_stays() -> None:
    pages = [document("<p>Menu</p>", f"<p>Page {number}</p>", "<p>Quoted</p>" * (number < 4)) for number in range(9)]
    assert kept(template_of(recorded(pages), TEMPLATE), pages[0]) == ["Page 0", "Quoted"]
    assert kept(ChunkFrequency().fit(recorded(pages), TEMPLATE), pages[0]) == ["Page 0"]


def test_a_page_of_another_kind_does_not_keep_the_template_of_all() -> None:
    pages = [document("<p>Menu</p>", f"<p>Page {number}</p>") for number in range(7)] + [document("<h1>Start</h1>")]
    assert kept(template_of(recorded(pages), TEMPLATE), pages[0]) == ["Page 0"]


def test_the_number_of_pages_that_was_asked_for_is_the_least() -> None:
    pages = [document("<p>Menu</p>", f"<p>Page {number}</p>") for number in range(3)]
    options = Options(strip="template", method_args={"df_count": 4})
    assert kept(template_of(recorded(pages), options), pages[0]) == ["Menu", "Page 0"]

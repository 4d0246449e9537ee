"""How much of a page's own text stays: unlinked text that no other page of its site has."""

from __future__ import annotations

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.model import SiteModel
from tests.support.losing import losing
from tests.support.made_sites import make_site

SITE = make_site(pages=12, paragraphs=8)
PAGE = SITE.pages[8]


@pytest.fixture(scope="module")
def model() -> SiteModel:
    return bf.learn(page.html for page in SITE.pages[:6])


def test_a_page_that_loses_most_keeps_the_rest(model: SiteModel) -> None:
    whole, lost = model.clean(PAGE.html).own_text, model.clean(losing(PAGE)).own_text
    assert lost.chars == whole.chars
    assert 0 < lost.kept < 0.3 * lost.chars


def test_all_text_is_a_pages_own_if_no_other_page_is_known() -> None:
    own = bf.learn([PAGE.html]).clean(PAGE.html).own_text
    assert own.kept <= own.chars
    assert own.chars >= bf.learn([page.html for page in SITE.pages]).clean(PAGE.html).own_text.chars

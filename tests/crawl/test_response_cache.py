"""One parse and one segmentation of a response, however often learning and items need it, in bounded memory."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest
from scrapy.http import HtmlResponse

from scrapy_blockfilter.crawl.response_cache import ResponseCache
from scrapy_blockfilter.html import Page, Reader, segment
from scrapy_blockfilter.options import Options
from tests.support.made_crawler import Filter, MakeFilter, html_response
from tests.support.made_sites import make_site
from tests.support.pages import SEGMENTERS

SITE = make_site(pages=12, seed=3, rich=True)
URLS = [f"http://news.example{page.url_path}" for page in SITE.pages]


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> list[Page]:
    """The pages that were segmented, in order."""
    walked: list[Page] = []

    def counted(*arguments: Any, **named: Any) -> Page:
        walked.append(segment(*arguments, **named))
        return walked[-1]

    monkeypatch.setattr("scrapy_blockfilter.html.reader.segment", counted)
    return walked


def learnt(filtering: Filter, first: int, last: int) -> list[HtmlResponse]:
    return [filtering.get(URLS[number], SITE.pages[number].html) for number in range(first, last)]


def test_pages_are_segmented_once_for_learning_and_items(make_filter: MakeFilter, walks: list[Page]) -> None:
    filtering, separate = (make_filter(name) for name in ("one", "other"))
    responses = learnt(filtering, 0, 4)
    assert len(walks) == 4
    cleaned = [filtering.scrape({"html": response.text}, response)["html"] for response in responses]
    assert len(walks) == 4
    learnt(separate, 0, 4)
    again = [html_response(url, page.html) for url, page in zip(URLS[:4], SITE.pages, strict=False)]
    assert cleaned == [separate.scrape({"html": response.text}, response)["html"] for response in again]


def test_items_of_one_response_share_its_page_and_its_verdicts(make_filter: MakeFilter, walks: list[Page]) -> None:
    filtering = make_filter(output_fields={"words": "text", "clean": "html"})
    learnt(filtering, 0, 4)
    walks.clear()
    filtering.stats.clear()
    response = html_response(URLS[7], SITE.pages[7].html)
    items = [filtering.scrape({}, response) for _ in range(3)]
    assert len(walks) == 1
    assert items[0] == items[1] == items[2]
    assert items[0]["clean"] != response.text
    assert filtering.stats["blockfilter/items/cleaned"] == 3


def test_page_that_another_model_judges_is_segmented_anew(make_filter: MakeFilter, walks: list[Page]) -> None:
    filtering = make_filter()
    for url in URLS[8:12]:
        filtering.get(url, SITE.pages[0].html)
    response = html_response(URLS[7], SITE.pages[7].html)
    before = filtering.scrape({"html": response.text}, response)
    learnt(filtering, 4, 8)  # the sample of copies has doubled, and a model is fitted again
    walks.clear()
    after = filtering.scrape({"html": response.text}, response)
    assert len(walks) == 1
    alone = html_response(URLS[7], SITE.pages[7].html)
    assert after == filtering.scrape({"html": alone.text}, alone)
    assert before["html"] != response.text


def test_fields_that_are_parts_are_segmented_by_themselves(make_filter: MakeFilter, walks: list[Page]) -> None:
    filtering = make_filter()
    response = learnt(filtering, 0, 4)[-1]
    walks.clear()
    fragment = response.css("#wrap").get()
    assert fragment is not None
    filtering.scrape({"html": fragment}, response)
    assert [page.whole for page in walks] == [False]


@pytest.mark.parametrize("segmenter", SEGMENTERS)
def test_selectors_that_take_blocks_apart_do_so_for_each_item(make_filter: MakeFilter, segmenter: str) -> None:
    filtering = make_filter(segmenter=segmenter, drop=["p a", "h2"])
    response = learnt(filtering, 0, 4)[-1]
    items = [filtering.scrape({"html": response.text}, response) for _ in range(3)]
    assert items[0] == items[1] == items[2]


def test_language_that_was_guessed_from_one_page_gives_way_to_that_of_the_site(make_filter: MakeFilter) -> None:
    filtering = make_filter()
    sentence = "Das ist ein Satz, und er steht auf der Seite, die man nicht in den Noten findet. "
    responses = [
        filtering.get(f"http://news.example/{number}", f"<p>Menu</p><p>{sentence * number}{number}</p>")
        for number in range(1, 6)
    ]
    page = filtering.session.responses.of(responses[0]).page()
    page.declared_language = "fr"
    assert page.language == "fr"


def test_page_goes_with_its_response() -> None:
    pages = ResponseCache(Reader(Options()))
    response = html_response(URLS[0], SITE.pages[0].html)
    page = pages.read(response)
    assert pages.of(response).page() is page
    alive = weakref.ref(page)
    del response, page
    gc.collect()
    assert alive() is None


def test_oldest_pages_go_when_there_are_too_many() -> None:
    pages = ResponseCache(Reader(Options()), most=250)
    responses = [html_response(f"http://news.example/{number}", f"<p>{'a' * 93}</p>") for number in range(4)]
    read = [pages.read(response) for response in responses]
    newest_first = zip(reversed(responses), reversed(read), strict=True)
    assert [pages.of(response).page() is page for response, page in newest_first] == [True, True, False, False]


def test_a_page_beyond_the_bound_is_read_once_for_all_of_its_items() -> None:
    pages = ResponseCache(Reader(Options()), most=50)
    responses = [html_response(f"http://news.example/{number}", f"<p>{'a' * 93}</p>") for number in range(2)]
    for response in responses:
        page = pages.read(response)
        assert pages.of(response).page() is pages.of(response).page() is page

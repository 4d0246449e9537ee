"""Boxes that a browser has written on elements: they are read, and are no part of the page."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scrapy_blockfilter as bf
from scrapy_blockfilter.crawl.item_fields import plain_value
from scrapy_blockfilter.html import Reader, parse
from scrapy_blockfilter.html.boxes import take_boxes, without_boxes
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.report import page_report
from scrapy_blockfilter.sample import PageRecord
from tests.support.any_html import ANY_HTML
from tests.support.boxes import at, boxed
from tests.support.made_crawler import Filter
from tests.support.made_sites import make_site
from tests.support.pages import SEGMENTERS

FORMS = ("text", "html", "markdown", "chunks", "links", "comments", "removed")
# Those that divide pages with boxes as they divide others.
BLIND = [segmenter for segmenter in SEGMENTERS if segmenter not in ("vips", "combined")]
MODELS = [
    bf.learn(
        [
            f"<ul><li>Home</ul><div id=nav>Menu</div><p>$ 19.99 {number}</p><p>Text of page {number}</p>"
            for number in range(5)
        ],
        bf.Options(method="chunk_frequency", segmenter=segmenter, min_kept=0),
    )
    for segmenter in BLIND
]


def test_boxes_are_taken_off_a_tree_by_their_place_and_others_attributes_stay() -> None:
    root = parse(f"<!-- a --><p {at(0, 0, 9, 9)}>b<!-- c --><b data-bf='mine'>d</b><i {at(1, 2, 3, 4, '')}>e</i>")
    assert take_boxes(root) == {2: "0 0 9 9 l", 5: "1 2 3 4"}
    assert [dict(element.attrib) for element in root.iter("p", "b", "i")] == [{}, {"data-bf": "mine"}, {}]


@pytest.mark.parametrize(
    ("html", "left"),
    [
        (f"<p {at(0, 0, 9, 9)}>a</p>", "<p>a</p>"),
        (f'<img class="x" {at(-1, 0, 9, 9, "i")}/>', '<img class="x"/>'),
        (f"<p {at(0, 0, 9, 9)} hidden>a", "<p hidden>a"),
        ("<p data-bf='1 2 3 4'>a", "<p data-bf='1 2 3 4'>a"),
        ('<p data-bf="mine">a', '<p data-bf="mine">a'),
        ('<p data-bf="1 2 3">a', '<p data-bf="1 2 3">a'),
        (f"&lt;p {at(0, 0, 9, 9)}&gt;", f"&lt;p {at(0, 0, 9, 9)}&gt;"),
    ],
)
def test_the_attribute_and_nothing_else_goes_from_html(html: str, left: str) -> None:
    assert without_boxes(html) == left
    assert without_boxes(html.encode()) == left.encode()


@given(ANY_HTML, st.integers(0, 99))
def test_a_page_is_the_same_with_boxes_and_without(html: str, seed: int) -> None:
    page = f"<html><body>{html}</body></html>"
    written = boxed(page, seed)
    assert without_boxes(written) == page
    for model in MODELS:
        cleaned, plain = model.clean(written), model.clean(page)
        assert (cleaned.html, cleaned.text, cleaned.unchanged) == (plain.html, plain.text, plain.unchanged)
    assert plain_value({"own": [written, written.encode()]}) == {"own": [page, page.encode()]}
    one, other = (PageRecord.of(Reader(Options()).read(source)) for source in (written, page))
    one.pack()
    other.pack()
    assert (one.body, one.keys) == (other.body, other.keys)


def test_parts_of_an_item_that_hold_each_other_are_looked_into_once() -> None:
    page = "<html><body><p>The harbour</p></body></html>"
    item: dict[str, Any] = {"html": boxed(page, 1)}
    item["parts"] = [{"whole": item, "html": item["html"], "rows": rows} for rows in [[boxed(page, 2)]] * 9]
    assert plain_value(item) is item
    assert [item["html"], *(part["html"] for part in item["parts"])] == [page] * 10
    assert all(part["whole"] is item and part["rows"] == [page] for part in item["parts"])


@pytest.mark.parametrize("segmenter", BLIND)
@pytest.mark.parametrize("method", ["consensus", "chunk_frequency"])
def test_what_is_learnt_and_every_form_are_the_same_with_boxes_and_without(method: str, segmenter: str) -> None:
    site = make_site(pages=6, rich=True)
    options = bf.Options(method=method, segmenter=segmenter, pages=5)
    plain = bf.learn([page.html for page in site.pages[:5]], options)
    rendered = bf.learn([boxed(page.html, number) for number, page in enumerate(site.pages[:5])], options)
    assert rendered.digest == plain.digest
    page = site.pages[5].html
    one, other = rendered.clean(boxed(page)), plain.clean(page)
    for form in FORMS:
        assert getattr(one, form) == getattr(other, form), form


@pytest.mark.parametrize("segmenter", SEGMENTERS)
def test_no_form_has_boxes(segmenter: str) -> None:
    site = make_site(pages=6, rich=True)
    model = bf.learn([boxed(page.html, page.title) for page in site.pages[:5]], bf.Options(segmenter=segmenter))
    for page in (boxed(site.pages[5].html), boxed("<p>Alone</p>"), boxed("<p>Alone</p>", share=0)):
        cleaned = model.clean(page)
        assert not [form for form in FORMS if "data-bf" in str(getattr(cleaned, form))]
        assert "data-bf" not in page_report(cleaned)


ITEM_SITE = make_site(pages=6)


@pytest.mark.parametrize("segmenter", SEGMENTERS)
@pytest.mark.parametrize("known", [True, False])
def test_no_field_of_an_item_has_boxes(make_filter: Any, segmenter: str, known: bool) -> None:
    made: Filter = make_filter(segmenter=segmenter, warmup="pass")
    responses = [
        made.get(f"http://a.example{page.url_path}", boxed(page.html, page.title))
        for page in ITEM_SITE.pages[: None if known else 1]
    ]
    response = responses[-1]
    item = {
        "url": response.url,
        "html": response.text,
        "source": response.text,
        "body": response.body,
        "parts": [response.css("p").getall(), {"deep": (response.text, 1)}],
        "count": 3,
    }
    plain = made.pipeline.process_item(dict(item))
    assert "data-bf" not in str(plain)
    assert plain["source"] == without_boxes(response.text)
    assert plain["body"] == without_boxes(response.text).encode()
    assert plain["parts"][1]["deep"][1] == 1

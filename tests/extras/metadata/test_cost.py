"""Metadata of small pages made to take long: elements passed, values read and amounts parsed are bounded."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from lxml import etree

from scrapy_blockfilter.extras.metadata import CUT_METADATA, PageMetadata, Shown

NESTED = 400


def passed(body: str) -> tuple[int, int]:
    """Return how often nodes are passed by reading the metadata of a page, and how many there are."""
    count = 0

    class Element(etree.ElementBase):
        def _init(self) -> None:  # each time that a node is passed, lxml makes an object of it
            nonlocal count
            count += 1

    class Comment(etree.CommentBase):
        _init = Element._init

    parser = etree.HTMLParser(huge_tree=True)
    parser.set_element_class_lookup(etree.ElementDefaultClassLookup(element=Element, comment=Comment))
    root = etree.fromstring(f"<html><body><p>Text</p>{body}</body></html>", parser)
    nodes = sum(1 for _ in root.iter())
    count = 0
    PageMetadata(root, Shown())
    return count, nodes


@pytest.mark.parametrize("within", ["<b></b>", "<!---->"])
@pytest.mark.parametrize(
    "opened",
    [
        "<div itemprop=a>",
        "<div><h2 itemprop=a># ",
        "<div itemscope itemprop=a><div itemprop=b>",
        "<time datetime=2020-01-01><div>",
        "<a rel=author href=/a><div>",
    ],
)
def test_nodes_within_several_elements_are_not_passed_for_each(opened: str, within: str) -> None:
    for width in (4_000, 8_000):
        count, nodes = passed("<div itemscope>" + opened * NESTED + within * width)
        assert nodes > width + NESTED
        assert count < 60 * nodes


def test_way_to_the_item_around_is_not_passed_for_each_property() -> None:
    properties = "<meta itemprop=a content=b>" * 500
    few, _ = passed("<div itemscope>" + "<div>" * 10 + properties)
    many, _ = passed("<div itemscope>" + "<div>" * 1_000 + properties)
    assert many < few + 10_000


def test_text_of_an_article_is_whole_beside_properties_within_it() -> None:
    words = " ".join(f"<b>word{number}</b>" for number in range(900))
    html = f'<div itemscope><div itemprop="articleBody">{words} <i itemprop="name">Anna</i></div></div>'
    told: list[str] = []
    (item,) = PageMetadata(etree.fromstring(html, etree.HTMLParser()), Shown(), told.append).values["microdata"]
    assert item["articleBody"].split() == [*(f"word{number}" for number in range(900)), "Anna"]
    assert (item["name"], told) == ("Anna", [])


def page(*graph: dict[str, Any]) -> etree._Element:
    script = f'<script type="application/ld+json">{json.dumps({"@graph": graph})}</script>'
    return etree.fromstring(f"<html><head>{script}</head><body><p>Text</p></body></html>", etree.HTMLParser())


def calls(read: Callable[[], object]) -> int:
    counts = 0

    def count(*_: object) -> None:
        nonlocal counts
        counts += 1

    sys.setprofile(count)
    try:
        read()
    finally:
        sys.setprofile(None)
    return counts


# What an item that others refer to may hold, and the field that refers to it.
TARGETS: list[tuple[str, str, dict[str, Any]]] = [
    ("Product", "offers", {"priceSpecification": [{"price": ["on request"] * 150} for _ in range(6)]}),
    ("Product", "offers", {"priceSpecification": [{"highPrice": "none"}] * 180}),
    ("JobPosting", "baseSalary", {"value": [{"maxValue": ["none"] * 150}] * 6}),
    ("Recipe", "recipeInstructions", {"itemListElement": "\n" * 9_000}),
    ("Recipe", "recipeIngredient", {"name": "&lt;" * 2_000}),
    ("Article", "author", {"name": [""] * 900}),
    ("Article", "author", {f"a{number}": number for number in range(900)}),
    ("Product", "unread", {"name": [""] * 900}),
]


@pytest.mark.parametrize(("kind", "field", "target"), TARGETS)
def test_item_that_many_refer_to_is_not_read_for_each(kind: str, field: str, target: dict[str, Any]) -> None:
    def referring(times: int) -> etree._Element:
        references = [{"@id": "#x"}] * times
        things = [{"@type": kind, "name": f"Kettle {number}", field: references} for number in range(4)]
        return page({"@id": "#x", "@type": "Thing", **target}, *things)

    few, many = (calls(partial(PageMetadata, referring(times), Shown())) for times in (40, 80))
    assert many < 1.3 * few


def test_what_was_read_before_the_limit_of_references_stays_and_is_told() -> None:
    offer = {"@id": "#x", "@type": "Offer", "price": "33.90", "note": [1] * 900}
    kettles = [{"@type": "Product", "name": f"Kettle {number}", "offers": {"@id": "#x"}} for number in range(20)]
    told: list[str] = []
    things = PageMetadata(page(offer, *kettles), Shown(), told.append).values["things"]
    assert told == [CUT_METADATA]
    assert [thing["name"] for thing in things] == [kettle["name"] for kettle in kettles]
    assert [thing["price"] for thing in things[:5]] == [33.9] * 5
    told.clear()
    things = PageMetadata(page({**offer, "note": []}, *kettles), Shown(), told.append).values["things"]
    assert ([thing["price"] for thing in things], told) == ([33.9] * 20, [])


def test_each_text_is_parsed_as_an_amount_once_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    price_parser = pytest.importorskip("price_parser")
    parsed: list[str] = []
    original = price_parser.Price.fromstring

    def fromstring(text: str) -> Any:
        parsed.append(text)
        return original(text)

    monkeypatch.setattr(price_parser.Price, "fromstring", fromstring)
    offers = [{"price": ["on request", "ask us"] * 30, "highPrice": "ask us"}] * 5
    kettles = [{"@type": "Product", "name": f"Kettle {number}", "offers": offers} for number in range(8)]
    for pages in (1, 2):
        PageMetadata(page(*kettles), Shown(kept_prices=["1.299,00 € or 5,50 €"] * 30))
        assert len(parsed) == pages * 2
    (kettle,) = PageMetadata(
        page({"@type": "Product", "name": "Kettle", "offers": {"price": 5.5}}),
        Shown(kept_prices=["1.299,00 € or 5,50 €"] * 30),
    ).values["things"]
    assert kettle["price_shown"]
    assert sorted(parsed[4:]) == ["1.299,00", "5,50"]

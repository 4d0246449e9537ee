"""Things of structured data as plain values, and prices checked against the page."""

from __future__ import annotations

import json
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scrapy_blockfilter as bf
from scrapy_blockfilter.extras.metadata import PRICE_DIFFERS
from scrapy_blockfilter.extras.metadata.things import FIELDS, TYPES
from tests.support.counted import calls

PRODUCT = {
    "@type": "Product",
    "name": "Cedar kettle",
    "brand": {"@type": "Brand", "name": "Kettle House"},
    "sku": "KH-33",
    "gtin13": 4006381333931,
    "offers": {"price": "33.90", "priceCurrency": "eur", "availability": "https://schema.org/InStock"},
    "aggregateRating": {"ratingValue": "4.667", "reviewCount": 12},
}


def page(*items: Any, body: str = "<h1>Cedar kettle</h1><p>€ 33.90</p>") -> str:
    script = f'<script type="application/ld+json">{json.dumps({"@graph": items})}</script>'
    return f"<html><head>{script}</head><body>{body}</body></html>"


def things(*items: Any) -> Any:
    return bf.clean(page(*items), "http://shop.example/cedar").metadata["things"]


def test_product_has_plain_values() -> None:
    offer = {"price": 33.9, "currency": "EUR", "availability": "InStock", "price_shown": True}
    own = {"name": "Cedar kettle", "brand": "Kettle House", "identifiers": {"sku": "KH-33", "gtin13": "4006381333931"}}
    unknown = dict.fromkeys(("url", "image", "highest_price"))
    assert things(PRODUCT) == [{"type": "product", **own, **offer, "rating": 4.667, "ratings": 12, **unknown}]


def test_addresses_are_no_authors() -> None:
    article = {"@type": "Article", "headline": "Tides", "author": ["https://shop.example/anna", {"name": "Ben Quay"}]}
    (thing,) = things(article)
    assert thing["authors"] == ["Ben Quay"]


NOT_PAID: list[dict[str, Any]] = [
    *({"priceType": kind} for kind in ("https://schema.org/ListPrice", ["MSRP"], "StrikethroughPrice")),
    *({"referenceQuantity": {"value": 100}}, {"validForMemberTier": {}}, {"@type": "DeliveryChargeSpecification"}),
]


@pytest.mark.parametrize(
    ("offers", "price", "highest"),
    [
        ([{"price": 20}, {"price": 10}], 20.0, None),
        ({"@type": "AggregateOffer", "lowPrice": "5", "highPrice": "9.50"}, 5.0, 9.5),
        ({"@type": "AggregateOffer", "offers": [{"price": "7"}]}, 7.0, None),
        ({"priceSpecification": {"price": 12.5, "priceCurrency": "EUR"}}, 12.5, None),
        ({"price": "1.299,00 €"}, 1299.0, None),
        ({"price": 0}, 0.0, None),
        ("33.90", None, None),
        *(({"priceSpecification": [{"price": 40, **other}, {"price": 33.9}]}, 33.9, None) for other in NOT_PAID),
        ([{"price": 40, "priceType": "ListPrice"}], 40.0, None),
        ([{"price": 81, "referenceQuantity": {"valueReference": {"value": 1}}}, {"price": 18}], 81.0, None),
        ({"price": "12.500", "priceCurrency": "KWD"}, 12.5, None),
        ({"price": "KD 1,012.500", "priceCurrency": "KWD"}, 1012.5, None),
        *(({"price": written}, 1299.0, None) for written in ("1.299", "CHF 1’299.–", "1.299E3")),
        *(({"price": written}, 12.5, None) for written in ("١٢٫٥", "１２，５０ €")),
        *(({"price": written}, None, None) for written in ("-5", "on request", True)),
    ],
)
def test_price_is_found_in_each_form_of_an_offer(offers: Any, price: float | None, highest: float | None) -> None:
    (thing,) = things({"@type": "Product", "name": "Kettle", "offers": offers})
    assert (thing["price"], thing["highest_price"]) == (price, highest)


@pytest.mark.parametrize("name", ["hasVariant", "model"])
def test_price_of_a_group_is_the_range_of_its_variants(name: str) -> None:
    variants = [{"offers": {"price": price, "priceCurrency": "EUR"}} for price in ("20", "10", "15")]
    (thing,) = things({"@type": "ProductGroup", name: variants})
    assert (thing["price"], thing["highest_price"], thing["currency"]) == (10.0, 20.0, "EUR")


@pytest.mark.parametrize("price", [' content="33.90">33,90', ">€ 33<sup>90</sup>", "><b>33</b><small>90</small> €"])
def test_thing_of_microdata_has_the_same_values(price: str) -> None:
    html = (
        '<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Cedar kettle</h1>'
        '<span itemprop="brand">Kettle House</span><div itemprop="offers" itemscope itemtype="https://schema.org/Offer">'
        f'<span itemprop="price"{price}</span><meta itemprop="priceCurrency" content="EUR"></div></div>'
    )
    (thing,) = bf.clean(html).metadata["things"]
    read = (thing["name"], thing["brand"], thing["price"], thing["currency"])
    assert read == ("Cedar kettle", "Kettle House", 33.9, "EUR")


def test_microdata_have_names_of_links_and_a_line_for_each_box() -> None:
    html = (
        '<div itemscope itemtype="https://schema.org/Recipe"><h2 itemprop="name">Leek<br>soup</h2>'
        '<a itemprop="author" href="/anna">Anna Smith</a><div itemprop="recipeInstructions">'
        "<script>go()</script>a<ol><li>Peel <b>it</b>.</li><li>Boil.</li></ol>z</div></div>"
    )
    (thing,) = bf.clean(html).metadata["things"]
    read = (thing["name"], thing["authors"], thing["steps"])
    assert read == ("Leek soup", ["Anna Smith"], ["a", "Peel it.", "Boil.", "z"])


def test_things_are_found_in_graphs_lists_and_pages() -> None:
    elements = [{"@type": "ListItem", "item": {"@type": "Product", "name": name}} for name in ("Cedar", "Birch")]
    listed = {"@type": "WebPage", "mainEntity": {"@type": "ItemList", "itemListElement": elements}}
    found = things(listed, {"@type": ["Thing", "https://schema.org/Car"], "name": "Van"})
    assert [thing["name"] for thing in found] == ["Cedar", "Birch", "Van"]


def test_thing_told_twice_is_one_with_the_values_of_both() -> None:
    second = {"@type": "Product", "name": "KETTLE", "brand": "Kettle House"}
    (thing,) = things({"@type": "Product", "name": "Kettle", "sku": "1"}, second)
    assert (thing["identifiers"], thing["brand"]) == ({"sku": "1"}, "Kettle House")


def test_recipe_has_ingredients_and_the_steps_of_its_sections() -> None:
    step = {"@type": "HowToStep", "name": "First", "text": "Peel."}
    section = {"@type": "HowToSection", "name": "Cooking", "itemListElement": ["Wash.", step, "Boil.\nServe."]}
    recipe = {"@type": "Recipe", "recipeIngredient": ["Salt", "1 leek", "Salt"], "recipeInstructions": [section]}
    (thing,) = things({**recipe, "ingredients": "Salt"})
    assert (thing["ingredients"], thing["steps"]) == (["Salt", "1 leek", "Salt"], ["Wash.", "Peel.", "Boil.", "Serve."])
    (named,) = things({**recipe, "recipeInstructions": [{"name": "Peel"}, {"name": "Boil"}]})
    assert named["steps"] == ["Peel", "Boil"]


def test_event_has_its_place_and_job_its_pay() -> None:
    where = {"@type": "Place", "name": "Hall", "address": {"addressLocality": "Ghent", "addressCountry": "BE"}}
    other = {"@type": "Place", "name": "Barn", "address": {"addressLocality": "Bruges", "addressRegion": "Flanders"}}
    concert = {"@type": "MusicEvent", "startDate": "2026-03-01T20:00", "location": [where, other]}
    (event,) = things({**concert, "eventStatus": "https://schema.org/EventPostponed"})
    assert (event["starts"], event["place"]) == ("2026-03-01T20:00:00", "Hall, Ghent, BE")
    assert event["status"] == "EventPostponed"
    value = {"@type": "QuantitativeValue", "minValue": 3000, "maxValue": 3500, "unitText": "MONTH"}
    salary = {"@type": "MonetaryAmount", "currency": "EUR", "value": value}
    posting = {"@type": "JobPosting", "title": "Baker", "hiringOrganization": {"name": "Mill"}, "baseSalary": salary}
    (job,) = things({**posting, "jobLocation": "Ghent"})
    assert (job["type"], job["name"], job["employer"], job["currency"]) == ("job", "Baker", "Mill", "EUR")
    assert (job["pay"], job["highest_pay"], job["pay_unit"]) == (3000.0, 3500.0, "MONTH")
    assert job["place"] == "Ghent"


@pytest.mark.parametrize(
    ("price", "currency", "shown", "is_shown"),
    [
        *(("33.90", "EUR", shown, True) for shown in ("€ 33.90", "33,90 €", "€ 33<sup>90</sup>", "€ 33⁹⁰")),
        ("33.90", "EUR", "€ 29.90", False),
        ("33.90", "EUR", "Boils a litre of water.", None),
        (33.900000000000006, "USD", "$33.90 (before: $40.00)", True),
        ("1299.00", "CHF", "CHF 1’299.-", True),
        ("1234567", "INR", "₹12,34,567", True),
        ("1200", "JPY", "１，２００円", True),
        ("9615", "USD", "<b>$9,615</b><i>97,111 mi.</i>", True),
        *(("12.500", "TND", shown, True) for shown in ("12,500 TND", "TND 12.500 (TND 13.000)")),
    ],
)
def test_price_that_no_line_shows_is_told(price: Any, currency: str, shown: str, is_shown: bool | None) -> None:
    body = f"<h1>Cedar kettle</h1><p>{shown}</p><p>The handle of cedar wood stays cool.</p>"
    html = page({**PRODUCT, "offers": {"price": price, "priceCurrency": currency}}, body=body)
    cleaned = bf.learn([html, "<p>Another page of the site, with text.</p>"]).clean(html)
    assert cleaned.metadata["things"][0]["price_shown"] is is_shown
    assert (PRICE_DIFFERS in cleaned.simplified) == (is_shown is False)


def test_prices_are_not_checked_without_price_parser() -> None:
    with patch("scrapy_blockfilter.extras.metadata.prices.has_price_parser", return_value=False):
        (thing,) = bf.clean(page(PRODUCT, body="<h1>Cedar kettle</h1><p>€ 29.90</p>")).metadata["things"]
    assert (thing["price"], thing["price_shown"]) == (33.9, None)


NAMES = [
    *("name", "offers", "brand", "sku", "aggregateRating", "location", "baseSalary", "recipeInstructions", "author"),
    *("image", "url", "startDate", "recipeIngredient", "jobLocation", "@graph"),
]
INNER = st.sampled_from(["@type", "@id", "name", "offers", "price", "address", "value", "itemListElement", "text"])
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(INNER, inner, max_size=4),
    max_leaves=12,
)
KINDS = st.sampled_from(["Product", "Recipe", "Event", "JobPosting", "Article"])


@pytest.mark.slow
@settings(max_examples=200)
@given(KINDS, st.dictionaries(st.sampled_from(NAMES), JSON))
def test_wild_items_give_things_with_all_names_of_their_type(kind: str, item: dict[str, Any]) -> None:
    for thing in things({**item, "@type": kind}):
        assert {*thing} - {"price_shown"} == {"type", *TYPES[thing["type"]][1]}
        json.dumps(thing, allow_nan=False)


def test_each_field_is_of_a_type() -> None:
    assert {name for _, names in TYPES.values() for name in names} == FIELDS.keys()


# --- work ----------------------------------------------------------------------------------------------------------

# What an item that others refer to may hold, and the field that refers to it.
TARGETS: list[tuple[str, str, dict[str, Any]]] = [
    ("Product", "offers", {"priceSpecification": [{"price": ["on request"] * 150} for _ in range(6)]}),
    ("JobPosting", "baseSalary", {"value": [{"maxValue": ["none"] * 150}] * 6}),
    ("Recipe", "recipeInstructions", {"itemListElement": "\n" * 9_000}),
    ("Recipe", "recipeIngredient", {"name": "&lt;" * 2_000}),
    ("Article", "author", {"name": [""] * 900}),
    ("Article", "author", {f"a{number}": number for number in range(900)}),
]


@pytest.mark.parametrize(("kind", "field", "target"), TARGETS)
def test_item_that_many_refer_to_is_not_read_for_each(kind: str, field: str, target: dict[str, Any]) -> None:
    def work(times: int) -> int:
        references = [{"@id": "#x"}] * times
        items = [{"@type": kind, "name": f"Kettle {number}", field: references} for number in range(4)]
        return calls(lambda: things({"@id": "#x", "@type": "Thing", **target}, *items))

    work(1)
    assert work(80) < 1.3 * work(40)


def test_each_text_is_parsed_as_an_amount_once() -> None:
    price_parser = pytest.importorskip("price_parser")
    offers = [{"price": ["on demand", "ask for it"] * 30, "highPrice": "ask for it"}] * 5
    kettles = [{"@type": "Product", "name": f"Kettle {number}", "offers": offers} for number in range(8)]
    with patch.object(price_parser.Price, "fromstring", side_effect=price_parser.Price.fromstring) as parse:
        for _ in range(2):
            things(*kettles)
        assert bf.clean(page(PRODUCT, body="<p>1.298,07 € or 33,90 €</p>" * 30)).metadata["things"][0]["price_shown"]
    parsed = [call.args[0] for call in parse.call_args_list]
    assert {"on demand", "ask for it", "1.298,07"} <= set(parsed)
    assert len(parsed) == len(set(parsed))

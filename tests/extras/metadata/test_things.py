"""Things of structured data as plain values, prices checked against the page, and dates that are no page's own."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scrapy_blockfilter as bf
from scrapy_blockfilter.crawl import REASONS
from scrapy_blockfilter.extras.metadata import PRICE_DIFFERS, PageMetadata, Shown, prices
from scrapy_blockfilter.extras.metadata.things import TYPES, things_of
from scrapy_blockfilter.html import parse

PRODUCT = {
    "@type": "Product",
    "name": "Cedar kettle",
    "brand": {"@type": "Brand", "name": "Kettle House"},
    "sku": "KH-33",
    "gtin13": 4006381333931,
    "offers": {
        "@type": "Offer",
        "price": "33.90",
        "priceCurrency": "eur",
        "availability": "https://schema.org/InStock",
    },
    "aggregateRating": {"ratingValue": "4.5", "reviewCount": 12},
}


def page(item: Any, body: str = "<h1>Cedar kettle</h1><p>€ 33.90</p>") -> str:
    return (
        f'<html><head><script type="application/ld+json">{json.dumps(item)}</script></head><body>{body}</body></html>'
    )


def clean(html: str) -> bf.Cleaned:
    return bf.learn([html, "<p>Another page of the site, with text.</p>"]).clean(html, "http://shop.example/cedar")


def things(*items: dict[str, Any]) -> list[dict[str, Any]]:
    return things_of(items, "http://shop.example/")


def test_product_has_plain_values() -> None:
    (thing,) = clean(page(PRODUCT)).metadata["things"]
    assert thing == {
        "type": "product",
        "name": "Cedar kettle",
        "url": None,
        "image": None,
        "price": 33.9,
        "highest_price": None,
        "currency": "EUR",
        "availability": "InStock",
        "brand": "Kettle House",
        "identifiers": {"sku": "KH-33", "gtin13": "4006381333931"},
        "rating": 4.5,
        "ratings": 12,
        "price_shown": True,
    }


@pytest.mark.parametrize(
    ("offers", "price", "highest"),
    [
        ([{"price": 20}, {"price": 10}], 20.0, None),
        ({"@type": "AggregateOffer", "lowPrice": "5", "highPrice": "9.50"}, 5.0, 9.5),
        ({"@type": "AggregateOffer", "offers": [{"price": "7"}]}, 7.0, None),
        ({"priceSpecification": {"price": 12.5, "priceCurrency": "EUR"}}, 12.5, None),
        ({"price": "1.299,00 €"}, 1299.0, None),
        ({"price": "on request"}, None, None),
        ({"price": 0}, 0.0, None),
        ("33.90", None, None),
    ],
)
def test_price_is_found_in_each_form_of_an_offer(offers: Any, price: float | None, highest: float | None) -> None:
    (thing,) = things({"@type": "Product", "name": "Kettle", "offers": offers})
    assert (thing["price"], thing["highest_price"]) == (price, highest)


def test_thing_of_microdata_has_the_same_values() -> None:
    html = (
        '<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Cedar kettle</h1>'
        '<span itemprop="brand">Kettle House</span><div itemprop="offers" itemscope itemtype="https://schema.org/Offer">'
        '<span itemprop="price" content="33.90">33,90</span><meta itemprop="priceCurrency" content="EUR"></div></div>'
    )
    (thing,) = PageMetadata(parse(html), Shown()).values["things"]
    assert (thing["name"], thing["brand"], thing["price"], thing["currency"]) == (
        *("Cedar kettle", "Kettle House"),
        *(33.9, "EUR"),
    )


def test_thing_told_twice_is_one_with_the_values_of_both() -> None:
    first = {"@type": "Product", "name": "Kettle", "sku": "1"}
    second = {"@type": "Product", "name": "KETTLE", "brand": "Kettle House"}
    (thing,) = things(first, second)
    assert (thing["identifiers"], thing["brand"]) == ({"sku": "1"}, "Kettle House")


def test_list_of_products_gives_each() -> None:
    elements = [{"@type": "ListItem", "item": {"@type": "Product", "name": name}} for name in ("Cedar", "Birch")]
    assert [thing["name"] for thing in things({"@type": "ItemList", "itemListElement": elements})] == ["Cedar", "Birch"]


def test_recipe_has_ingredients_and_the_steps_of_its_sections() -> None:
    step = {"@type": "HowToStep", "text": "Peel."}
    section = {"@type": "HowToSection", "name": "First", "itemListElement": [step, "Boil."]}
    recipe = {
        "@type": "Recipe",
        "name": "Soup",
        "recipeIngredient": ["1 leek", "Salt"],
        "recipeInstructions": [section],
    }
    (thing,) = things(recipe)
    assert (thing["ingredients"], thing["steps"]) == (["1 leek", "Salt"], ["Peel.", "Boil."])


def test_event_has_its_place_and_job_its_pay() -> None:
    where = {"@type": "Place", "name": "Hall", "address": {"addressLocality": "Ghent", "addressCountry": "BE"}}
    (event,) = things({"@type": "MusicEvent", "name": "Concert", "startDate": "2026-03-01T20:00", "location": where})
    assert (event["starts"], event["place"]) == ("2026-03-01T20:00:00", "Hall, Ghent, BE")
    value = {"@type": "QuantitativeValue", "minValue": 3000, "maxValue": 3500, "unitText": "MONTH"}
    salary = {"@type": "MonetaryAmount", "currency": "EUR", "value": value}
    posting = {"@type": "JobPosting", "title": "Baker", "hiringOrganization": {"name": "Mill"}, "baseSalary": salary}
    (job,) = things(posting)
    assert (job["type"], job["name"], job["employer"], job["currency"]) == ("job", "Baker", "Mill", "EUR")
    assert (job["pay"], job["highest_pay"], job["pay_unit"]) == (3000.0, 3500.0, "MONTH")


def test_reference_stands_for_its_item() -> None:
    article = {"@type": "NewsArticle", "headline": "Harbour reopens", "author": {"@id": "#anna"}}
    (thing,) = things({"@graph": [article, {"@type": "Person", "@id": "#anna", "name": "Anna Smith"}]})
    assert (thing["type"], thing["authors"]) == ("article", ["Anna Smith"])


@pytest.mark.parametrize(
    ("shown", "is_shown"),
    [
        ("€ 33.90", True),
        ("33,90 €", True),
        ("€ 33<sup>90</sup>", True),
        ("€ 29.90", False),
        ("Boils a litre of water.", None),
    ],
)
def test_price_that_the_page_does_not_show_is_told(shown: str, is_shown: bool | None) -> None:
    cleaned = clean(page(PRODUCT, f"<h1>Cedar kettle</h1><p>{shown}</p><p>The handle of cedar wood stays cool.</p>"))
    assert cleaned.metadata["things"][0]["price_shown"] is is_shown
    assert (PRICE_DIFFERS in cleaned.simplified) == (is_shown is False)
    assert PRICE_DIFFERS in REASONS


def test_prices_are_not_checked_without_price_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prices, "has_price_parser", lambda: False)
    (thing,) = clean(page(PRODUCT, "<h1>Cedar kettle</h1><p>€ 29.90</p>")).metadata["things"]
    assert (thing["price"], thing["price_shown"]) == (33.9, None)


FIELDS = [
    *("name", "offers", "brand", "sku", "aggregateRating", "location", "baseSalary", "recipeInstructions", "author"),
    *("image", "url", "startDate", "recipeIngredient", "jobLocation", "@graph"),
]
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["@type", "@id", "name", "offers", "price", "address", "value", "itemListElement", "text"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@pytest.mark.slow
@settings(max_examples=200)
@given(
    st.sampled_from(["Product", "Recipe", "Event", "JobPosting", "Article"]),
    st.dictionaries(
        st.sampled_from(FIELDS),
        JSON,
    ),
)
def test_wild_items_give_things_with_all_names_of_their_type(kind: str, item: dict[str, Any]) -> None:
    for thing in things({**item, "@type": kind}):
        assert set(thing) == {"type", *TYPES[thing["type"]][1]}
        json.dumps(thing, allow_nan=False)


# --- dates ---------------------------------------------------------------------------------------------------------


def news(number: int, box: str = "", byline: str = "") -> str:
    return (
        "<html lang=en><body><header><a href=/>The Gazette</a></header><main>"
        f"<h1>Harbour report number {number}</h1>{byline}<p>{f'Boats of fleet {number} came back to port. ' * 8}</p>"
        f"</main>{box}<footer><p>All rights reserved by the Gazette.</p></footer></body></html>"
    )


@pytest.mark.parametrize(
    "box",
    [
        '<div class="widget"><p>2026-11-24 14:0{}</p><p>Rain</p></div>',
        '<footer><p class="date">Printed on 2026-11-24, 14:0{}</p></footer>',
        '<div class="box"><p>14:0{}</p><p>Rain</p><p>Forecast of 2026-11-24</p></div>',
    ],
)
def test_date_of_a_widget_or_footer_is_no_date_of_the_page(box: str) -> None:
    model = bf.learn([news(number, box.format(number)) for number in range(10)])
    for number in (3, 9):
        cleaned = model.clean(news(number, box.format(number)))
        assert cleaned.metadata["published"] is None, cleaned.metadata_sources
    own = model.clean(news(11, box.format(5), '<p class="byline">By Anna Smith, 2024-03-12</p>'))
    assert own.metadata["published"] == "2024-03-12"


def test_line_that_names_the_day_of_the_site_gives_no_date() -> None:
    footer = "<footer><p>Prices of 2026-08-01</p></footer>"
    pages = [
        news(number, footer, f'<p class="byline">Checked 2026-08-01, {number} minutes</p>') for number in range(12)
    ]
    assert bf.learn(pages[:10]).clean(pages[11]).metadata["published"] is None

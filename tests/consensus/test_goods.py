"""Goods of other pages go from a page that says that it is about one product; all others are for the score to judge."""

from __future__ import annotations

import json

import pytest

import scrapy_blockfilter as bf
from tests.support.networks import judged

NAME = "Oak table “Brook” & bench"
WRITTEN = {"@type": "Product", "name": NAME.replace("&", "&amp;"), "offers": {"@type": "Offer", "price": "990"}}
PROSE = "The table is made by hand from oak of the upper valley, oiled twice, and seats eight people with ease. "
TILES = {
    "list": "<li><a href=/{0}><img alt='Chair {0}'></a><h3><a href=/{0}>Chair {0}</a></h3><p>€ {0}9.90</p></li>",
    "boxes": "<div><p><a href=/{0}?from=7><img src=/oak-chair-{0}.jpg></a></p><p>Židle {0}</p><p>{0} 990 Kč</p></div>",
    "cells": "<td><a href=/{0}><img src=/{0}.jpg alt='いす{0}'></a><br><a href=/{0}>いす{0}</a><p>{0}9,800円</p></td>",
}
AROUND = {"list": "<ul>{}</ul>", "boxes": "<div>{}</div>", "cells": "<table><tr>{}</tr></table>"}


def ld(*items: object) -> str:
    return "".join(f"<script type='application/ld+json'>{json.dumps(item)}</script>" for item in items)


def gone(head: str, part: str, text: str = PROSE * 3) -> set[str]:
    """Return the reasons of what goes of a page, if the score keeps all."""
    body = f"<h1>{NAME}</h1><p>{text}</p><p>€ 990.00</p>{part}"
    html = f"<html><head><title>{NAME} - Valley</title>{head}</head><body><div>{body}</div></body></html>"
    verdicts = judged(html, {}, others=0.9)
    assert all(verdicts[said].keep for said in (NAME, text.strip(), "€ 990.00"))
    stripped = {said: verdict.reason for said, verdict in verdicts.items() if not verdict.keep}
    assert not stripped or "Others bought" in stripped
    return set(stripped.values())


def offered(shape: str, count: int = 4, first: int = 1) -> str:
    tiles = "".join(TILES[shape].format(place) for place in range(first, first + count))
    return f"<section><h2>Others bought</h2>{AROUND[shape].format(tiles)}</section>"


@pytest.mark.parametrize("shape", TILES)
@pytest.mark.parametrize(
    "head",
    [
        ld(WRITTEN),
        ld({"@graph": [{"@type": "WebSite"}, WRITTEN | {"@type": ["http://schema.org/ProductGroup", "Thing"]}]}),
        ld({"@type": "BreadcrumbList"}, WRITTEN, WRITTEN),
    ],
    ids=["item", "graph", "twice"],
)
def test_goods_of_other_pages_go(head: str, shape: str) -> None:
    assert gone(head, offered(shape)) == {"goods of other pages"}


def test_goods_without_a_price_go_with_those_beside_them() -> None:
    assert gone(ld(WRITTEN), offered("list").replace("€ 1", "Sold out 1").replace("€ 2", "Soon")) == {
        "goods of other pages"
    }


@pytest.mark.parametrize(
    "head",
    [
        "",
        ld({"@type": "WebPage", "name": NAME}),
        ld(WRITTEN, WRITTEN | {"name": "Chair 1"}),
        ld({"@type": "ItemList", "itemListElement": [{"item": WRITTEN | {"name": f"Chair {n}"}} for n in (1, 2, 3)]}),
        ld(WRITTEN | {"name": "Valley furniture"}),
        ld({"@type": "Product"}),
        ld(WRITTEN | {"description": "x" * 100_000}),
        ld(WRITTEN | {"offers": [{"@type": "AggregateOffer", "lowPrice": 19}]}),
        "<meta property=og:type content=product>",
    ],
    ids=["nothing", "page", "two", "listed", "other name", "no name", "long", "sellers", "open graph"],
)
def test_goods_stay_on_a_page_that_is_not_said_to_be_about_one_product(head: str) -> None:
    assert gone(head, offered("list")) == set()


@pytest.mark.parametrize(
    "part",
    [
        offered("list", 2),
        offered("list").replace("href=/", "href=/oak-table?size="),
        offered("boxes").replace("<a ", "<b ").replace("</p><p>Ž", "</p><p><a href=#buy>Buy</a></p><p>Ž"),
        offered("list").replace("€", "Nr."),
    ],
    ids=["two", "variants", "plans", "no price"],
)
def test_other_tiles_stay_on_a_page_about_one_product(part: str) -> None:
    assert gone(ld(WRITTEN), part) == set()


@pytest.mark.parametrize("sections", [1, 3])
def test_goods_that_are_nearly_all_of_a_page_stay(sections: int) -> None:
    assert gone(ld(WRITTEN), sections * offered("list", 60 // sections), "On sale.") == set()


def test_a_shop_is_not_suspected_of_losing_what_its_pages_say_is_of_others() -> None:
    pages = [
        f"<html><title>Table {n}</title>{ld(WRITTEN | {'name': f'Table {n}'})}<main><h1>Table {n}</h1><p>€ {n}90.00</p>"
        f"<p>Table {n} is of solid wood, and ships in {n} days to all of Europe.</p>{offered('list', 5, 5 * n % 7)}"
        for n in range(12)
    ]
    cleaned = list(map(bf.learn(pages).clean, pages))
    assert not any("Chair" in page.text or "Table" not in page.text or page.suspicious for page in cleaned)

"""Products, recipes, events, jobs and articles of structured data as plain values: see :func:`things_of`.

JSON-LD and microdata nest the same facts in many ways: an offer, a list of offers, an AggregateOffer; a brand as text
or as an item. Each field of ``TYPES`` has one form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

from scrapy_blockfilter.extras.metadata.dates import iso_date
from scrapy_blockfilter.extras.metadata.json_ld import bounded
from scrapy_blockfilter.extras.metadata.main_item import Item, inner_items, named_items, one, resolved, types_of
from scrapy_blockfilter.extras.metadata.prices import amount, parsed
from scrapy_blockfilter.extras.metadata.values import Budget, address, plain_text

# Things of a page, as lists of products have them, and values of one field.
MAX_THINGS, MAX_VALUES = 100, 200
# Levels of lists and items that a field is looked for in, such as a section of steps.
_LEVELS = 4


class Reading(NamedTuple):
    """Address that others of a page are relative to, and a reader of its amounts, which reads each text once."""

    base: str
    amount: Callable[[Any], float | None]


Read = Callable[[Item, Reading], Any]


def things_of(items: Sequence[Item], base: str, references: Budget | None = None) -> list[dict[str, Any]]:
    """Return the things that structured data of a page describe, in its order; a thing told twice is one.

    Args:
        items: those of JSON-LD, then those of microdata.
        base: what addresses are relative to.
        references: limits of what they stand for; few bytes may refer to one large item a thousand times.

    >>> offers = {"@type": "Offer", "price": "33.90", "priceCurrency": "EUR"}
    >>> thing, = things_of([{"@type": "Product", "name": "Kettle", "offers": offers}], "")
    >>> thing["type"], thing["name"], thing["price"], thing["currency"], thing["brand"]
    ('product', 'Kettle', 33.9, 'EUR', None)
    """
    every = list(inner_items(items, ("@graph", "mainEntity", "itemListElement", "item")))
    by_id = named_items(every)
    references = references or Budget()
    page = Reading(base, partial(amount, parsed=cache(parsed)))
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for item in every:
        kind = next((kind for kind, (endings, _) in TYPES.items() if _is_a(item, endings)), "")
        if not kind or len(found) == MAX_THINGS:
            continue
        item = {name: _resolved(value, by_id, references) for name, value in item.items()}
        thing = {"type": kind, **{name: _known(read(item, page)) for name, read in TYPES[kind][1].items()}}
        if any(value is not None for name, value in thing.items() if name not in ("type", "url")):
            first = found.setdefault((kind, (thing["name"] or "").casefold()), thing)
            first.update({name: value for name, value in thing.items() if first[name] is None})
    return list(found.values())


def _known(value: Any) -> Any:
    return None if value in ("", [], {}) else value


def _is_a(item: Item, endings: tuple[str, ...]) -> bool:
    return any(name.endswith(endings) for name in types_of(item))


def _resolved(value: Any, by_id: Mapping[str, Item], references: Budget) -> Any:
    """Return a value with the items that its references stand for, as if they were written there."""
    if isinstance(value, list):
        return [_resolved(inner, by_id, references) for inner in value]
    found = resolved(value, by_id)
    return value if found is value or references.is_cut else bounded(found, references)


def _each(value: Any, levels: int = _LEVELS) -> Iterator[Any]:
    """Yield a value, or the values of lists in each other."""
    if isinstance(value, list):
        for inner in value[:MAX_VALUES] if levels else ():
            yield from _each(inner, levels - 1)
    elif value is not None:
        yield value


def _written(value: Any, *names: str) -> str:
    """Return a value as text: an item stands for its name, or for what else is named."""
    if isinstance(value, Mapping):
        return next((text for name in ("name", *names) if (text := plain_text(one(value.get(name))))), "")
    return plain_text(value)


def _text(*names: str) -> Read:
    def read(item: Item, page: Reading) -> str:
        return next((text for name in names for value in _each(item.get(name)) if (text := _written(value))), "")

    return read


def _texts(*names: str) -> Read:
    def read(item: Item, page: Reading) -> list[str]:
        every = (_written(value) for name in names for value in _each(item.get(name)))
        return list(dict.fromkeys(text for text in every if text))[:MAX_VALUES]

    return read


def _date(name: str) -> Read:
    return lambda item, page: iso_date(plain_text(one(item.get(name))))


def _url(name: str) -> Read:
    def read(item: Item, page: Reading) -> str:
        value = one(item.get(name))
        value = one(value.get("url") or value.get("contentUrl")) if isinstance(value, Mapping) else value
        return address(value, page.base)

    return read


def _steps(item: Item, page: Reading) -> list[str]:
    """Return the steps of a recipe: lines of one text, or items in sections."""

    def texts(value: Any, levels: int) -> Iterator[str]:
        for step in _each(value):
            if isinstance(step, Mapping) and step.get("itemListElement") and levels:
                yield from texts(step["itemListElement"], levels - 1)
            elif isinstance(step, Mapping):
                yield plain_text(one(step.get("text"))) or _written(step)
            elif isinstance(step, str):
                yield from map(plain_text, step.splitlines()[:MAX_VALUES])

    return [text for text in texts(item.get("recipeInstructions"), _LEVELS) if text][:MAX_VALUES]


def _place(name: str) -> Read:
    """Read a place: its name, and its address as one line."""

    def read(item: Item, page: Reading) -> str:
        value = one(item.get(name))
        if not isinstance(value, Mapping):
            return plain_text(value)
        where = one(value.get("address"))
        parts = [plain_text(where)]
        if isinstance(where, Mapping):
            names = ("streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry")
            parts = [_written(one(where.get(part))) for part in names]
        return ", ".join(dict.fromkeys(filter(None, (_written(value, "url"), *parts))))

    return read


def _identifiers(item: Item, page: Reading) -> dict[str, str]:
    names = ("sku", "mpn", "productID", "isbn", "gtin", "gtin8", "gtin12", "gtin13", "gtin14")
    return {name: text for name in names if (text := _written(one(item.get(name)), "value"))}


def _rating(item: Item, page: Reading) -> float | None:
    rating = one(item.get("aggregateRating"))
    return page.amount(one(rating.get("ratingValue"))) if isinstance(rating, Mapping) else None


def _ratings(item: Item, page: Reading) -> int | None:
    rating = one(item.get("aggregateRating"))
    if not isinstance(rating, Mapping):
        return None
    counts = (page.amount(one(rating.get(name))) for name in ("ratingCount", "reviewCount"))
    return next((int(count) for count in counts if count is not None), None)


def _offers(item: Item) -> Iterator[Item]:
    """Yield the offers of an item, each before what it consists of; a salary is one, too."""
    for name in ("offers", "baseSalary", "priceSpecification", "value"):
        for offer in _each(item.get(name)):
            if isinstance(offer, Mapping):
                yield offer
                yield from _offers_within(offer)


def _offers_within(offer: Item) -> Iterator[Item]:
    for name in ("priceSpecification", "offers", "value"):
        yield from (inner for inner in _each(offer.get(name)) if isinstance(inner, Mapping))


def _price(*names: str) -> Read:
    def read(item: Item, page: Reading) -> float | None:
        every = (page.amount(value) for offer in _offers(item) for name in names for value in _each(offer.get(name)))
        return next((price for price in every if price is not None), None)

    return read


def _of_offer(*names: str) -> Read:
    def read(item: Item, page: Reading) -> str:
        texts = (_written(one(offer.get(name))) for offer in _offers(item) for name in names)
        return next(filter(None, texts), "")

    return read


def _currency(item: Item, page: Reading) -> str:
    written = _of_offer("priceCurrency", "currency")(item, page) or plain_text(one(item.get("salaryCurrency")))
    return written.upper() if re.fullmatch("[A-Za-z]{3}", written) else ""


def _last_part(read: Read) -> Read:
    """Read a word of schema.org without its address: InStock of https://schema.org/InStock."""
    return lambda item, page: read(item, page).rstrip("/").rpartition("/")[2]


_COMMON: dict[str, Read] = {"name": _text("name", "headline", "title"), "url": _url("url"), "image": _url("image")}
_RATED: dict[str, Read] = {"rating": _rating, "ratings": _ratings}
_SOLD: dict[str, Read] = {
    "price": _price("price", "lowPrice", "minPrice"),
    "highest_price": _price("highPrice", "maxPrice"),
    "currency": _currency,
    "availability": _last_part(_of_offer("availability")),
}
_WRITTEN: dict[str, Read] = {"authors": _texts("author", "creator"), "published": _date("datePublished")}

TYPES: dict[str, tuple[tuple[str, ...], dict[str, Read]]] = {
    "job": (
        ("JobPosting",),
        {
            "name": _text("title", "name"),
            "url": _url("url"),
            "employer": _text("hiringOrganization"),
            "place": _place("jobLocation"),
            "published": _date("datePosted"),
            "expires": _date("validThrough"),
            "employment": _texts("employmentType"),
            "pay": _price("minValue", "value", "price"),
            "highest_pay": _price("maxValue"),
            "currency": _currency,
            "pay_unit": _of_offer("unitText"),
        },
    ),
    "product": (
        ("Product", "ProductGroup", "ProductModel", "Vehicle", "Car", "Book"),
        {**_COMMON, **_SOLD, "brand": _text("brand", "manufacturer"), "identifiers": _identifiers, **_RATED},
    ),
    "recipe": (
        ("Recipe",),
        {
            **_COMMON,
            **_WRITTEN,
            "ingredients": _texts("recipeIngredient", "ingredients"),
            "steps": _steps,
            "servings": _text("recipeYield"),
            "preparation": _text("prepTime"),
            "cooking": _text("cookTime"),
            "total_time": _text("totalTime"),
            **_RATED,
        },
    ),
    "event": (
        ("Event", "Festival"),
        {
            **_COMMON,
            "starts": _date("startDate"),
            "ends": _date("endDate"),
            "place": _place("location"),
            "status": _last_part(_text("eventStatus")),
            "organizer": _text("organizer"),
            **_SOLD,
        },
    ),
    "article": (("Article", "Posting", "Report"), {**_COMMON, **_WRITTEN, "modified": _date("dateModified")}),
}
"""Type -> endings of its names at schema.org, and its fields with what reads them. The first type that fits counts."""

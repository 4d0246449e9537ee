"""Products, recipes, events, jobs and articles of structured data as plain values: see :func:`things_of`.

Each of ``FIELDS`` has a reader, and the paths that schema.org and its users have for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from scrapy_blockfilter.extras.metadata.dates import iso_date
from scrapy_blockfilter.extras.metadata.prices import THREE_DECIMALS, amount
from scrapy_blockfilter.extras.metadata.statements import MAX_ADDRESS, plain_text
from scrapy_blockfilter.extras.metadata.subjects import ANOTHER, Subject, Value
from scrapy_blockfilter.html.json_ld import unescaped
from scrapy_blockfilter.render.addresses import address_of

# Things of a page, as lists of products have them, and values of one field.
MAX_THINGS, MAX_VALUES = 100, 200
# Nothing after the slashes: joined to an address, it would give that address.
_NO_HOST = re.compile(r"(?:https?:)?//(?:[/?#]|\Z)", re.IGNORECASE)


class Field(NamedTuple):
    """A field of a thing: what reads its values, relative to an address, and their paths, the first before the next."""

    read: Callable[[Subject, str, Sequence[str]], Any]
    paths: Sequence[str]


def things_of(subjects: Sequence[Subject], base: str) -> list[dict[str, Any]]:
    """Return the things that subjects of structured data describe, in their order, without duplicates.

    >>> kettle = Subject("json_ld", ("Product",), [("name", "Kettle"), ("offers.price", 33.9)])
    >>> (thing,) = things_of([kettle], "")
    >>> thing["type"], thing["name"], thing["price"], thing["brand"]
    ('product', 'Kettle', 33.9, None)
    """
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for subject in subjects:
        kind = next((kind for kind, (endings, _) in TYPES.items() if is_a(subject, endings)), "")
        if not kind or len(found) == MAX_THINGS:
            continue
        thing = {name: _known(FIELDS[name].read(subject, base, FIELDS[name].paths)) for name in TYPES[kind][1]}
        if thing.get("price", 0) is None and (prices := [*_numbers(subject, _OF_VARIANTS)]):
            thing.update(price=min(prices), highest_price=max(prices))
        if any(value is not None for name, value in thing.items() if name != "url"):
            first = found.setdefault((kind, (thing["name"] or "").casefold()), {"type": kind, **thing})
            first.update({name: value for name, value in thing.items() if first[name] is None})
    return list(found.values())


def is_a(subject: Subject, endings: tuple[str, ...]) -> bool:
    """Return whether a type of a subject has one of the endings."""
    return any(name.endswith(endings) for name in subject.types)


def values_of(subject: Subject, paths: Iterable[str]) -> Iterator[Value]:
    """Yield the values of the first path, then of the next."""
    return (value for path in paths for value in subject.values.get(path, ()))


def named(*properties: str) -> tuple[str, ...]:
    """Return the paths of properties that are text, or items with a name."""
    return tuple(path for name in properties for path in (name, f"{name}.name"))


def address(written: object, base: str) -> str:
    """Return an absolute address of the web, or "".

    >>> address("a.png", "http://x.example/b/"), address("javascript:alert(1)", "http://x.example/")
    ('http://x.example/b/a.png', '')
    """
    if not isinstance(written, str) or len(written) > MAX_ADDRESS:
        return ""
    written = unescaped(written).strip()
    if not written or _NO_HOST.match(written):
        return ""
    found = address_of(written, base)
    try:
        parts = urlsplit(found)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:  # such as http://[
        return ""
    return found if is_web and len(found) <= MAX_ADDRESS else ""


def _known(value: Any) -> Any:
    return None if value in ("", [], {}) else value


def _text(of: Subject, base: str, paths: Sequence[str]) -> str:
    return next(filter(None, map(plain_text, values_of(of, paths))), "")


def _texts(of: Subject, base: str, paths: Sequence[str]) -> list[str]:
    written = (plain_text(value) for path, value in of.statements if path in paths)
    return list(dict.fromkeys(islice(filter(None, written), MAX_VALUES)))


def _ingredients(of: Subject, base: str, paths: Sequence[str]) -> list[str]:
    """Return the texts of the first path that has any: two parts of a recipe may need the same."""
    listed = (list(filter(None, map(plain_text, of.values.get(path, ())))) for path in paths)
    return next(filter(None, listed), [])[:MAX_VALUES]


def _authors(of: Subject, base: str, paths: Sequence[str]) -> list[str]:
    return [name for name in _texts(of, base, paths) if "://" not in name]  # no address of a profile


def _numbers(of: Subject, paths: Sequence[str]) -> Iterator[float]:
    """Yield the amounts at paths. The point of a rating, and in currencies with three decimals, parts no thousands."""
    is_exact = "aggregateRating.ratingValue" in paths or _currency(of, "", FIELDS["currency"].paths) in THREE_DECIMALS
    amounts = (amount(value, "." if is_exact else "") for value in values_of(of, paths))
    return (found for found in amounts if found is not None)


def _number(of: Subject, base: str, paths: Sequence[str]) -> float | None:
    return next(_numbers(of, paths), None)


def _count(of: Subject, base: str, paths: Sequence[str]) -> int | None:
    return next(map(int, _numbers(of, paths)), None)


def _date(of: Subject, base: str, paths: Sequence[str]) -> str:
    return iso_date(_text(of, base, paths))


def _url(of: Subject, base: str, paths: Sequence[str]) -> str:
    return next(filter(None, (address(value, base) for value in values_of(of, paths))), "")


def _word(of: Subject, base: str, paths: Sequence[str]) -> str:
    """Read a word of schema.org without its address: InStock of https://schema.org/InStock."""
    return _text(of, base, paths).rstrip("/").rpartition("/")[2]


def _currency(of: Subject, base: str, paths: Sequence[str]) -> str:
    code = _text(of, base, paths).upper()
    return code if len(code) == 3 and code.isascii() and code.isalpha() else ""


def _steps(of: Subject, base: str, paths: Sequence[str]) -> list[str]:
    """Return the steps of a recipe: lines of texts, else names of steps, in sections or not."""
    texts = [str(value) for path, value in of.statements if path in paths][:MAX_VALUES]
    lines = (plain_text(line) for text in texts for line in text.splitlines()[:MAX_VALUES])
    return list(islice(filter(None, lines), MAX_VALUES)) or _texts(of, base, [f"{path}.name" for path in paths])


def _place(of: Subject, base: str, paths: Sequence[str]) -> str:
    """Return the first of the places as one line: its name, and its address."""
    parts: dict[str, str] = {}
    for path, value in of.statements:
        if path in parts:
            break
        if path in paths:
            parts[path] = plain_text(value)
    return ", ".join(dict.fromkeys(filter(None, (parts.get(path) for path in paths))))


def _identifiers(of: Subject, base: str, paths: Sequence[str]) -> dict[str, str]:
    return {name: text for name in paths if (text := _text(of, base, (name, f"{name}.value")))}


def _within(outer: Sequence[str], *names: str) -> tuple[str, ...]:
    return tuple(f"{path}.{name}" for path in outer for name in names)


_PLACES = ("jobLocation", "location")
_ADDRESS = ("streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry", "addressCountry.name")
_PAID = ("offers", "offers.priceSpecification", "offers.offers", "priceSpecification")
_OFFERS = (*_PAID, *(path + ANOTHER for path in _PAID))
_BY_VARIANT = _within(("hasVariant", "model"), *_PAID)
_OF_VARIANTS = _within(_BY_VARIANT, "price", "lowPrice", "highPrice")
_PAY = ("baseSalary", "baseSalary.value")
_CURRENCIES_OF_PAY = (*_within(_PAY, "currency"), "salaryCurrency")
_IDENTIFIERS = ("sku", "mpn", "productID", "isbn", "gtin", *(f"gtin{digits}" for digits in (8, 12, 13, 14)))
_STEPS = tuple(f"recipeInstructions{'.itemListElement' * levels}" for levels in range(3))

FIELDS: dict[str, Field] = {
    "name": Field(_text, named("name", "headline", "title")),
    "url": Field(_url, ("url", "url.url")),
    "image": Field(_url, ("image", "image.url", "image.contentUrl")),
    "authors": Field(_authors, named("author", "creator")),
    "published": Field(_date, ("datePublished", "datePosted")),
    "modified": Field(_date, ("dateModified",)),
    "price": Field(_number, _within(_OFFERS, "price", "lowPrice", "minPrice")),
    "highest_price": Field(_number, _within(_OFFERS, "highPrice", "maxPrice")),
    "currency": Field(_currency, (*_within((*_OFFERS, *_BY_VARIANT, *_PAY), "priceCurrency"), *_CURRENCIES_OF_PAY)),
    "availability": Field(_word, _within(_OFFERS, "availability")),
    "brand": Field(_text, named("brand", "manufacturer")),
    "identifiers": Field(_identifiers, _IDENTIFIERS),
    "rating": Field(_number, ("aggregateRating.ratingValue",)),
    "ratings": Field(_count, ("aggregateRating.ratingCount", "aggregateRating.reviewCount")),
    "ingredients": Field(_ingredients, named("recipeIngredient", "ingredients")),
    "steps": Field(_steps, (*_STEPS, *_within(_STEPS, "text"))),
    "servings": Field(_text, named("recipeYield")),
    "preparation": Field(_text, ("prepTime",)),
    "cooking": Field(_text, ("cookTime",)),
    "total_time": Field(_text, ("totalTime",)),
    "starts": Field(_date, ("startDate",)),
    "ends": Field(_date, ("endDate",)),
    "place": Field(_place, (*named(*_PLACES), *_within(_PLACES, "address", *_within(["address"], *_ADDRESS)))),
    "status": Field(_word, ("eventStatus",)),
    "organizer": Field(_text, named("organizer")),
    "employer": Field(_text, named("hiringOrganization")),
    "expires": Field(_date, ("validThrough",)),
    "employment": Field(_texts, ("employmentType",)),
    "pay": Field(_number, ("baseSalary", *_within(_PAY, "minValue", "value", "price"))),
    "highest_pay": Field(_number, _within(_PAY, "maxValue")),
    "pay_unit": Field(_text, _within(_PAY, "unitText")),
}
_COMMON, _SOLD = ("name", "url", "image"), ("price", "highest_price", "currency", "availability")
_WRITTEN, _RATED = ("authors", "published"), ("rating", "ratings")
_OF_RECIPE = ("ingredients", "steps", "servings", "preparation", "cooking", "total_time")
_OF_JOB = ("employer", "place", "published", "expires", "employment", "pay", "highest_pay", "currency", "pay_unit")

TYPES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "job": (("JobPosting",), ("name", "url", *_OF_JOB)),
    "product": (
        ("Product", "ProductGroup", "ProductModel", "Vehicle", "Car", "Book"),
        (*_COMMON, *_SOLD, "brand", "identifiers", *_RATED),
    ),
    "recipe": (("Recipe",), (*_COMMON, *_WRITTEN, *_OF_RECIPE, *_RATED)),
    "event": (("Event", "Festival"), (*_COMMON, "starts", "ends", "place", "status", "organizer", *_SOLD)),
    "article": (("Article", "Posting", "Report"), (*_COMMON, *_WRITTEN, "modified")),
}
"""Type -> endings of its names at schema.org, and names of its fields. The first type that fits counts."""

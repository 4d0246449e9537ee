"""Values that pages state for programs, beside what people have labelled: right, wrong, missing.

Run ``python -m benchmarks.structured VALUES --gold CORPUS [CORPUS ...]``. Sites are learnt from their first ten pages.
Libraries that are not installed are left out.

- Values: pages of part ``report`` whose values are known. The labels have no names: of a product, a number of at most
  five digits before the point that comes first is its price, a label without digits its brand, and others identify
  it; of a recipe the first is its title, and the others are ingredients and steps. A reader is right if a label of the
  field is among what it reads, of ingredients if half of what it reads are labels.
- Dates: pages of part ``report`` of the corpora that declare their day. What they declare is hidden.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lxml import etree

from benchmarks.corpus import CorpusPage, choose_sites, digest_of
from benchmarks.costs import is_fit
from benchmarks.parts import REPORT, sites_of
from benchmarks.tables import RESULTS, environment, table, write_json
from benchmarks.values import sites_of as sites_with_values
from scrapy_blockfilter import SiteModel, learn
from scrapy_blockfilter.html import parse

LEARNT = 10
# The last pages of a site are measured, so that no site is most of a figure.
MEASURED = 8
# Sources by which a page declares its day for programs.
_DECLARING = ("json_ld", "microdata", "opengraph", "meta")
OURS, EXTRUCT, TRAFILATURA = "ours", "extruct, price-parser", "trafilatura"
FIELDS = ("price", "brand", "identifier", "title", "ingredients", "published")
OUTCOMES = ("right", "wrong", "missing")
_PRICE = re.compile(r"\d{1,5}(?:[.,]\d{1,2})?")
_IDENTIFIERS = ("sku", "mpn", "productID", "isbn", "gtin", "gtin8", "gtin12", "gtin13", "gtin14")

Values = dict[str, list[str]]
Reader = Callable[[SiteModel, CorpusPage], Values]
Counts = Counter[tuple[str, str, str]]


def labels_of(page: CorpusPage, set_name: str) -> Values:
    """Return the labels of a page by field.

    >>> labels_of(CorpusPage("", "", "", values=("48.99", "B004SNMXRS", "Tefal")), "product")
    {'price': ['48.99'], 'brand': ['Tefal'], 'identifier': ['B004SNMXRS']}
    """
    values = list(page.values)
    if set_name == "recipe":
        return {"title": values[:1], "ingredients": values[1:]}
    price = [values.pop(0)] if values and _PRICE.fullmatch(values[0]) else []
    brand = [value for value in values if not any(map(str.isdigit, value))]
    return {"price": price, "brand": brand, "identifier": [value for value in values if value not in brand]}


def ours(model: SiteModel, page: CorpusPage) -> Values:
    """Read a page by the form ``metadata``."""
    metadata = model.clean(page.html, page.url).metadata
    products = [thing for thing in metadata["things"] if thing["type"] == "product"][:1]
    recipes = [thing for thing in metadata["things"] if thing["type"] == "recipe"][:1]
    return {
        "price": [str(thing["price"]) for thing in products if thing["price"] is not None],
        "brand": [thing["brand"] for thing in products if thing["brand"]],
        "identifier": [value for thing in products for value in (thing["identifiers"] or {}).values()],
        "title": [title for title in (*(thing["name"] for thing in recipes), metadata["title"]) if title][:1],
        "ingredients": [value for thing in recipes for value in thing["ingredients"] or ()],
        "published": [metadata["published"]] if metadata["published"] else [],
    }


def by_extruct(model: SiteModel, page: CorpusPage) -> Values:
    """Read a page by extruct, and its prices by price-parser."""
    import extruct
    from price_parser import Price

    found = extruct.extract(page.html, syntaxes=["json-ld", "microdata"], uniform=True, errors="ignore")
    items = list(_items([found.get("json-ld", []), found.get("microdata", [])]))
    products = [item for item in items if _is_a(item, "Product")][:1]
    recipes = [item for item in items if _is_a(item, "Recipe")][:1]
    offers = [offer for item in products for offer in _items(item.get("offers"))]
    written = [str(offer[name]) for offer in offers for name in ("price", "lowPrice") if offer.get(name)]
    amounts = [amount for text in written if (amount := Price.fromstring(text).amount_float) is not None]
    return {
        "price": [str(amount) for amount in amounts[:1]],
        "brand": [name for item in products for name in _names(item.get("brand"))],
        "identifier": [str(item[name]) for item in products for name in _IDENTIFIERS if item.get(name)],
        "title": [name for item in recipes for name in _names(item.get("name"))],
        "ingredients": [name for item in recipes for name in _names(item.get("recipeIngredient"))],
    }


def by_trafilatura(model: SiteModel, page: CorpusPage) -> Values:
    """Read a page by trafilatura, which reads no prices."""
    from trafilatura import extract_metadata

    found = extract_metadata(page.html, default_url=page.url or None)
    title, day = (found.title, found.date) if found else (None, None)
    return {"title": [title] if title else [], "published": [day] if day else []}


READERS: dict[str, tuple[tuple[str, ...], Reader]] = {
    OURS: ((), ours),
    EXTRUCT: (("extruct", "price_parser"), by_extruct),
    TRAFILATURA: (("trafilatura",), by_trafilatura),
}


def outcome(field: str, labels: Sequence[str], read: Sequence[str]) -> str:
    """Tell whether what is read of a field is right.

    >>> outcome("price", ["1,149"], ["1149.0"]), outcome("brand", ["Tefal"], []), outcome("brand", ["Tefal"], ["Seb"])
    ('wrong', 'missing', 'wrong')
    >>> outcome("price", ["1149"], ["1149.0"])
    'right'
    """
    if not read:
        return "missing"
    if field == "price":
        return "right" if float(labels[0].replace(",", ".")) == float(read[0]) else "wrong"
    if field == "published":
        return "right" if read[0][:10] == labels[0] else "wrong"
    known = {_bare(label) for label in labels}
    right = sum(_bare(value) in known for value in read)
    return "right" if (2 * right >= len(read) if field == "ingredients" else right) else "wrong"


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _items(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        for inner in value:
            yield from _items(inner)
    elif isinstance(value, dict):
        yield value
        for name in ("@graph", "mainEntity", "offers"):
            yield from _items(value.get(name))


def _is_a(item: Mapping[str, Any], name: str) -> bool:
    types = item.get("@type") or []
    return name in ([types] if isinstance(types, str) else types)


def _names(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    names = [one.get("name") if isinstance(one, dict) else one for one in values]
    return [name for name in names if isinstance(name, str) and name]


def declared_day(sources: list[dict[str, str]]) -> str:
    """Return the day of publication that a page declares for programs, "" if it declares none."""
    return next((of["value"][:10] for of in sources if of["source"] in _DECLARING), "")


def hidden(html: str) -> str:
    """Return a page without what it declares for programs."""
    root = parse(html)
    for element in list(root.iter("meta", "script", "time")):
        if element.tag == "time":
            element.attrib.pop("datetime", None)
        elif (parent := element.getparent()) is not None and not element.tail:
            parent.remove(element)
        else:
            element.attrib.clear()
            element.text = None
    for element in root.iter(etree.Element):
        for name in ("itemprop", "itemscope"):
            element.attrib.pop(name, None)
    return etree.tostring(root, encoding="unicode", method="html")


def measure_site(set_name: str, pages: Sequence[CorpusPage], readers: Mapping[str, Reader], counts: Counts) -> None:
    """Count what each reader reads of a site's pages, and with gold, of their days."""
    fit = [page for page in pages if is_fit(page)]
    model = learn([page.html for page in fit[:LEARNT]]) if fit else None
    for page in fit[-MEASURED:] if model else ():
        assert model is not None
        labels = labels_of(page, set_name)
        if not page.values:
            declared = declared_day(model.clean(page.html, page.url).metadata_sources["published"])
            labels = {"published": [declared] if declared else []}
            page = page._replace(html=hidden(page.html)) if declared else page
        if not any(labels.values()):
            continue
        for name, reader in readers.items():
            read = reader(model, page)
            for field, known in labels.items():
                if known and field in READS[name]:
                    counts[name, field, outcome(field, known, read.get(field, []))] += 1


READS = {OURS: FIELDS, EXTRUCT: FIELDS[:-1], TRAFILATURA: ("title", "published")}
"""The fields that each reader reads at all."""


def values_table(figures: Mapping[str, Any]) -> str:
    """What each reader reads of each field: right, wrong, missing."""
    rows = []
    for field in FIELDS:
        of_field = {name: of[field] for name, of in figures["readers"].items() if field in of}
        pages = max((sum(of.values()) for of in of_field.values()), default=0)
        cells = [" / ".join(str(of_field[name][of]) for of in OUTCOMES) if name in of_field else "" for name in READERS]
        rows += [[f"`{field}`", str(pages), *cells]] if pages else []
    return table(["", "pages", *READERS], rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.structured", description=__doc__)
    parser.add_argument("values", type=Path)
    parser.add_argument("--gold", type=Path, nargs="+", required=True)
    arguments = parser.parse_args()
    readers = {name: read for name, (needs, read) in READERS.items() if all(map(find_spec, needs))}
    counts: Counts = Counter()
    with_values = sites_with_values(arguments.values, arguments.gold, REPORT)
    labelled = [site for site in with_values if site.set_name in ("product", "recipe")]
    for site in (*labelled, *choose_sites(sites_of(REPORT, arguments.gold))):
        measure_site(site.set_name, site.pages(), readers, counts)
    found = {
        name: {
            field: {of: counts[name, field, of] for of in OUTCOMES}
            for field in READS[name]
            if any(counts[name, field, of] for of in OUTCOMES)
        }
        for name in readers
    }
    digest = digest_of(arguments.values, *arguments.gold)
    figures = {"environment": environment(), "corpus": digest, "part": REPORT, "readers": found}
    write_json(RESULTS / "structured.json", figures)
    print(values_table(figures))


if __name__ == "__main__":
    main()

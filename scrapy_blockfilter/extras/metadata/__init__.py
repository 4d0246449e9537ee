"""The forms ``metadata`` and ``metadata_sources``: title, authors, dates, language, address, image, structured data.

``statements`` reads what a page states for programs, by way of ``microdata`` and ``subjects``, and ``things`` makes
plain values of it. ``shown``, ``bylines``, ``dates`` and ``prices`` read what it shows. ``sources`` says what counts.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Any

from scrapy_blockfilter.extras.metadata.prices import THREE_DECIMALS, shown_prices
from scrapy_blockfilter.extras.metadata.shown import shown
from scrapy_blockfilter.extras.metadata.sources import SOURCES, Facts, candidates
from scrapy_blockfilter.extras.metadata.statements import JSON_LD, MAX_ADDRESS, MICRODATA, OPENGRAPH, read_statements
from scrapy_blockfilter.extras.metadata.subjects import Subject
from scrapy_blockfilter.extras.metadata.things import things_of
from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.options.output_forms import OutputForm
from scrapy_blockfilter.plugins import install_line
from scrapy_blockfilter.text.dates_and_prices import LONGEST, PRICED, meaning_of_figures

__all__ = ["BAD_JSON_LD", "CUT_METADATA", "FIELDS", "METADATA", "METADATA_SOURCES", "PRICE_DIFFERS"]

FIELDS = tuple(SOURCES)
# Reasons for metadata that are less than the page has.
BAD_JSON_LD = "bad_json_ld"
CUT_METADATA = "cut_metadata"
# A reason to look twice at a price.
PRICE_DIFFERS = "price_differs"
# Structured data may have more decimals than the page: 33.900000000000006.
_ROUNDING = 0.006


def metadata(cleaned: Cleaned) -> dict[str, Any]:
    """Return what a page says of itself, for JSON.

    The metadata have ``title``, ``authors``, ``published``, ``modified``, ``language``, ``site_name``, ``url``,
    ``description`` and ``image``; ``things``, the products, recipes, events, jobs and articles of structured data as
    plain values; and these data as they are: ``json_ld``, ``microdata`` and ``opengraph``. Unknown fields are None or
    empty. Names of months in bylines, and languages that are not declared, want the extra ``metadata``.
    """
    facts = cleaned.once(_facts_of)
    return {
        **{name: _value(facts, name) for name in FIELDS},
        "things": _things(cleaned, facts),
        JSON_LD: facts.statements.json_ld,
        MICRODATA: facts.statements.microdata,
        OPENGRAPH: _by_property(facts.subjects[OPENGRAPH]),
    }


def metadata_sources(cleaned: Cleaned) -> dict[str, list[dict[str, str]]]:
    """Return for each field of the metadata the values found, with their sources; the first source counts."""
    facts = cleaned.once(_facts_of)
    return {name: [{"source": source, "value": value} for source, value in candidates(facts, name)] for name in FIELDS}


def _facts_of(cleaned: Cleaned) -> Facts:
    statements = read_statements(cleaned.root)
    if statements.unreadable:
        cleaned.simplify(BAD_JSON_LD)
    if statements.is_cut:
        cleaned.simplify(CUT_METADATA)
    return Facts(statements, shown(cleaned))


def _value(facts: Facts, name: str) -> str | list[str] | None:
    found = candidates(facts, name)
    source, first = next(found, ("", None))
    if name != "authors":
        return first
    return [] if first is None else [first, *(value for _, value in takewhile(lambda one: one[0] == source, found))]


def _things(cleaned: Cleaned, facts: Facts) -> list[dict[str, Any]]:
    """Return the things of structured data, and say of each product and event whether the page shows its price."""
    subjects = [*facts.statements.of(JSON_LD), *facts.statements.of(MICRODATA)]
    things = things_of(subjects, facts.shown.base)
    kept, others = facts.shown.kept_prices, facts.shown.other_prices
    currencies = {thing["currency"] for thing in things if thing.get("price") is not None}
    points = ("",) if currencies.isdisjoint(THREE_DECIMALS) else ("", ".", ",")
    prices = shown_prices([*kept, *others], points) if currencies else frozenset()
    for thing in things:
        if "price" in thing:
            thing["price_shown"] = _is_shown(thing, prices, has_own=bool(kept))
            if thing["price_shown"] is False:  # figures that touch in the HTML are apart in the text
                lines = [line for line in facts.shown.text().split("\n") if meaning_of_figures(line[:LONGEST]) & PRICED]
                thing["price_shown"] = _is_shown(thing, prices | shown_prices(lines, points), has_own=True)
            if thing["price_shown"] is False:
                cleaned.simplify(PRICE_DIFFERS)
    return things


def _is_shown(thing: dict[str, Any], prices: frozenset[float], *, has_own: bool) -> bool | None:
    """Return whether a line shows a thing's price; None if no line that stays shows any, or none can be read."""
    lowest = thing["price"]
    if lowest is None or not prices:
        return None
    highest = thing["highest_price"] or lowest
    is_shown = any(lowest - _ROUNDING < price < highest + _ROUNDING for price in prices)
    return is_shown or (False if has_own else None)


def _by_property(opengraph: Subject) -> dict[str, Any]:
    cut = {name: [str(value)[:MAX_ADDRESS] for value in values] for name, values in opengraph.values.items()}
    return {name: values if len(values) > 1 else values[0] for name, values in cut.items()}


METADATA = OutputForm(
    "what the page says of itself: title, authors, dates, language, site, address, image; products, recipes, events, "
    "jobs and articles; structured data; names of months, prices with their currency, and languages that the page does "
    f"not declare, need `{install_line('metadata')}`",
    metadata,
)
METADATA_SOURCES = OutputForm(
    f"for each field of the metadata, its values with their sources; some need `{install_line('metadata')}`",
    metadata_sources,
)

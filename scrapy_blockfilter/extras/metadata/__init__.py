"""The forms ``metadata`` and ``metadata_sources``: title, authors, dates, language, address, image, structured data.

``head``, ``json_ld`` and ``microdata`` read what a page has for programs, and ``things`` makes plain values of it.
``main_item`` chooses what it is about, ``shown``, ``bylines``, ``dates``, ``prices`` and ``languages`` read what it
shows, and ``sources`` says which of them counts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from lxml import etree

from scrapy_blockfilter.extras.metadata.head import Head, read_head
from scrapy_blockfilter.extras.metadata.json_ld import read_json_ld
from scrapy_blockfilter.extras.metadata.main_item import MainItem
from scrapy_blockfilter.extras.metadata.microdata import read_microdata
from scrapy_blockfilter.extras.metadata.prices import ShownPrices
from scrapy_blockfilter.extras.metadata.shown import Shown, shown
from scrapy_blockfilter.extras.metadata.sources import SOURCES, Facts, candidates
from scrapy_blockfilter.extras.metadata.things import things_of
from scrapy_blockfilter.extras.metadata.values import MAX_ADDRESS, Budget, address
from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.options.output_forms import OutputForm
from scrapy_blockfilter.plugins import install_line

__all__ = [
    "BAD_JSON_LD",
    "CUT_METADATA",
    "FIELDS",
    "METADATA",
    "METADATA_SOURCES",
    "PRICE_DIFFERS",
    "PageMetadata",
    "Shown",
]

FIELDS = tuple(SOURCES)
# Reasons for metadata that are less than the page has.
BAD_JSON_LD = "bad_json_ld"
CUT_METADATA = "cut_metadata"
# A reason to look twice at a price.
PRICE_DIFFERS = "price_differs"


class PageMetadata:
    """The metadata of a page, or of a fragment.

    Args:
        root: root of its tree; None for a page that could not be read, which has none.
        tell: called with the reason for what is left out.
    """

    def __init__(
        self, root: etree._Element | None, shown: Shown, tell: Callable[[str], object] = lambda reason: None
    ) -> None:
        head = Head() if root is None else read_head(root)
        budget = Budget()
        self._json_ld, unreadable = read_json_ld(head.scripts, budget)
        self._microdata = [] if root is None else read_microdata(root, budget)
        self._opengraph = head.opengraph
        if unreadable:
            tell(BAD_JSON_LD)
        canonical = next((url for link in head.links.get("canonical", ()) if (url := address(link, shown.base))), "")
        page = canonical or shown.base
        references = Budget()
        things = things_of([*self._json_ld, *self._microdata], shown.base, references)
        if budget.is_cut or references.is_cut:
            tell(CUT_METADATA)
        self._things = self._checked(things, shown, tell)
        self._facts = Facts(head, MainItem(self._json_ld, page), MainItem(self._microdata, page), shown)

    @cached_property
    def values(self) -> dict[str, Any]:
        """The fields, and what structured data say, for JSON. All names are there: None or empty if unknown."""
        values: dict[str, Any] = {name: self._value(name) for name in FIELDS}
        opengraph = {name: [value[:MAX_ADDRESS] for value in found] for name, found in self._opengraph.items()}
        properties = {name: found if len(found) > 1 else found[0] for name, found in opengraph.items()}
        return {
            **values,
            "things": self._things,
            "json_ld": self._json_ld,
            "microdata": self._microdata,
            "opengraph": properties,
        }

    @cached_property
    def sources(self) -> dict[str, list[dict[str, str]]]:
        """The values that each source has for a field, in the order in which they count."""
        return {
            name: [{"source": source, "value": value} for source, value in candidates(self._facts, name)]
            for name in FIELDS
        }

    @staticmethod
    def _checked(things: list[dict[str, Any]], shown: Shown, tell: Callable[[str], object]) -> list[dict[str, Any]]:
        """Say of each product and event with a price whether the page shows it."""
        prices = ShownPrices(shown.kept_prices, shown.other_prices)
        for thing in things:
            if "price" in thing:
                lowest, highest = thing["price"], thing["highest_price"]
                thing["price_shown"] = None if lowest is None else prices.has(lowest, highest or lowest)
                if thing["price_shown"] is False:
                    tell(PRICE_DIFFERS)
        return things

    def _value(self, name: str) -> str | list[str] | None:
        found = candidates(self._facts, name)
        if name != "authors":
            return next((value for _, value in found), None)
        authors: list[str] = []
        counting = ""
        for source, value in found:
            counting = counting or source
            if source != counting:
                break
            authors.append(value)
        return authors


def metadata(cleaned: Cleaned) -> dict[str, Any]:
    """Return what a page says of itself, for JSON.

    It has ``title``, ``authors``, ``published``, ``modified``, ``language``, ``site_name``, ``url``,
    ``description`` and ``image``; ``things``, the products, recipes, events, jobs and articles of structured data as
    plain values; and these data as they are: ``json_ld``, ``microdata`` and ``opengraph``.
    Unknown fields are None or empty. Names of months in bylines, and languages that are not declared, want the extra
    ``metadata``.
    """
    return cleaned.once(_metadata_of).values


def metadata_sources(cleaned: Cleaned) -> dict[str, list[dict[str, str]]]:
    """Return for each field of the metadata the values found, with their sources; the first source counts."""
    return cleaned.once(_metadata_of).sources


def _metadata_of(cleaned: Cleaned) -> PageMetadata:
    return PageMetadata(cleaned.root, shown(cleaned), cleaned.simplify)


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

"""Items of structured data as subjects: their types, and their values by path, with references read as what they mean.

JSON-LD and microdata nest the same facts in many ways. A path names the properties on the way to a value, without the
places in lists between them: ``offers.price``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scrapy_blockfilter.html.json_ld import HOLDING, MAX_DEPTH, Budget, Item, held_items, types_of

Value = str | int | float

# Characters of a property in a path; those of schema.org have 40 at most.
_MAX_NAME = 100
# What stands before a property of schema.org where it is not the only vocabulary.
_OF_SCHEMA = re.compile(r"\A(?:schema:|https?://schema\.org/)")
# Keys of objects in place of a value: one with its language or type, and lists.
_WRAPPERS = ("@value", "@list", "@set")
# In a path to a price that not each buyer of the thing pays, and types of such prices.
ANOTHER = ".another price"
_NOT_PAID = ("ListPrice", "SRP", "StrikethroughPrice", "RegularPrice", "MinimumAdvertisedPrice", "ChargeSpecification")


@dataclass(frozen=True)
class Subject:
    """The statements of one source on one thing, or on the page."""

    source: str  # its name, such as "json_ld"
    types: tuple[str, ...] = ()  # last parts of the names of its types, such as "Product"; none for those of the head
    statements: Sequence[tuple[str, Value]] = ()  # path or name, and value, in document order

    @cached_property
    def values(self) -> Mapping[str, Sequence[Value]]:
        """The values of each path."""
        values: dict[str, list[Value]] = {}
        for path, value in self.statements:
            values.setdefault(path, []).append(value)
        return values


def subjects_of(sources: Mapping[str, Sequence[Item]], references: Budget) -> list[Subject]:
    """Return the items of a page that others do not hold as values.

    Args:
        sources: name of a source -> its outermost items.
        references: limits of what they stand for; few bytes may refer to one large item a thousand times.

    >>> kettle = {"@type": "Product", "name": "Kettle", "offers": [{"price": 33.9}, {"price": "29"}]}
    >>> (subject,) = subjects_of({"json_ld": [kettle]}, Budget())
    >>> subject.types, subject.statements
    (('Product',), [('name', 'Kettle'), ('offers.price', 33.9), ('offers.price', '29')])
    """
    items = [(source, item) for source, outer in sources.items() for item in held_items(outer)]
    by_id = {name: item for _, item in items if isinstance(name := item.get("@id"), str) and not _is_reference(item)}
    return [Subject(source, types_of(item), _Statements(item, by_id, references).found) for source, item in items]


class _Statements:
    """The values of an item with their paths."""

    def __init__(self, item: Item, by_id: Mapping[str, Item], references: Budget) -> None:
        self.found: list[tuple[str, Value]] = []
        self._by_id = by_id
        self._references = references
        self._add_all({name: value for name, value in item.items() if name not in HOLDING}, "", 0, None)

    def _add(self, value: Any, path: str, depth: int, budget: Budget | None) -> None:
        """Add a value, and those in it. A budget counts them if a reference stands for them."""
        if isinstance(value, dict) and (wrapper := next(filter(value.__contains__, _WRAPPERS), "")):
            self._add(value[wrapper], path, depth, budget)
        elif isinstance(value, dict):
            meant = self._by_id.get(value["@id"]) if _is_reference(value) else None
            if meant is not None and not self._references.is_cut:
                value, budget = meant, self._references
            self._add_all(value, f"{path}{ANOTHER if _is_another_price(value) else ''}.", depth + 1, budget)
        elif isinstance(value, list):
            for inner in value:
                if budget is None or budget.take():
                    self._add(inner, path, depth, budget)
        elif isinstance(value, str):
            self.found.append((path, value if budget is None else budget.text(value)))
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            self.found.append((path, value))

    def _add_all(self, item: Item, before: str, depth: int, budget: Budget | None) -> None:
        for name, value in item.items() if depth <= MAX_DEPTH else ():
            is_property = name not in ("@type", "@context") and len(name) <= _MAX_NAME
            if is_property and (budget is None or budget.take()):
                self._add(value, before + _OF_SCHEMA.sub("", name), depth, budget)


def _is_another_price(item: Item) -> bool:
    """Return whether an item has a price before a discount, a fee, or a price of members or of an amount as 100 g."""
    amount = item.get("referenceQuantity")  # with a ``valueReference`` the price is of the whole amount
    is_of_part = (isinstance(amount, dict) and "valueReference" not in amount) or "validForMemberTier" in item
    kinds = (*types_of(item), *types_of({"@type": item.get("priceType")}))
    return is_of_part or any(kind.endswith(_NOT_PAID) for kind in kinds)


def _is_reference(item: Item) -> bool:
    return isinstance(item.get("@id"), str) and item.keys() <= {"@id", "@type"}

"""Held items by site, and the memory that they take."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from weakref import ref

from itemadapter import ItemAdapter, is_item
from scrapy.http import Request, Response

from scrapy_blockfilter.warmup.release_queue import HeldItem

# Overhead in bytes, besides values and bodies. An item: a dict of two short fields takes 550, and 350 of these are
# counted anyway. A response with its request: 4,600 with ten headers.
_ITEM_SIZE = 200
_RESPONSE_SIZE = 5_000
# Bytes of a page's tree for each byte of its body.
_TREE_FACTOR = 8


@dataclass(slots=True)
class _Site:
    """The held items of one site."""

    since: float
    items: list[HeldItem] = field(default_factory=list)
    size: int = 0
    # Pages with items that wait, and pages that the site lacks.
    pages: int = 0
    lacks: int = 0
    # Values that several items share, such as the page's text, count once.
    counted: set[int] = field(default_factory=set)
    # The response of the newest item, as the callback has it and as it is held. The first must go when the callback is
    # done: it holds the page's tree.
    source: ref[Response] | None = None
    response: Response | None = None

    @property
    def needs(self) -> float:
        return self.size / self.pages * self.lacks


class HeldItems:
    """The held items, by site."""

    def __init__(self) -> None:
        self._sites: dict[str, _Site] = {}
        self.size = 0

    def __bool__(self) -> bool:
        return bool(self._sites)

    @property
    def sites(self) -> list[str]:
        return list(self._sites)

    def add(self, site: str, item: Any, response: Response, now: float, row: int | None = None, lacks: int = 1) -> None:
        """Hold an item.

        Args:
            lacks: how many pages the site must still show until it is learnt.
            response: the callback's response. A copy is held that shares the body but not the tree.
            now: seconds, on the clock of :meth:`waiting_since`.
        """
        held = self._sites.get(site)
        if held is None:
            held = self._sites[site] = _Site(now)
        size = _ITEM_SIZE + _size_of(item, held.counted)
        if held.response is None or held.source is None or held.source() is not response:
            held.source, held.response = ref(response), response.replace()
            size += _RESPONSE_SIZE + _size_of([response.body, response.request], held.counted)
            held.pages += 1
        held.lacks = lacks
        held.items.append(HeldItem(item, held.response, size, row))
        held.size += size
        self.size += size

    def take(self, site: str) -> list[HeldItem]:
        """Remove the items of a site and return them, in the order they came."""
        held = self._sites.pop(site, None)
        if held is None:
            return []
        self.size -= held.size
        return held.items

    def neediest(self) -> str:
        """Return the site whose items would need the most memory until it is learnt, if its next pages are as large."""
        return max(self._sites, key=lambda site: self._sites[site].needs)

    def waiting_since(self, before: float) -> list[str]:
        """Return the sites that have held an item since ``before`` or longer."""
        return [site for site, held in self._sites.items() if held.since <= before]


def _size_of(value: Any, counted: set[int]) -> int:
    """Return the bytes of memory of a value with all it holds.

    Args:
        counted: ids of objects counted before, which are left out; new ones are added.
    """
    size = 0
    todo = [value]
    while todo:
        value = todo.pop()
        if id(value) in counted:
            continue
        counted.add(id(value))
        size += sys.getsizeof(value)
        if isinstance(value, str | bytes):
            continue
        if isinstance(value, Mapping):
            todo.extend(value.values())
        elif isinstance(value, list | tuple | set | frozenset):
            todo.extend(value)
        elif isinstance(value, Request):
            todo.extend((value.body, value.meta, value.cb_kwargs))
        elif isinstance(value, Response):
            todo.extend((value.body, value.request))
            if getattr(value, "_cached_selector", None) is not None:
                size += _TREE_FACTOR * len(value.body)
        elif is_item(value):
            todo.extend(ItemAdapter(value).values())
    return size

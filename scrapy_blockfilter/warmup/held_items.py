"""Held items by site, and the memory that they take: beyond a budget they are packed, and then on disk."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from itertools import islice
from typing import Any

from itemadapter import ItemAdapter, is_item
from scrapy.http import Request, Response

from scrapy_blockfilter.crawl.stats import WARMUP_PACKED, Stats
from scrapy_blockfilter.warmup.held_bytes import HeldBytes
from scrapy_blockfilter.warmup.held_page import HEADER_SIZE, HeldItem, HeldPage

# Overhead in bytes, beside values and bodies. An item: a dict of two short fields takes 550, and 350 of these are
# counted anyway. A response with its request and our notes, without headers of the response: 2,600.
_ITEM_SIZE = 200
_RESPONSE_SIZE = 2_800
# Bytes of a page's tree for each byte of its body.
_TREE_FACTOR = 8
# A smaller value counts in each item that has it: a note that it was counted would take as much.
_REMEMBERED = 500
# Bytes on disk for each byte of the budget: 1 GB by default, for 10 pages of each of 10,000 sites.
_DISK_FACTOR = 16
# Entries of the heap for each site, beyond which outdated ones are dropped.
_ENTRIES = 4
# Pages to look at for one whose items nobody uses. Scrapy handles 100 items of callbacks at a time.
_LOOKED_AT = 100


@dataclass(slots=True)
class _Site:
    """The held items of one site."""

    since: float
    pages: list[HeldPage] = field(default_factory=list)
    items: list[HeldItem] = field(default_factory=list)
    # Bytes of its items as they came, and pages that the site lacks.
    size: int = 0
    lacks: int = 0
    # Values that several items share, such as the page's text, count once.
    counted: set[int] = field(default_factory=set)

    @property
    def needs(self) -> float:
        return self.size / len(self.pages) * self.lacks


class HeldItems:
    """The held items, by site, and the ``bytes`` that they take until they are done: at most ``most`` of memory."""

    def __init__(self, most: int, stats: Stats) -> None:
        self._most = most
        self._stats = stats
        self._sites: dict[str, _Site] = {}
        # A heap of sites by the negative of what they need. Sites that need another amount by now have further entries.
        self._by_need: list[tuple[float, str]] = []
        # The oldest pages first; those not packed with the values that are counted of their site.
        self._as_they_are: dict[HeldPage, set[int]] = {}
        self._packed: dict[HeldPage, None] = {}
        self.bytes = HeldBytes(_DISK_FACTOR * most, stats)

    def __bool__(self) -> bool:
        return bool(self._sites)

    @property
    def sites(self) -> list[str]:
        return list(self._sites)

    def add(self, site: str, item: Any, response: Response, now: float, row: int | None = None, lacks: int = 1) -> None:
        """Hold an item of a callback's response, whose site must show ``lacks`` more pages until it is learnt."""
        held = self._sites.setdefault(site, _Site(now))
        size = _ITEM_SIZE + _size_of(item, held.counted)
        if not held.pages or not held.pages[-1].is_of(response):
            held.pages.append(HeldPage(response, self.bytes))
            self._as_they_are[held.pages[-1]] = held.counted
            size += _RESPONSE_SIZE + HEADER_SIZE * len(response.headers)
            size += _size_of([response.body, response.request], held.counted)
        held.lacks = lacks
        held.items.append(held.pages[-1].add(item, size, row))
        held.size += size
        heappush(self._by_need, (-held.needs, site))
        if len(self._by_need) > _ENTRIES * len(self._sites):
            self._by_need = [(-held.needs, site) for site, held in self._sites.items()]
            heapify(self._by_need)

    def take(self, site: str) -> list[HeldItem]:
        """Return the items of a site in the order they came. They take memory until they are done."""
        held = self._sites.pop(site, _Site(0))
        for page in held.pages:
            self._as_they_are.pop(page, None)
            self._packed.pop(page, None)
        return held.items

    def make_room(self) -> bool:
        """Return whether items take less memory than they may. For that, the oldest are packed and then go on disk."""
        while self.bytes.memory >= self._most and (self._pack_one() or self._write_one()):
            pass
        return self.bytes.memory < self._most

    def neediest(self) -> str:
        """Return the site whose items would need the most memory until it is learnt, if its next pages are as large."""
        while True:
            negative, site = self._by_need[0]
            if site in self._sites and self._sites[site].needs == -negative:
                return site
            heappop(self._by_need)

    def waiting_since(self, before: float) -> list[str]:
        """Return the sites that have held an item since ``before`` or longer."""
        return [site for site, held in self._sites.items() if held.since <= before]

    def _pack_one(self) -> bool:
        for page in list(islice(self._as_they_are, _LOOKED_AT)):
            counted = self._as_they_are.pop(page)
            if page.is_in_use:
                self._as_they_are[page] = counted  # the last to be looked at again
                continue
            if freed := page.pack():
                counted.difference_update(freed)
                self._packed[page] = None
                self._stats.inc_value(WARMUP_PACKED)
            return True
        return False

    def _write_one(self) -> bool:
        page = next(iter(self._packed), None)
        if page is None or not page.write():
            return False
        del self._packed[page]
        return True


def _size_of(value: Any, counted: set[int]) -> int:
    """Return the bytes of memory of a value and all it holds, but for objects in ``counted``. Add large ones there."""
    size = 0
    seen: set[int] = set()
    todo = [value]
    while todo:
        value = todo.pop()
        if id(value) in seen or id(value) in counted:
            continue
        seen.add(id(value))
        own = sys.getsizeof(value)
        if own >= _REMEMBERED or isinstance(value, Response):
            counted.add(id(value))
        if isinstance(value, str | bytes):
            pass
        elif isinstance(value, Mapping):
            todo.extend(value.values())
        elif isinstance(value, list | tuple | set | frozenset):
            todo.extend(value)
        elif isinstance(value, Request):
            todo.extend((value.body, value.meta, value.cb_kwargs))
        elif isinstance(value, Response):
            todo.extend((value.body, value.request))
            if getattr(value, "_cached_selector", None) is not None:
                own += _TREE_FACTOR * len(value.body)
        elif is_item(value):
            todo.extend(ItemAdapter(value).values())
        size += own
    return size

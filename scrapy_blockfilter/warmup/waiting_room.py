"""The room for items that wait, within a budget of memory: held items by site, and those on their way out."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any
from weakref import ref

from itemadapter import ItemAdapter, is_item
from scrapy.http import Request, Response
from scrapy.statscollectors import StatsCollector

from scrapy_blockfilter.crawl.log_once import LogOnce
from scrapy_blockfilter.crawl.stats import WARMUP_BYTES, WARMUP_HELD, WARMUP_RELEASED
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.warmup.release_queue import HeldItem, ReleaseQueue

logger = logging.getLogger(__name__)

# Overhead in bytes, besides values and bodies. An item: a dict of two short fields takes 550, and 350 of these are
# counted anyway. A response with its request: 4,600 with ten headers.
_ITEM_SIZE = 200
_RESPONSE_SIZE = 5_000
# Bytes of a page's tree for each byte of its body.
_TREE_FACTOR = 8


class _Site:
    """The held items of one site."""

    __slots__ = ("counted", "items", "response", "since", "size", "source")

    def __init__(self, since: float) -> None:
        self.items: list[HeldItem] = []
        self.since = since
        self.size = 0
        # Values that several items share, such as the page's text, count once.
        self.counted: set[int] = set()
        # The response of the newest item, as the callback has it and as it is held. The first must go when the callback
        # is done: it holds the page's tree.
        self.source: ref[Response] | None = None
        self.response: Response | None = None


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

    def add(self, site: str, item: Any, response: Response, now: float, row: int | None = None) -> None:
        """Hold an item.

        Args:
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

    def biggest(self) -> str:
        """Return the site that takes the most memory."""
        return max(self._sites, key=lambda site: self._sites[site].size)

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


class WaitingRoom:
    """Held items by site, and the queue of those released.

    Args:
        item_limit: the setting ``CLOSESPIDER_ITEMCOUNT``, which does not count held items.

    Attributes:
        released: the queue of items that are given back.
    """

    def __init__(self, options: Options, stats: StatsCollector, released: ReleaseQueue, item_limit: int) -> None:
        self.released = released
        self._options = options
        self._stats = stats
        self._held = HeldItems()
        self._item_limit = item_limit
        self._log = LogOnce(logger)

    @property
    def sites(self) -> list[str]:
        """The sites whose items wait."""
        return self._held.sites

    @property
    def size(self) -> int:
        """Bytes of the items that are held or on their way out."""
        return self._held.size + self.released.size

    async def site_with_room(self, waits_for: Callable[[], str | None]) -> str | None:
        """Return the site that an item waits for, once there is room for the item; None if it goes on at once.

        Without room, the callback waits until released items are through the pipelines. These do not wait for the
        callback, whose response Scrapy counts as active meanwhile.

        Args:
            waits_for: returns the site by what is known of it now.
        """
        has_waited = False
        try:
            while (site := waits_for()) and self.size >= self._options.warmup_max_bytes:
                if not self.released:
                    if not self._held:
                        break
                    self.release(self._held.biggest(), "budget")
                has_waited = True
                await self.released.next_done()
        finally:
            if has_waited:
                self.released.wake_next()
        return site

    def hold(self, site: str, item: Any, response: Response, row: int | None) -> None:
        """Hold an item. The site that takes the most memory is released if there is no more room.

        Args:
            row: its row in the spool, None if it is not spooled.
        """
        self._held.add(site, item, response, time.monotonic(), row)
        self._stats.inc_value(WARMUP_HELD)
        if self._item_limit:
            self._log.warning(
                "item count",
                "CLOSESPIDER_ITEMCOUNT=%d does not count items that are held until %d pages of their site are learnt, "
                'so more is crawled. BLOCKFILTER_WARMUP = "pass" holds none, and CLOSESPIDER_PAGECOUNT counts pages.',
                self._item_limit,
                self._options.pages,
            )
        self._stats.max_value(WARMUP_BYTES, self.size)
        if self.size > self._options.warmup_max_bytes and not self.released:
            self.release(self._held.biggest(), "budget")

    def release(self, site: str, reason: str) -> None:
        """Give the items of a site back, if there are any."""
        items = self._held.take(site)
        if items:
            self._stats.inc_value(f"{WARMUP_RELEASED}/{reason}", len(items))
            self.released.add(items)

    def release_all(self, reason: str) -> None:
        """Give all items back."""
        for site in self.sites:
            self.release(site, reason)

    def release_overdue(self) -> None:
        """Give back the items of sites that have waited for longer than the setting allows."""
        for site in self._held.waiting_since(time.monotonic() - self._options.warmup_timeout):
            self.release(site, "timeout")

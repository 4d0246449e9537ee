"""The room for items that wait, within a budget of memory: what is held, and what is on its way out."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from scrapy.http import Response
from scrapy.statscollectors import StatsCollector

from scrapy_blockfilter.crawl.log_once import LogOnce
from scrapy_blockfilter.crawl.stats import WARMUP_BYTES, WARMUP_HELD, WARMUP_RELEASED
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.warmup.held_items import HeldItems
from scrapy_blockfilter.warmup.release_queue import ReleaseQueue

logger = logging.getLogger(__name__)


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

"""The room for items that wait, within a budget of memory: which items wait, and when they leave.

The package's docstring lists the five ways in which items leave.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from itertools import cycle, islice
from typing import Any

from itemadapter import is_item
from scrapy.http import Response
from scrapy.utils.asyncio import call_later, create_looping_call

from scrapy_blockfilter.crawl.item_fields import copy_of
from scrapy_blockfilter.crawl.item_origins import source_of
from scrapy_blockfilter.crawl.log_once import LogOnce
from scrapy_blockfilter.crawl.session import Session
from scrapy_blockfilter.crawl.site import Site
from scrapy_blockfilter.crawl.stats import ERRORS, WARMUP_BYTES, WARMUP_HELD, WARMUP_RELEASED
from scrapy_blockfilter.methods import get_method
from scrapy_blockfilter.warmup.engine import before_close, between, is_idle, process, wake
from scrapy_blockfilter.warmup.held_items import HeldItem, HeldItems
from scrapy_blockfilter.warmup.release_queue import ReleaseQueue

logger = logging.getLogger(__name__)

# Seconds between checks for items that waited too long. A short timeout is checked more often.
_LOOK_EVERY = 5.0
# Sites that are looked up in the store at a time, for pages of other processes: 50 take some 50 ms.
_LOOK_AT = 50

_PASSED_BY = (
    "Held items do not come to %s, as BlockFilterSpiderMiddleware is not next to the engine. Give it a lower order in "
    "SPIDER_MIDDLEWARES, or leave it to the add-on."
)
_NOT_COUNTED = (
    "%s=%d does not count items that are held until %d pages of their site are learnt, so %s. "
    'BLOCKFILTER_WARMUP = "once" holds none, and CLOSESPIDER_PAGECOUNT counts pages.'
)
_LIMITS = {
    "CLOSESPIDER_ITEMCOUNT": "more is crawled",
    "CLOSESPIDER_PAGECOUNT_NO_ITEM": "the crawl may end early",
    "CLOSESPIDER_TIMEOUT_NO_ITEM": "the crawl may end early",
}
_HELD_IN_A_JOB = (
    "Items wait in memory until %d pages of their site are learnt, as the method %r strips nothing by one page. A kill "
    'loses items that wait, which JOBDIR does not keep: BLOCKFILTER_WARMUP = "once" holds none.'
)


def holds_items(session: Session) -> bool:
    """Return whether items of sites that are being learnt wait.

    A crawl with a JOBDIR is expected to survive a kill, so its items wait only if a setting asks for that, or if the
    method could not clean them by the pages so far.
    """
    options, in_job = session.options, bool(session.crawler.settings["JOBDIR"])
    if options.warmup is not None or not in_job:
        return options.warmup in (None, "hold")
    if get_method(options.method).strips_by_one_page(options):
        return False
    logger.info(_HELD_IN_A_JOB, options.pages, options.method)
    return True


class WaitingRoom:
    """Held items by site, and the queue of released items. Until the room is open, no item waits."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._options = session.options
        self._stats = session.stats
        self._settings = session.crawler.settings
        self._held = HeldItems(self._options.warmup_max_bytes)
        workers = self._settings.getint("CONCURRENT_ITEMS")
        self._queue = ReleaseQueue(self._give_back, workers, lambda: wake(session.crawler.engine))
        self._log = LogOnce(logger)
        self._is_open = False
        self._is_looking_idle = False
        self._looked = 0

    def open(self, middleware: object) -> None:
        """Hold the items that a spider middleware brings from now on, until the engine begins to close."""
        self._session.sites.on_ready = lambda site: self._release(site, "learnt")
        engine = self._session.crawler.engine
        if others := between(engine, middleware):
            logger.warning(_PASSED_BY, ", ".join(others))
        before_close(engine, self._flush)
        self._timer = create_looping_call(self._release_overdue)
        self._timer.start(min(_LOOK_EVERY, self._options.warmup_timeout / 4), now=False)
        self._is_open = True

    def close(self) -> None:
        if self._timer.running:
            self._timer.stop()

    def hold(self, item: Any, response: Response | None) -> bool:
        """Hold an item if its site is being learnt and there is room, and return whether it waits. Raise nothing."""
        try:
            site = self._waits_for(item, response)
            if site is None or self._held.is_full:  # released items make room once they are through the pipelines
                return False
            self._add(site, item, response)
            return True
        except Exception as error:  # such as one in the user's function for site keys, which the pipeline counts
            message = "Could not hold %.200r, so it goes on at once, as do others of the kind: %r"
            self._log.warning("error", message, item, error)
            return False

    def keeps_crawl_open(self) -> bool:
        """Return whether there are items to give back. Held items are released soon, if the crawl stays idle."""
        # Other handlers of the signal go first, because some spiders schedule requests when they are idle. Only after
        # their turn is it clear that nothing else is left to do.
        if self._held and not self._is_looking_idle:
            self._is_looking_idle = True
            call_later(0, self._release_if_idle)
        return bool(self._held or self._queue) or self._is_looking_idle

    def _waits_for(self, item: Any, response: Response | None) -> Site | None:
        """Return the site that an item waits for as things stand, None if it goes on at once."""
        if not self._is_open or not is_item(item):
            return None
        source = source_of(item, response, self._options)
        if source.meta.get("blockfilter") is False:
            return None
        site = self._session.site_of(source)
        if site is None or site.is_ready:
            return None
        # A site of data alone, such as an API, will show no page to learn from.
        return site if source.page is not None or site.pages else None

    def _add(self, site: Site, item: Any, response: Response | None) -> None:
        """Hold an item. The site that would still need the most memory is released if that leaves no room."""
        lacks = max(1, self._options.pages - site.pages)
        # A callback may change the item while it waits, and yield it again with the next page.
        self._held.add(site.key, copy_of(item), response, time.monotonic(), lacks)
        self._stats.inc_value(WARMUP_HELD)
        self._stats.max_value(WARMUP_BYTES, self._held.memory)
        for name, effect in _LIMITS.items():
            if limit := self._settings.getint(name):
                self._log.warning(name, _NOT_COUNTED, name, limit, self._options.pages, effect)
        if self._held.is_full and not self._queue:
            self._release(self._held.neediest(), "budget")

    def _release(self, site: str, reason: str) -> None:
        """Give the items of a site back, if there are any."""
        if items := self._held.take(site):
            self._stats.inc_value(f"{WARMUP_RELEASED}/{reason}", len(items))
            self._queue.add(items)

    def _release_all(self, reason: str) -> None:
        for site in self._held.sites:
            self._release(site, reason)

    def _release_if_idle(self) -> None:
        self._is_looking_idle = False
        if is_idle(self._session.crawler.engine):
            self._look(self._held.sites[:_LOOK_AT])
            self._release_all("idle")

    def _release_overdue(self) -> None:
        """Give back the items of sites that have waited for longer than the setting allows."""
        sites = self._held.sites
        self._look(islice(cycle(sites), self._looked, self._looked + min(_LOOK_AT, len(sites))))
        self._looked = (self._looked + _LOOK_AT) % max(1, len(sites))
        for site in self._held.waiting_since(time.monotonic() - self._options.warmup_timeout):
            self._release(site, "timeout")

    def _look(self, sites: Iterable[str]) -> None:
        """Take in what other processes have learnt. Items of sites that are ready then are released."""
        try:
            self._session.sites.look(sites)
        except Exception:
            self._stats.inc_value(ERRORS)
            self._log.exception("look", "Could not take in what other processes have learnt; items wait on")

    async def _flush(self) -> None:
        self._is_open = False
        self._release_all("close")
        await self._queue.drained()

    async def _give_back(self, held: HeldItem) -> None:
        try:
            response = held.response.unpacked() if held.response is not None else None
            await process(self._session.crawler.engine, held.item, response)
        finally:
            self._held.done(held)

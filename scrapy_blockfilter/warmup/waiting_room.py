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
from scrapy.http import HtmlResponse, Response
from scrapy.utils.asyncio import call_later, create_looping_call
from scrapy.utils.defer import deferred_from_coro

from scrapy_blockfilter.crawl.log_once import LogOnce
from scrapy_blockfilter.crawl.session import Session
from scrapy_blockfilter.crawl.stats import ERRORS, WARMUP_BYTES, WARMUP_DISK, WARMUP_HELD, WARMUP_RELEASED
from scrapy_blockfilter.warmup.engine import EngineLink, next_turn
from scrapy_blockfilter.warmup.held_items import HeldItems
from scrapy_blockfilter.warmup.held_page import HeldItem
from scrapy_blockfilter.warmup.release_queue import ReleaseQueue
from scrapy_blockfilter.warmup.spooler import PageSpooler, Spooler

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
    "CLOSESPIDER_ITEMCOUNT=%d does not count items that are held until %d pages of their site are learnt, so more is "
    'crawled. BLOCKFILTER_WARMUP = "pass" holds none, and CLOSESPIDER_PAGECOUNT counts pages.'
)


class WaitingRoom:
    """Held items by site, and the queue of those released. Until the room is open, no item waits.

    Attributes:
        spooler: keeps held items on disk, too; None if they are kept in memory alone.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self._options = session.options
        self._stats = session.stats
        self._settings = session.crawler.settings
        self._held = HeldItems(self._options.warmup_max_bytes, self._stats)
        self._queue = ReleaseQueue(
            self._give_back, self._settings.getint("CONCURRENT_ITEMS"), lambda: self._engine.wake()
        )
        self._log = LogOnce(logger)
        self._is_open = False
        self._is_looking_idle = self._is_restoring = False
        self._looked = 0
        self.spooler: Spooler | None = None
        self._engine: EngineLink

    def open(self, middleware: object) -> None:
        """Hold the items that a spider middleware brings from now on, until the engine begins to close."""
        session, crawler = self.session, self.session.crawler
        session.learner.on_ready = lambda site: self._release(site, "learnt")
        spools = self._options.warmup_spool
        if spools or (spools is None and self._settings["JOBDIR"]):
            self.spooler = Spooler.open(crawler, session.store)
        self._engine = EngineLink(crawler)
        if self.spooler is not None:
            session.on_request = self.spooler.keys.enter
            self._engine.after_pipelines(self.spooler.done)
        if others := self._engine.between(middleware):
            logger.warning(_PASSED_BY, ", ".join(others))
        self._engine.before_close(self._flush)
        self._timer = create_looping_call(self._release_overdue)
        self._timer.start(min(_LOOK_EVERY, self._options.warmup_timeout / 4), now=False)
        self._is_open = True

    def close(self) -> None:
        """Stop the timer, and close the files."""
        self._held.bytes.close()
        if self._timer.running:
            self._timer.stop()
        if self.spooler is not None:
            self.spooler.close(self.session.store)

    def enter(self, response: Response) -> None:
        """Note a response before its callback makes items of it, and others change its request."""
        self.session.origins.enter(response)
        if self.spooler is not None and response.request is not None:
            self.spooler.keys.enter(response.request)

    async def site_with_room(self, item: Any, response: Response) -> str | None:
        """Return the site that an item waits for, once there is room for the item; None if it goes on at once.

        Without room, the callback waits until released items are through the pipelines. These do not wait for the
        callback, whose response Scrapy counts as active meanwhile.
        """
        has_waited = False
        try:
            while (site := self._waits_for(item, response)) and not self._held.make_room():
                if not self._queue:
                    if not self._held:
                        break
                    self._release(self._held.neediest(), "budget")
                has_waited = True
                await self._queue.next_done()
        finally:
            if has_waited:
                self._queue.wake_next()
        return site

    def hold(self, site: str, item: Any, response: Response, row: int | None) -> None:
        """Hold an item. The site that would still need the most memory is released if there is no more room."""
        lacks = max(1, self._options.pages - self.session.learner.pages(site))
        self._held.add(site, item, response, time.monotonic(), row, lacks)
        self._stats.inc_value(WARMUP_HELD)
        if limit := self._settings.getint("CLOSESPIDER_ITEMCOUNT"):
            self._log.warning("item count", _NOT_COUNTED, limit, self._options.pages)
        self._stats.max_value(WARMUP_BYTES, self._held.bytes.memory)
        if not self._held.make_room() and not self._queue:
            self._release(self._held.neediest(), "budget")
        self._stats.max_value(WARMUP_DISK, self._held.bytes.disk)

    def note_failure(self, item: Any) -> None:
        """Count and log an error in holding an item, such as one in the user's function for site keys."""
        self._stats.inc_value(ERRORS)
        message = "Could not hold %.200r, so it goes on at once. Further failures are only counted"
        self._log.exception("error", message, item)

    def keeps_crawl_open(self) -> bool:
        """Return whether there are items to give back. Held items are released soon, if the crawl stays idle.

        Other handlers of the signal go first, because some spiders schedule requests when they are idle. Only after
        their turn is it clear that nothing else is left to do.
        """
        waits = bool(self._held) or self._has_left
        if waits and not self._is_looking_idle:
            self._is_looking_idle = True
            call_later(0, self._release_if_idle)
        return waits or bool(self._queue) or self._is_looking_idle or self._is_restoring

    def _waits_for(self, item: Any, response: Response) -> str | None:
        """Return the site that an item waits for as things stand, None if it goes on at once."""
        request = response.request
        meta = request.meta if request is not None else {}
        if not self._is_open or meta.get("blockfilter") is False or not is_item(item):
            return None
        site = self.session.site(response.url, meta)
        if not site or self.session.learner.model(site) is not None:
            return None
        # A site of data alone, such as an API, will show no page to learn from.
        return site if isinstance(response, HtmlResponse) or self.session.learner.pages(site) else None

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
        if self._engine.is_idle():
            self._look(self._held.sites[:_LOOK_AT])
            if self._has_left:
                deferred_from_coro(self._give_back_left())
            else:
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
            self.session.learner.look(sites)
        except Exception:
            self._stats.inc_value(ERRORS)
            self._log.exception("look", "Could not take in what other processes have learnt; items wait on")

    async def _flush(self) -> None:
        self._is_open = False
        self._release_all("close")
        await self._queue.drained()
        while self._has_left or self._is_restoring:
            await self._give_back_left()
            await self._queue.drained()
        if self.spooler is not None:
            self.spooler.leave()

    async def _give_back(self, held: HeldItem) -> None:
        try:
            held.page.unpack()
            self.session.origins.resend(held.page.response)
            if self.spooler is not None:
                self.spooler.send(held.item, held.row)
            await self._engine.process(held.item, held.page.response)
            if self.spooler is not None and held.row is not None:  # if the item processor did not tell
                self.spooler.done(held.item, held.row)
        finally:
            held.page.done()

    @property
    def _has_left(self) -> bool:
        return self.spooler is not None and self.spooler.has_left

    async def _give_back_left(self) -> None:
        """Give back items that an earlier crawl left, at most as much at a time as may be held.

        Their pages are learnt from first, one in each turn of the loop: the earlier crawl had no time to save them.
        """
        if self._is_restoring or self.spooler is None:
            await next_turn()
            return
        self._is_restoring = True
        left: list[HeldItem] = []
        try:
            for held in self.spooler.left_items(self._options.warmup_max_bytes, self._held.bytes):
                if not left or left[-1].page is not held.page:
                    self.session.learn(held.page.response.request, held.page.response)
                    await next_turn()
                left.append(held)
        finally:
            self._is_restoring = False
            self._queue.add(left)


class CallbackItems:
    """The items of one callback: each waits, or goes on at once."""

    def __init__(self, room: WaitingRoom, response: Response) -> None:
        self._room = room
        self._response = response
        self._page: PageSpooler | None = None

    async def hold(self, item: Any) -> bool:
        """Hold an item if its site is being learnt, and return whether it waits. Raise nothing."""
        try:
            if self._page is None and self._room.spooler is not None:
                self._page = self._room.spooler.page(self._response)
            if site := await self._room.site_with_room(item, self._response):
                self._room.hold(site, item, self._response, self._page.hold(item) if self._page else None)
                return True
            if self._page is not None:
                self._page.send(item)
        except Exception:
            self._room.note_failure(item)
        self._room.session.origins.send(item, self._response)
        return False

    def end(self) -> None:
        """Note that the callback has ended, perhaps before all items were made."""
        if self._page is not None:
            self._page.end()

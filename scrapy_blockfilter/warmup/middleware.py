"""Spider middleware: hold the items of a site that is being learnt, and release them for cleaning.

A held item is taken out of the callback's output before Scrapy counts it, so nothing waits for it. Its response is
finished, links are followed, and the crawl gets idle and closes as usual.

The package's docstring lists the five ways in which items are released.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable
from functools import partial
from itertools import cycle, islice
from typing import Any

from itemadapter import is_item
from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider
from scrapy.http import HtmlResponse, Response
from scrapy.utils.asyncio import call_later, create_looping_call

from scrapy_blockfilter.crawl.log_once import LogOnce
from scrapy_blockfilter.crawl.session import Session
from scrapy_blockfilter.crawl.stats import ERRORS
from scrapy_blockfilter.warmup.engine import EngineLink
from scrapy_blockfilter.warmup.release_queue import HeldItem, ReleaseQueue
from scrapy_blockfilter.warmup.spooler import PageSpooler, Spooler
from scrapy_blockfilter.warmup.waiting_room import WaitingRoom

logger = logging.getLogger(__name__)

# Seconds between checks for items that waited too long. A short timeout is checked more often.
_LOOK_EVERY = 5.0
# Sites that are looked up in the store at a time, for what other processes have learnt: 50 take some 50 ms.
_LOOK_AT = 50

_PASSED_BY = (
    "Held items do not come to %s, as BlockFilterSpiderMiddleware is not next to the engine. Give it a lower order in "
    "SPIDER_MIDDLEWARES, or leave it to the add-on."
)


class BlockFilterSpiderMiddleware:
    """Remember which response each item was made from, and hold items of sites that are being learnt.

    Raises:
        OptionError: a setting has a value that is not allowed.
        NotConfigured: ``BLOCKFILTER_ENABLED`` is False.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._session = session = Session.of(crawler)
        self._options = session.options
        self._crawler = crawler
        self._stats = session.stats
        workers = crawler.settings.getint("CONCURRENT_ITEMS")
        self._queue = ReleaseQueue(self._give_back, workers, lambda: self._engine.wake())
        item_limit = crawler.settings.getint("CLOSESPIDER_ITEMCOUNT")
        self._room = WaitingRoom(self._options, session.stats, self._queue, item_limit)
        self._log = LogOnce(logger)
        self._is_holding = False
        self._is_looking_idle = False
        self._looked = 0
        self._spooler: Spooler | None = None
        self._engine: EngineLink

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BlockFilterSpiderMiddleware:
        middleware = cls(crawler)
        if middleware._options.warmup == "hold":
            crawler.signals.connect(middleware.spider_opened, signals.spider_opened)
        return middleware

    def process_spider_input(self, response: Response) -> None:
        self._session.origins.enter(response)
        if self._spooler is not None and response.request is not None:
            self._spooler.enter(response.request)

    async def process_spider_output(self, response: Response, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        page: PageSpooler | None = None
        try:
            async for output in result:
                if output is None or isinstance(output, Request):
                    yield output
                    continue
                try:
                    if self._spooler is not None:
                        page = page or self._spooler.page(response)
                    site = await self._room.site_with_room(partial(self._waits_for, output, response))
                    if site:
                        self._room.hold(site, output, response, page.hold(output) if page else None)
                    elif page is not None:
                        page.send(output)
                except Exception:  # such as an error in the user's function for site keys
                    site = None
                    self._report(output)
                if not site:
                    self._session.origins.send(output, response)
                    yield output
        finally:
            if page is not None:
                page.end()

    def spider_opened(self) -> None:
        session = self._session
        if not session.is_learning:
            return
        session.learner.on_ready = self._site_ready
        spools = self._options.warmup_spool
        if spools or (spools is None and self._crawler.settings["JOBDIR"]):
            self._spooler = Spooler.open(self._crawler, session.store)
        self._engine = EngineLink(self._crawler)
        if self._spooler is not None:
            session.on_request = self._spooler.enter
            self._engine.after_pipelines(self._spooler.done)
        if others := self._engine.between(self):
            logger.warning(_PASSED_BY, ", ".join(others))
        self._engine.before_close(self._flush)
        self._timer = create_looping_call(self._release_overdue)
        self._timer.start(min(_LOOK_EVERY, self._options.warmup_timeout / 4), now=False)
        self._crawler.signals.connect(self.spider_idle, signals.spider_idle)
        self._crawler.signals.connect(self.spider_closed, signals.spider_closed)
        self._is_holding = True

    def spider_idle(self) -> None:
        """Keep the crawl open as long as there are items to give back.

        Other handlers of the signal go first, because some spiders schedule requests when they are idle. Only after
        their turn is it clear that nothing else is left to do.
        """
        waits = bool(self._room.sites) or self._has_left
        if not (waits or self._queue or self._is_looking_idle):
            return
        if waits and not self._is_looking_idle:
            self._is_looking_idle = True
            call_later(0, self._release_if_idle)
        raise DontCloseSpider

    def spider_closed(self) -> None:
        if self._timer.running:
            self._timer.stop()
        if self._spooler is not None:
            self._spooler.close(self._session.store)

    def _waits_for(self, item: Any, response: Response) -> str | None:
        """Return the site that an item waits for, None if it goes on at once."""
        request = response.request
        meta = request.meta if request is not None else {}
        if not self._is_holding or meta.get("blockfilter") is False or not is_item(item):
            return None
        site = self._session.site(response.url, meta)
        if not site or self._session.learner.model(site) is not None:
            return None
        # Where only data is fetched, as from an API, no page will come to learn from.
        return site if isinstance(response, HtmlResponse) or self._session.learner.pages(site) else None

    def _report(self, item: Any) -> None:
        self._stats.inc_value(ERRORS)
        message = "Could not hold %.200r, so it goes on at once. Further failures are only counted"
        self._log.exception("error", message, item)

    def _site_ready(self, site: str) -> None:
        self._room.release(site, "learnt")

    def _release_if_idle(self) -> None:
        self._is_looking_idle = False
        if self._engine.is_idle():
            self._look(self._room.sites[:_LOOK_AT])
            self._room.release_all("idle")
            self._give_back_left()

    def _look(self, sites: Iterable[str]) -> None:
        """Take in what other processes have learnt; items of sites that are ready by that are released."""
        try:
            self._session.learner.look(sites)
        except Exception:
            self._stats.inc_value(ERRORS)
            self._log.exception("look", "Could not take in what other processes have learnt; items wait on")

    def _release_overdue(self) -> None:
        sites = self._room.sites
        self._look(islice(cycle(sites), self._looked, self._looked + min(_LOOK_AT, len(sites))))
        self._looked = (self._looked + _LOOK_AT) % max(1, len(sites))
        self._room.release_overdue()

    async def _flush(self) -> None:
        self._is_holding = False
        self._room.release_all("close")
        await self._queue.drained()
        while self._has_left:
            self._give_back_left()
            await self._queue.drained()
        if self._spooler is not None:
            self._spooler.leave()

    async def _give_back(self, held: HeldItem) -> None:
        self._session.origins.resend(held.response)
        if self._spooler is not None:
            self._spooler.send(held.item, held.row)
        await self._engine.process(held.item, held.response)
        if self._spooler is not None and held.row is not None:  # if the item processor did not tell
            self._spooler.done(held.item, held.row)

    @property
    def _has_left(self) -> bool:
        return self._spooler is not None and self._spooler.has_left

    def _give_back_left(self) -> None:
        """Give back items that an earlier crawl left, at most as much at a time as may be held.

        Their pages are learnt from first: the earlier crawl had no time to save what it saw of their sites.
        """
        if self._spooler is not None:
            left = list(self._spooler.left_items(self._options.warmup_max_bytes))
            for response in {id(held.response): held.response for held in left}.values():
                self._session.learn(response.request, response)
            self._queue.add(left)

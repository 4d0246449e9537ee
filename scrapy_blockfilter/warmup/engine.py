"""What the filter asks of Scrapy's engine beyond its documented interface: all of it is here.

Items that were held go back through ``Scraper.start_itemproc_async``. They must be through the pipelines before the
engine begins to close: from then on it waits for no item that came without a response, and what a media pipeline
downloads fails. No signal comes before that, so the engine's ``close_spider_async``, which every way to the end goes
through, is replaced by one that first does what has to be done.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred


class EngineLink:
    """The engine of a crawler whose spider is open."""

    def __init__(self, crawler: Crawler) -> None:
        assert crawler.engine is not None
        self._engine: Any = crawler.engine

    async def process(self, item: Any, response: Response) -> None:
        """Send an item that a callback made of ``response`` through the pipelines, to its end."""
        await self._engine.scraper.start_itemproc_async(item, response=response)

    def before_close(self, act: Callable[[], Awaitable[None]]) -> None:
        """Have ``act`` done before the engine begins to close, while pipelines still work as ever.

        It runs each time somebody asks for the close, which may be more than once. No request is begun meanwhile.
        """
        engine = self._engine
        close = engine.close_spider_async

        async def close_spider_async(*, reason: str = "cancelled") -> None:
            engine.pause()
            await act()
            await close(reason=reason)

        engine.close_spider_async = close_spider_async

    def is_idle(self) -> bool:
        """Whether there is nothing to download, to parse or in the pipelines."""
        return self._engine.spider is not None and bool(self._engine.spider_is_idle())

    def wake(self) -> None:
        """Have the engine look now whether it is idle; by itself it does every five seconds."""
        slot = getattr(self._engine, "_slot", None)
        if slot is not None:
            slot.nextcall.schedule()


async def next_turn() -> None:
    """Let the event loop do what else there is to do."""
    turn: Deferred[None] = Deferred()
    call_later(0, turn.callback, None)
    await maybe_deferred_to_future(turn)

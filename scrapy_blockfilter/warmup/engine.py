"""Everything that the filter uses of Scrapy's engine beyond its documented interface.

Held items go back through ``Scraper.start_itemproc_async``. Held items must be through the pipelines before the engine
begins to close. From then on the engine waits for no item that came without a response, and downloads of media
pipelines fail. The same function gets every item of a crawl with its response, and is wrapped to note that.

No signal is sent before the engine closes. Its ``close_spider_async``, which every shutdown goes through, is therefore
replaced by a function that releases the items first.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from typing import Any

from scrapy.http import Response
from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred


async def process(engine: Any, item: Any, response: Response | None) -> None:
    """Send an item of a response, or of none, through the pipelines, and wait until it is done."""
    await engine.scraper.start_itemproc_async(item, response=response)


def around_each_item(engine: Any, note: Callable[[Any, Response | None], AbstractContextManager[None]]) -> None:
    """Enter what ``note`` gives for an item and its response, or None, while the item goes through the pipelines."""
    send = engine.scraper.start_itemproc_async

    async def start_itemproc_async(item: Any, *, response: Any) -> None:
        with note(item, response if isinstance(response, Response) else None):
            await send(item, response=response)

    engine.scraper.start_itemproc_async = start_itemproc_async


def before_close(engine: Any, act: Callable[[], Awaitable[None]]) -> None:
    """Run ``act`` before the engine begins to close, while pipelines still work as usual.

    It runs each time the close is asked for, which may be more than once. No request is started meanwhile.
    """
    close = engine.close_spider_async

    async def close_spider_async(*, reason: str = "cancelled") -> None:
        engine.pause()
        await act()
        await close(reason=reason)

    engine.close_spider_async = close_spider_async


def between(engine: Any, middleware: object) -> list[str]:
    """Return the classes of the spider middlewares that may change the output of ``middleware``."""
    found = list(engine.scraper.spidermw.middlewares)
    nearer = found[: found.index(middleware)] if middleware in found else []
    return [type(one).__name__ for one in nearer if hasattr(one, "process_spider_output")]


def is_idle(engine: Any) -> bool:
    """Return whether there is nothing to download, to parse or in the pipelines."""
    return engine.spider is not None and bool(engine.spider_is_idle())


def wake(engine: Any) -> None:
    """Make the engine check now whether it is idle. By itself it checks every five seconds."""
    slot = getattr(engine, "_slot", None)
    if slot is not None:
        slot.nextcall.schedule()


async def next_turn() -> None:
    """Give the event loop one turn for its other work."""
    turn: Deferred[None] = Deferred()
    call_later(0, turn.callback, None)
    await maybe_deferred_to_future(turn)

"""Give released items back: each once, in order of release, a few at a time."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterable

from scrapy.utils.defer import deferred_from_coro, maybe_deferred_to_future
from twisted.internet.defer import Deferred

from scrapy_blockfilter.warmup.engine import next_turn
from scrapy_blockfilter.warmup.held_items import HeldItem

logger = logging.getLogger(__name__)


class ReleaseQueue:
    """A queue of items, and the workers that take from it and wait until each is through the pipelines."""

    def __init__(
        self, process: Callable[[HeldItem], Awaitable[None]], workers: int, when_empty: Callable[[], None]
    ) -> None:
        self._process = process
        self._max_workers = workers
        self._when_empty = when_empty
        self._queue: deque[HeldItem] = deque()
        # The event loop's references do not keep tasks from being collected.
        self._workers: set[Deferred[None]] = set()
        self._until_empty: list[Deferred[None]] = []

    def __bool__(self) -> bool:
        """Whether items are waiting or in progress."""
        return bool(self._queue or self._workers)

    def add(self, items: Iterable[HeldItem]) -> None:
        """Add items. The first is processed after the caller has returned to the event loop."""
        self._queue.extend(items)
        for _ in range(min(self._max_workers - len(self._workers), len(self._queue))):
            self._workers.add(worker := deferred_from_coro(self._work()))
            worker.addBoth(self._end, worker)

    async def drained(self) -> None:
        """Wait until all items are done, including those added meanwhile."""
        while self:
            empty: Deferred[None] = Deferred()
            self._until_empty.append(empty)
            await maybe_deferred_to_future(empty)

    async def _work(self) -> None:
        await next_turn()
        while self._queue:
            held = self._queue.popleft()
            try:
                await self._process(held)
            except Exception:
                logger.exception("Scrapy could not process %.200r, which was held until its site was learnt", held.item)
            # Pipelines that never wait would otherwise block the crawl until the last item is through.
            await next_turn()

    def _end(self, result: object, worker: Deferred[None]) -> object:
        self._workers.discard(worker)
        self.add(())  # items that came after the worker had found the queue empty
        if not self:
            self._when_empty()
            waiting, self._until_empty = self._until_empty, []
            for empty in waiting:
                if not empty.called:
                    empty.callback(None)
        return result

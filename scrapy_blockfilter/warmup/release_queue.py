"""Give released items back: each once, in order of release, a few at a time."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterable

from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import deferred_from_coro, maybe_deferred_to_future
from twisted.internet.defer import Deferred

from scrapy_blockfilter.warmup.engine import next_turn
from scrapy_blockfilter.warmup.held_page import HeldItem

logger = logging.getLogger(__name__)


class ReleaseQueue:
    """A queue of items and the workers that take from it.

    Args:
        process: handles one item, until it is through the pipelines.
        workers: number of items that may be in progress at a time.
        when_empty: called when the last item is done.
    """

    def __init__(
        self, process: Callable[[HeldItem], Awaitable[None]], workers: int, when_empty: Callable[[], None]
    ) -> None:
        self._process = process
        self._max_workers = workers
        self._when_empty = when_empty
        self._queue: deque[HeldItem] = deque()
        # The event loop's references do not keep tasks from being collected.
        self._workers: set[Deferred[None]] = set()
        self._waiting: deque[Deferred[None]] = deque()
        self._until_empty: deque[Deferred[None]] = deque()

    def __bool__(self) -> bool:
        """Whether items are waiting or in progress."""
        return bool(self._queue or self._workers)

    def add(self, items: Iterable[HeldItem]) -> None:
        """Add items. None is processed before the caller returns to the event loop."""
        self._queue.extend(items)
        for _ in range(min(self._max_workers - len(self._workers), len(self._queue))):
            self._workers.add(worker := deferred_from_coro(self._work()))
            worker.addBoth(self._end, worker)

    async def next_done(self) -> None:
        """Wait until one more item is done; return at once if there is none.

        An item that is done wakes the caller who has waited longest. Call :meth:`wake_next` for the other callers.
        """
        if self:
            await _call(self._waiting)

    def wake_next(self) -> None:
        """Wake the caller who has waited longest in the loop's next turn. By then the last one has held its item."""
        if self._waiting:
            call_later(0, self._wake)

    async def drained(self) -> None:
        """Wait until all items are done, including those added meanwhile."""
        while self:
            await _call(self._until_empty)

    async def _work(self) -> None:
        await next_turn()
        while self._queue:
            held = self._queue.popleft()
            try:
                await self._process(held)
            except Exception:
                logger.exception("Scrapy could not process %.200r, which was held until its site was learnt", held.item)
            self.wake_next()
            # Pipelines that never wait would otherwise block the crawl until the last item is through.
            await next_turn()

    def _wake(self) -> None:
        while self._waiting and not _answer(self._waiting.popleft()):
            pass

    def _end(self, result: object, worker: Deferred[None]) -> object:
        self._workers.discard(worker)
        self.add(())  # items that came after the worker had found the queue empty
        if not self:
            self._when_empty()
            self.wake_next()
            waiting, self._until_empty = self._until_empty, deque()
            for each in waiting:
                _answer(each)
        return result


async def _call(queue: deque[Deferred[None]]) -> None:
    """Wait in a queue until somebody answers."""
    call: Deferred[None] = Deferred()
    queue.append(call)
    await maybe_deferred_to_future(call)


def _answer(call: Deferred[None]) -> bool:
    """Answer a call, and return whether somebody still waits for it."""
    if call.called:
        return False
    call.callback(None)
    return True

"""Releasing held items: each once, some at a time, whatever becomes of them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import pytest
from scrapy.http import Response
from scrapy.utils.asyncio import is_asyncio_available
from scrapy.utils.reactor import install_reactor

from scrapy_blockfilter.warmup.held_items import HeldItem, HeldResponse
from scrapy_blockfilter.warmup.release_queue import ReleaseQueue

RESPONSE = HeldResponse(Response("http://a.example/"))


@pytest.fixture(autouse=True, scope="module")
def reactor() -> None:
    """Scrapy 2.14.0 looks at the reactor to tell whether there is an event loop; later ones look for the loop."""
    try:
        is_asyncio_available()
    except RuntimeError:
        install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")


def items(*numbers: int) -> list[HeldItem]:
    return [HeldItem({"n": number}, RESPONSE, 0) for number in numbers]


class Pipelines:
    """Takes a turn of the loop for each item, and notes how many were under way at a time."""

    def __init__(self) -> None:
        self.done: list[int] = []
        self.under_way = 0
        self.most = 0
        self.times_empty = 0

    async def process(self, held: HeldItem) -> None:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await asyncio.sleep(0.001)
        self.under_way -= 1
        self.done.append(held.item["n"])
        if held.item["n"] == 13:
            raise RuntimeError("the log formatter, say")

    def emptied(self) -> None:
        self.times_empty += 1


def run(act: Callable[[ReleaseQueue, Pipelines], Awaitable[None]], workers: int = 3) -> Pipelines:
    pipelines = Pipelines()

    async def main() -> None:
        await act(ReleaseQueue(pipelines.process, workers, pipelines.emptied), pipelines)

    asyncio.run(main())
    return pipelines


def test_each_item_is_processed_once_by_as_many_workers_as_there_may_be() -> None:
    async def act(drain: ReleaseQueue, pipelines: Pipelines) -> None:
        assert not drain
        drain.add(items(*range(10)))
        assert drain
        assert pipelines.under_way == 0
        await asyncio.gather(drain.drained(), drain.drained())
        assert not drain
        await drain.drained()  # nothing to wait for

    pipelines = run(act)
    assert sorted(pipelines.done) == list(range(10))
    assert pipelines.most == 3
    assert pipelines.times_empty == 1


def test_order_is_kept_where_one_is_processed_at_a_time() -> None:
    async def act(drain: ReleaseQueue, pipelines: Pipelines) -> None:
        drain.add(items(1, 2, 3))
        drain.add(items(4))
        while not pipelines.done:
            await asyncio.sleep(0)
        drain.add(items(5))
        await drain.drained()

    assert run(act, workers=1).done == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("turns", range(8))
def test_items_that_come_while_the_last_worker_ends_are_processed(turns: int) -> None:
    async def act(drain: ReleaseQueue, pipelines: Pipelines) -> None:
        drain.add(items(1))
        while not pipelines.done:
            await asyncio.sleep(0)
        for _ in range(turns):
            await asyncio.sleep(0)
        drain.add(items(2))
        await asyncio.wait_for(drain.drained(), 120)

    assert run(act, workers=1).done == [1, 2]


def test_item_that_scrapy_fails_at_holds_up_no_other(caplog: pytest.LogCaptureFixture) -> None:
    async def act(drain: ReleaseQueue, pipelines: Pipelines) -> None:
        drain.add(items(12, 13, 14))
        await drain.drained()

    with caplog.at_level(logging.ERROR):
        assert run(act, workers=1).done == [12, 13, 14]
    assert "Scrapy could not process {'n': 13}" in caplog.text


def test_whoever_stops_waiting_disturbs_nobody() -> None:
    async def act(drain: ReleaseQueue, pipelines: Pipelines) -> None:
        drain.add(items(1, 2, 3))
        waiting = asyncio.create_task(drain.drained())
        await asyncio.sleep(0)
        waiting.cancel()
        await drain.drained()
        assert waiting.cancelled()

    assert sorted(run(act).done) == [1, 2, 3]

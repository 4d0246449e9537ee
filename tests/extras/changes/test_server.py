"""The memory of pages on a Redis server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scrapy_blockfilter.extras.changes.memory import Remembered, Shown
from scrapy_blockfilter.extras.changes.server import PREFIX, MemoryServer
from scrapy_blockfilter.store import StoreError
from tests.extras.changes.test_memory import test_memory_gives_back_what_it_was_given as gives_back
from tests.support.redis_server import needs_redis

pytestmark = needs_redis
DAYS = 3


class Link:
    """What the store on Redis calls its server by, without patience."""

    def __init__(self, url: str) -> None:
        from redis import Redis

        self.client = Redis.from_url(url)

    def call(self, act: Callable[[Any], Any]) -> Any:
        return act(self.client)

    def close(self) -> None:
        self.client.close()


@pytest.fixture
def link(redis_url: str) -> Link:
    return Link(redis_url)


def test_memory_gives_back_what_it_was_given_and_forgets_it_in_time(link: Link) -> None:
    gives_back(MemoryServer(link, DAYS))
    (key,) = link.client.scan_iter(match=f"{PREFIX}page:fffffffffffffff5")
    assert 0 < link.client.ttl(key) <= DAYS * 86_400
    (run,) = link.client.scan_iter(match=f"{PREFIX}run:fffffffffffffff9")
    assert DAYS * 86_400 < link.client.ttl(run) <= 2 * DAYS * 86_400


def test_value_that_is_no_page_is_an_error_that_names_its_key(link: Link) -> None:
    memory = MemoryServer(link, DAYS)
    shown = Shown(frozenset([21]))
    memory.write({99: Remembered(1, shown, None)})
    (key,) = link.client.scan_iter(match=f"{PREFIX}page:0000000000000063")
    link.client.set(key, b"something else")
    with pytest.raises(StoreError, match=key.decode()):
        memory.page(99)

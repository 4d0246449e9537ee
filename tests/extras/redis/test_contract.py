"""The store on a Redis server does what every store does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest

from scrapy_blockfilter.extras.redis import RedisStore
from scrapy_blockfilter.store import TemplateStore
from tests.store.test_contract import *  # noqa: F403
from tests.store.test_contract import N, Open
from tests.support.redis_server import needs_redis

pytestmark = needs_redis


@pytest.fixture  # type: ignore[no-redef]
def open_store(redis_url: str) -> Iterator[Open]:
    """Opens a store that processes share, and closes it after the test."""
    with ExitStack() as opened:
        yield lambda: opened.enter_context(closing(RedisStore(redis_url, pages=N)))


@pytest.fixture  # type: ignore[no-redef]
def store(open_store: Open) -> TemplateStore:
    """A store."""
    return open_store()

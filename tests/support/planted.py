"""Faults planted in a long crawl of made hosts, for tests of what tells them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from scrapy.exceptions import DropItem
from scrapy.http import Response

# The page that is lost, and the one that is doubled; their hosts are learnt by then.
LOST, DOUBLED = "http://host-3.example/12", "http://host-4.example/12"
# Bytes that are kept of each item.
_KEPT = 500_000


class Loses:
    """Pipeline that drops one item."""

    def process_item(self, item: dict[str, Any]) -> dict[str, Any]:
        if item["url"] == LOST:
            raise DropItem("planted")
        return item


class Doubles:
    """Spider middleware that gives one item twice."""

    async def process_spider_output(self, response: Response, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        async for each in result:
            yield each
            if isinstance(each, dict) and each["url"] == DOUBLED:
                yield dict(each)


class Grows:
    """Pipeline that remembers something of each item."""

    def __init__(self) -> None:
        self._kept: list[bytes] = []

    def process_item(self, item: dict[str, Any]) -> dict[str, Any]:
        self._kept.append(b"x" * _KEPT)
        return item

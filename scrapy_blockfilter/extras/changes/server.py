"""The memory of pages on the Redis server of the store: a key for each page, which expires."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scrapy_blockfilter.extras.changes.memory import MOST_CHUNKS, MOST_ITEMS, MOST_LINES, Remembered, Shown
from scrapy_blockfilter.store.errors import StoreError

# The first part of all keys. 1 is the version of the values, for a new form that could be mistaken for the old one.
PREFIX = "blockfilter:changes:1:"
# Bytes of a value: no longer one is read.
_MOST = 16 * (MOST_ITEMS + MOST_CHUNKS + MOST_LINES) + 100
_DAY = 24 * 60 * 60


class MemoryServer:
    """The memory of pages on a server, which forgets a page that no crawl has met for so many days."""

    def __init__(self, link: Any, days: int) -> None:
        self._link = link  # of the store: its ``call`` gives a client of the package redis, or raises StoreError
        self._seconds = days * _DAY

    def page(self, page: int) -> Remembered | None:
        value = self._get(_key("page", page))
        if not value:
            return None
        try:
            return _remembered(value)
        except ValueError as error:
            raise StoreError(f"Redis has something else than a page in {_key('page', page)} ({error}).") from error

    def pages_at(self, place: int) -> list[Remembered]:
        value = self._get(_key("place", place)) if place else b""
        found = self.page(_number(value)) if len(value) == 8 else None
        return [found] if found and found.place == place else []

    def is_finished(self, run: int) -> bool:
        return bool(self._get(_key("run", run)))

    def write(self, pages: Mapping[int, Remembered]) -> None:
        def act(client: Any) -> None:
            pipe = client.pipeline(transaction=False)
            for page, of in pages.items():
                pipe.set(_key("page", page), _value(of), ex=self._seconds)
                if of.place:
                    pipe.set(_key("place", of.place), _bytes(page), ex=self._seconds)
            pipe.execute()

        self._link.call(act)

    def finish(self, run: int) -> None:
        # A run must be known for as long as any of its pages is.
        self._link.call(lambda client: client.set(_key("run", run), b"1", ex=2 * self._seconds))

    def close(self) -> None:
        self._link.close()

    def _get(self, key: str) -> bytes:
        return bytes(self._link.call(lambda client: client.getrange(key, 0, _MOST)))


def _key(kind: str, number: int) -> str:
    return f"{PREFIX}{kind}:{_bytes(number).hex()}"


def _bytes(number: int) -> bytes:
    return number.to_bytes(8, "big", signed=True)


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big", signed=True)


def _value(of: Remembered) -> bytes:
    now = of.now.to_bytes()
    before = b"" if of.before is None else of.before.to_bytes()
    return _bytes(of.run) + _bytes(of.place) + len(now).to_bytes(4, "big") + now + before


def _remembered(value: bytes) -> Remembered:
    run, place, size, rest = value[:8], value[8:16], int.from_bytes(value[16:20], "big"), value[20:]
    before = Shown.from_bytes(rest[size:]) if rest[size:] else None
    return Remembered(_number(run), Shown.from_bytes(rest[:size]), before, _number(place))

"""Items that wait until their site is learnt: whose they are, since when, and how much memory they take."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

from itemadapter import ItemAdapter, is_item
from scrapy.http import Response

# Bytes beside values and bodies: of an item (550 were measured of a dict of two short fields, of which 350 are counted)
# and of a response with its request (4,600, with ten headers).
_ITEM_SIZE = 200
_RESPONSE_SIZE = 5_000


class HeldItem(NamedTuple):
    """An item that waits.

    Attributes:
        response: the one it was made from, without a tree.
        size: bytes that come free with it, about.
        row: number under which it is spooled, None if it is not.
    """

    item: Any
    response: Response
    size: int
    row: int | None = None


class _Site:
    """What is held of one site."""

    __slots__ = ("counted", "items", "response", "since", "size", "source")

    def __init__(self, since: float) -> None:
        self.items: list[HeldItem] = []
        self.since = since
        self.size = 0
        # Values that several items share, such as the page's text, are counted once.
        self.counted: set[int] = set()
        # The response that the newest item is from, as the callback has it and as it is held.
        self.source: Response | None = None
        self.response: Response | None = None


class HeldItems:
    """The items held, by site."""

    def __init__(self) -> None:
        self._sites: dict[str, _Site] = {}
        self.size = 0

    def __bool__(self) -> bool:
        return bool(self._sites)

    def __contains__(self, site: str) -> bool:
        return site in self._sites

    def __len__(self) -> int:
        return sum(len(held.items) for held in self._sites.values())

    @property
    def sites(self) -> list[str]:
        return list(self._sites)

    def add(self, site: str, item: Any, response: Response, now: float, row: int | None = None) -> None:
        """Hold an item.

        Args:
            response: the one the callback had; what is held is a copy that shares its body and not its tree, which
                takes eight times as much.
            now: seconds, to be compared with those of :meth:`waiting_since`.
        """
        held = self._sites.get(site)
        if held is None:
            held = self._sites[site] = _Site(now)
        size = _ITEM_SIZE + _size_of(item, held.counted)
        if held.response is None or held.source is not response:
            held.source, held.response = response, response.replace()
            size += _RESPONSE_SIZE + _size_of(response.body, held.counted)
        held.items.append(HeldItem(item, held.response, size, row))
        held.size += size
        self.size += size

    def take(self, site: str) -> list[HeldItem]:
        """The items of a site in the order they came, none of which is held any longer."""
        held = self._sites.pop(site, None)
        if held is None:
            return []
        self.size -= held.size
        return held.items

    def biggest(self) -> str:
        """The site that takes the most memory."""
        return max(self._sites, key=lambda site: self._sites[site].size)

    def waiting_since(self, before: float) -> list[str]:
        """Sites of which an item has been held since ``before`` or longer."""
        return [site for site, held in self._sites.items() if held.since <= before]


def _size_of(value: Any, counted: set[int]) -> int:
    """Bytes of memory of an item or a value with all it holds, but what is in ``counted``, to which they are added."""
    size = 0
    todo = [value]
    while todo:
        value = todo.pop()
        if id(value) in counted:
            continue
        counted.add(id(value))
        size += sys.getsizeof(value)
        if isinstance(value, str | bytes):
            continue
        if isinstance(value, Mapping):
            todo.extend(value.values())
        elif isinstance(value, list | tuple | set | frozenset):
            todo.extend(value)
        elif is_item(value):
            todo.extend(ItemAdapter(value).values())
    return size

"""Held items by site, and the memory that they take until they are through the pipelines."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple
from weakref import ref

from itemadapter import ItemAdapter, is_item
from scrapy.http import Request, Response, TextResponse

# Overhead in bytes, beside values and bodies. An item: a dict of two short fields takes 550, and 350 of these are
# counted anyway. A response with its request and our notes, without headers of the response: 2,600.
_ITEM_SIZE = 200
_RESPONSE_SIZE = 2_800
# Bytes of a header beside others.
_HEADER_SIZE = 240
# Bytes of a page's tree for each byte of its body.
_TREE_FACTOR = 8
_ATTRIBUTES = frozenset(TextResponse.attributes)
# A smaller value counts in each item that has it: a note that it was counted would take as much.
_REMEMBERED = 500
# Entries of the heap for each site, beyond which outdated ones are dropped.
_ENTRIES = 4


class HeldResponse:
    """A copy of a callback's response, without the tree. The body of a text is compressed while it waits."""

    def __init__(self, response: Response) -> None:
        self._is_text = isinstance(response, TextResponse)
        self.body = zlib.compress(response.body, 1) if self._is_text else response.body
        # One of scrapy-poet, that stands for none, has no body, and takes none.
        self._response = response.replace(body=b"") if response.body else response

    def unpacked(self) -> Response:
        """Return the copy, the same one for all items of the response."""
        if self.body:
            body = zlib.decompress(self.body) if self._is_text else self.body
            self._response, self.body = self._response.replace(body=body), b""
        return self._response


class HeldItem(NamedTuple):
    """An item that waits, as it is. Items of ``start()`` have no response."""

    item: Any
    response: HeldResponse | None
    size: int  # bytes of memory, about; those of the response count with its first item


@dataclass(slots=True)
class _Site:
    """The held items of one site, which must show ``lacks`` more pages until it is learnt."""

    since: float
    items: list[HeldItem] = field(default_factory=list)
    pages: int = 0
    size: int = 0
    lacks: int = 1
    # The callback's response that the last item came with. It holds a tree, which must go with its callback.
    source: ref[Response] | None = None
    # Ids of the large values of that response's items, such as its text, which count once.
    counted: set[int] = field(default_factory=set)

    @property
    def needs(self) -> float:
        return self.size / self.pages * self.lacks


class HeldItems:
    """The held items, by site. Until they are done, they take ``memory``, some bytes of ``most``."""

    def __init__(self, most: int) -> None:
        self.memory = 0
        self._most = most
        self._sites: dict[str, _Site] = {}
        # A heap of sites by the negative of what they need. Sites that need another amount by now have further entries.
        self._by_need: list[tuple[float, str]] = []

    def __bool__(self) -> bool:
        return bool(self._sites)

    @property
    def sites(self) -> list[str]:
        return list(self._sites)

    @property
    def is_full(self) -> bool:
        return self.memory >= self._most

    def add(self, site: str, item: Any, response: Response | None, now: float, lacks: int = 1) -> None:
        """Hold an item of a callback's response, whose site must show ``lacks`` more pages until it is learnt."""
        held = self._sites.setdefault(site, _Site(now))
        held.lacks = lacks
        size = _ITEM_SIZE
        copied = None
        if response is None:
            held.source, held.counted = None, set()
            held.pages += 1
        elif held.source is not None and held.source() is response:
            copied = held.items[-1].response
        else:
            copied = HeldResponse(response)
            held.source, held.counted = ref(response), set()
            held.pages += 1
            size += _RESPONSE_SIZE + _HEADER_SIZE * len(response.headers)
            # Classes of other packages keep more, such as the answer of a rendering service.
            more = [getattr(response, name, None) for name in response.attributes if name not in _ATTRIBUTES]
            size += _size_of([copied.body, response.request, *more], held.counted)
        size += _size_of(item, held.counted)
        held.items.append(HeldItem(item, copied, size))
        held.size += size
        self.memory += size
        heappush(self._by_need, (-held.needs, site))
        if len(self._by_need) > _ENTRIES * len(self._sites):
            self._by_need = [(-held.needs, site) for site, held in self._sites.items()]
            heapify(self._by_need)

    def take(self, site: str) -> list[HeldItem]:
        """Return the items of a site in the order they came. They take memory until they are :meth:`done`."""
        return self._sites.pop(site).items if site in self._sites else []

    def done(self, held: HeldItem) -> None:
        """Note that an item that was taken is through the pipelines."""
        self.memory -= held.size

    def neediest(self) -> str:
        """Return the site whose items would need the most memory until it is learnt, if its next pages are as large."""
        while True:
            negative, site = self._by_need[0]
            if site in self._sites and self._sites[site].needs == -negative:
                return site
            heappop(self._by_need)

    def waiting_since(self, before: float) -> list[str]:
        """Return the sites that have held an item since ``before`` or longer."""
        return [site for site, held in self._sites.items() if held.since <= before]


def _size_of(value: Any, counted: set[int]) -> int:
    """Return the bytes of memory of a value and all it holds, but for objects in ``counted``. Add large ones there."""
    size = 0
    seen: set[int] = set()
    todo = [value]
    while todo:
        value = todo.pop()
        if id(value) in seen or id(value) in counted:
            continue
        seen.add(id(value))
        own = sys.getsizeof(value)
        if own >= _REMEMBERED or isinstance(value, Response):
            counted.add(id(value))
        if isinstance(value, str | bytes):
            pass
        elif isinstance(value, Mapping):
            todo.extend(value.values())
        elif isinstance(value, list | tuple | set | frozenset):
            todo.extend(value)
        elif isinstance(value, Request):
            todo.extend((value.body, value.meta, value.cb_kwargs))
        elif isinstance(value, Response):
            todo.extend((value.body, value.request))
            if getattr(value, "_cached_selector", None) is not None:
                own += _TREE_FACTOR * len(value.body)
        elif is_item(value):
            todo.extend(ItemAdapter(value).values())
        size += own
    return size

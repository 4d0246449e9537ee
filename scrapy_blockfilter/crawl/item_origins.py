"""Find the response that an item comes from: pipelines are given the item alone.

A context variable holds the response while its items go through the pipelines, and how many are in progress. Requests
that a callback yields inherit the context. Items of their errbacks would find the wrong response, but none of its items
in progress, so none is taken.

`scrapy parse` gives items to the pipelines without passing them through spider middlewares, so none is in progress
there. An item that has the URL of the held response in a URL field then belongs to that response.

On reactors other than asyncio's, the context does not follow items. There a small table maps items to responses. A URL
field of the item is the last resort.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, NamedTuple

from itemadapter import ItemAdapter, is_item
from scrapy.http import Response
from scrapy.utils.asyncio import is_asyncio_available

from scrapy_blockfilter.crawl.item_fields import url_in


@dataclass(slots=True)
class _Flow:
    """A response, and how many of its items are between the callback and the pipeline."""

    response: Response
    items: int = 0


_CURRENT: ContextVar[_Flow | None] = ContextVar("blockfilter_flow", default=None)
# Most items between callback and pipeline at one time.
_MAX_IN_FLIGHT = 1_000


class Source(NamedTuple):
    """The origin of an item: its URL and its response, each None if unknown."""

    url: str | None
    response: Response | None

    @property
    def meta(self) -> Mapping[str, Any]:
        request = self.response.request if self.response is not None else None
        return request.meta if request is not None else {}


class ItemSources:
    """Remember the response of each item on its way to the pipeline."""

    def __init__(self) -> None:
        self._in_flight: OrderedDict[int, tuple[Any, Response]] = OrderedDict()

    def enter(self, response: Response) -> None:
        """Note that the current context handles a response."""
        _CURRENT.set(_Flow(response))

    def send(self, item: Any, response: Response) -> None:
        """Note that an item of the entered response goes to the pipelines."""
        flow = _CURRENT.get() if is_asyncio_available() else None
        if flow is not None:
            flow.items += 1
            return
        self._in_flight[id(item)] = (item, response)
        if len(self._in_flight) > _MAX_IN_FLIGHT:
            self._in_flight.popitem(last=False)

    def resend(self, response: Response) -> None:
        """Note that this context sends one item of a response to the pipelines, and no other."""
        _CURRENT.set(_Flow(response, items=1))

    def take_response(self, item: Any, url: str | None = None) -> Response | None:
        """Return the response that an item was made from, and forget it; ``url`` is that of the item's URL field."""
        found = self._in_flight.pop(id(item), None)
        if found is not None and found[0] is item:
            return found[1]
        flow = _CURRENT.get()
        if flow is None:
            return None
        if flow.items:
            flow.items -= 1
            return flow.response
        return flow.response if url and url == flow.response.url else None


def find_source(item: Any, sources: ItemSources | None, url_fields: Sequence[str]) -> Source:
    """Return the source of an item: its response, or else a URL in one of ``url_fields``."""
    url = url_in(ItemAdapter(item), url_fields) if is_item(item) else None
    response = sources.take_response(item, url) if sources else None
    return Source(url, None) if response is None else Source(response.url, response)

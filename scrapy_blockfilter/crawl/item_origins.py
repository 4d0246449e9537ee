"""Find the response that an item comes from: pipelines are given the item alone.

A context variable holds the response while its items go through the pipelines, and how many are in progress. Requests
that a callback yields inherit the context. Items of their errbacks would find the wrong response, but none of its items
in progress, so none is taken.

`scrapy parse` gives items to the pipelines without passing them through spider middlewares, so none is in progress
there. An item that has the URL of the held response in a URL field then belongs to that response.

On reactors other than asyncio's, the context does not follow items. There a small table maps items to responses.

An item of JSON, of ``start()`` or of an errback has no page of HTML for a response. Its URL field then names its page,
and its field of HTML may be the page.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from html import unescape
from typing import Any, NamedTuple

from itemadapter import ItemAdapter, is_item
from scrapy.http import HtmlResponse, Response
from scrapy.utils.asyncio import is_asyncio_available

from scrapy_blockfilter.crawl.item_fields import document_in, url_in
from scrapy_blockfilter.html.parse import title_of
from scrapy_blockfilter.options import Options


@dataclass(slots=True)
class _Flow:
    """A response, and how many of its items are between the callback and the pipeline."""

    response: Response
    items: int = 0


_CURRENT: ContextVar[_Flow | None] = ContextVar("blockfilter_flow", default=None)
_NO_WORD = re.compile(r"\W+")
# Most items between callback and pipeline at one time.
_MAX_IN_FLIGHT = 1_000


class Source(NamedTuple):
    """The origin of an item."""

    url: str | None  # the address of its page
    response: Response | None  # that it comes from
    html: str = ""  # its page, if no HTML response shows that, but the item has it in a field

    @property
    def page(self) -> HtmlResponse | None:
        """The response that shows its page, or None."""
        return self.response if isinstance(self.response, HtmlResponse) and not self.html else None

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

    def resend(self, response: Response | None) -> None:
        """Note that this context sends one item of a response, or of none, to the pipelines, and no other."""
        _CURRENT.set(_Flow(response, items=1) if response is not None else None)

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


def find_source(item: Any, sources: ItemSources, options: Options) -> Source:
    """Return the source of an item in a pipeline."""
    return source_of(item, sources.take_response(item, _url_in(item, options)), options)


def source_of(item: Any, response: Response | None, options: Options) -> Source:
    """Return the source of an item that comes from a response, or from none.

    The page of an item is an HTML response, unless the item has the URL of another page and its document, with another
    title. Items of other responses, such as JSON, and items without a response have their pages with them.
    """
    url = _url_in(item, options)
    shown = response if isinstance(response, HtmlResponse) else None
    if shown is not None and url in (None, shown.url):
        return Source(shown.url, shown)
    html = document_in(ItemAdapter(item), options) if is_item(item) else ""
    if shown is not None and (not html or _is_of(html, shown)):
        return Source(shown.url, shown)
    if url is None and response is not None and not html:
        url = response.url  # a part of a page, perhaps of the site that the data are of
    return Source(url, response, html)


def _url_in(item: Any, options: Options) -> str | None:
    return url_in(ItemAdapter(item), options.url_fields) if is_item(item) else None


def _is_of(html: str, response: HtmlResponse) -> bool:
    """Return whether HTML is a response, perhaps as a callback has changed it: if the response has its title.

    The whole text is looked at, so that a false title in a comment or script makes no page one of another site.
    """
    text = response.text
    title = title_of(html)
    return html == text or title == title_of(text) or _NO_WORD.sub("", title) in _NO_WORD.sub("", unescape(text))

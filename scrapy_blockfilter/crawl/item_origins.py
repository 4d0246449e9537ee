"""Find the response that an item comes from: pipelines are given the item alone.

Scrapy sends each item of a response, or of none, to the pipelines by a function of its own, which the middleware wraps.
While the item is on its way, a table knows its response by the item's identity, and a context variable knows it if an
earlier pipeline replaces the item. On reactors other than asyncio's, the context does not follow items: a replaced item
then has the response in the table whose URL it names.

`scrapy parse` gives items to the pipelines in a way of its own, in the context of a callback. An item that has the URL
of the callback's response in a URL field then belongs to that response.

An item of JSON, of ``start()`` or of an errback has no page of HTML for a response. Its URL field then names its page,
and its field of HTML may be the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from itemadapter import ItemAdapter, is_item
from scrapy.http import HtmlResponse, Response
from scrapy.utils.asyncio import is_asyncio_available

from scrapy_blockfilter.crawl.item_fields import document_in, url_in
from scrapy_blockfilter.html.parse import titles_of
from scrapy_blockfilter.options import Options

# The response of a context, and whether the context sends an item of it, or of none, to the pipelines.
_CURRENT: ContextVar[tuple[Response | None, bool]] = ContextVar("blockfilter_response", default=(None, False))
_NO_WORD = re.compile(r"\W+")


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
    """Remember the response of each item that is in the pipelines."""

    def __init__(self) -> None:
        self._in_pipelines: dict[int, Response | None] = {}

    def enter(self, response: Response) -> None:
        """Note that the current context handles a response."""
        _CURRENT.set((response, False))

    @contextmanager
    def sending(self, item: Any, response: Response | None) -> Iterator[None]:
        """Know the response of an item, or that it has none, while this context sends it through the pipelines."""
        if is_asyncio_available():
            _CURRENT.set((response, True))
        self._in_pipelines[id(item)] = response
        try:
            yield
        finally:
            self._in_pipelines.pop(id(item), None)

    def response_of(self, item: Any, url: str | None = None) -> Response | None:
        """Return the response that an item was made from; ``url`` is that of the item's URL field."""
        if id(item) in self._in_pipelines:
            return self._in_pipelines[id(item)]
        response, sends_item = _CURRENT.get()
        if sends_item or (response is not None and url == response.url):
            return response
        return next((sent for sent in self._in_pipelines.values() if sent is not None and sent.url == url), None)


def find_source(item: Any, sources: ItemSources, options: Options) -> Source:
    """Return the source of an item in a pipeline."""
    return source_of(item, sources.response_of(item, _url_in(item, options)), options)


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
    """Return whether HTML is a response, perhaps as a callback has changed it: if the response has its title."""
    if html == response.text:
        return True
    # Titles in comments and scripts count, so that a false one there makes no page one of another site. Other texts do
    # not, as a list has the titles of the pages that it leads to.
    titles, own = ([_NO_WORD.sub("", title) for title in titles_of(text)] for text in (html, response.text))
    return not titles or titles[0] in ("", *own)

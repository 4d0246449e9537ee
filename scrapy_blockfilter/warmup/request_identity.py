"""Tell whether a request is one that an earlier start of the crawl has made.

Scrapy's fingerprint is too coarse: it ignores ``cb_kwargs``, meta and callback, so two requests whose items differ may
share it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from itemadapter import ItemAdapter, is_item
from scrapy import Request
from scrapy.crawler import Crawler

# Names of meta that Scrapy writes on the way. Their values may differ between two downloads of one request.
_NAMES = (
    "cache_timestamp cached_response depth download_latency download_slot download_timeout is_secure "
    "is_start_request proxy redirect_reasons redirect_times redirect_ttl redirect_urls retry_times"
)
_CHANGING = frozenset(_NAMES.split())
# The place of an object in memory, in its default repr.
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


class RequestKeys:
    """The identities of a crawl's requests, as these were before others changed them."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._known: WeakKeyDictionary[Request, str] = WeakKeyDictionary()

    def enter(self, request: Request) -> None:
        """Identify a request once, before callbacks, middlewares and handlers change its meta and ``cb_kwargs``."""
        if request not in self._known:
            with suppress(Exception):  # raised again, and reported, with the first item
                self._known[request] = identity(request, self._fingerprint(request))

    def of(self, request: Request) -> Iterator[str]:
        """Yield the identity of a request, then those by which 0.2.0 and 0.1.0 would have known it."""
        fingerprint = self._fingerprint(request)
        yield self._known.get(request) or identity(request, fingerprint)
        yield identity(request, fingerprint, changing=_CHANGING - {"is_start_request"})
        yield f"{fingerprint.hex()} {getattr(request.callback, '__name__', '')}"

    def _fingerprint(self, request: Request) -> bytes:
        assert self._crawler.request_fingerprinter is not None
        return self._crawler.request_fingerprinter.fingerprint(request)


def identity(request: Request, fingerprint: bytes, changing: Set[str] = _CHANGING) -> str:
    """Return a digest that is equal for equal requests in all processes, and differs for others.

    The fingerprint is that of the project's own fingerprinter, which may look at more, such as headers.
    """
    meta = {name: value for name, value in request.meta.items() if name not in changing and str(name)[:1] != "_"}
    first = request.meta.get("redirect_urls") or [request.url]
    try:
        parts = _described([first[0], request.url, request.method, request.cb_kwargs, meta])
    except RecursionError:  # something that holds itself
        parts = request.url
    callback = request.callback
    while isinstance(callback, partial):
        callback = callback.func
    name = getattr(callback, "__name__", "parse")
    digest = hashlib.sha256(fingerprint)
    for part in (name.encode(), request.body, parts.encode("utf-8", "backslashreplace")):
        digest.update(b"%d:" % len(part))
        digest.update(part)
    return digest.hexdigest()


def _described(value: Any) -> str:
    """Return a text that is equal for equal values, whatever the order of dicts and sets."""
    if isinstance(value, Mapping):
        pairs = sorted(f"{_described(name)}: {_described(part)}" for name, part in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, Set):
        return f"{{{', '.join(sorted(map(_described, value)))}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_described, value))}]"
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    if is_item(value):
        return f"{kind}({_described(ItemAdapter(value).asdict())})"
    try:
        return f"{kind}({_ADDRESS.sub('', repr(value))})"
    except Exception:  # raised by anyone's __repr__
        return kind

"""Identify pages and their sites, and choose the pages to learn from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from scrapy_blockfilter.identity.site_keys import SiteKey, usable


def site_of_page(site_of: SiteKey, url: str | None, meta: Mapping[str, Any]) -> str | None:
    """Return the site key of a page: that in the meta of its request, else that of its URL."""
    if meta.get("blockfilter_site") is not None:
        return usable(meta["blockfilter_site"])
    return site_of(url) if url else None


def page_hash_of(crawler: Crawler, request: Request) -> int:
    """Identify a page by 64 bits of its request's fingerprint, signed."""
    assert crawler.request_fingerprinter is not None
    return hash_of_fingerprint(crawler.request_fingerprinter.fingerprint(request))


def hash_of_fingerprint(fingerprint: bytes) -> int:
    """Return the first 64 bits of a fingerprint, signed, as SQLite has integers."""
    return int.from_bytes(fingerprint[:8], "big", signed=True)


def teaches(request: Request | None, response: Response) -> bool:
    """Return whether a response is a whole page on its way to a callback, and nobody has excluded it."""
    return (
        request is not None
        and response.status == 200
        and request.callback is not NO_CALLBACK
        and request.meta.get("blockfilter") is not False
        and not {"download_stopped", "dataloss"}.intersection(response.flags)
    )

"""Identify pages and their sites, and choose the pages to learn from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from scrapy_blockfilter.identity.site_keys import SiteKey, page_url, usable
from scrapy_blockfilter.options import Options


def site_of_page(site_of: SiteKey, url: str | None, meta: Mapping[str, Any]) -> str | None:
    """Return the site key of a page: that in the meta of its request, else that of its URL."""
    if meta.get("blockfilter_site") is not None:
        return usable(meta["blockfilter_site"])
    return site_of(url) if url else None


def page_hash_of(crawler: Crawler, request: Request, options: Options) -> int:
    """Identify a page by 64 bits of its request's fingerprint, signed, as SQLite has integers."""
    assert crawler.request_fingerprinter is not None
    if options.site == "inner_host":
        request = request.replace(url=page_url(request.url))
    return int.from_bytes(crawler.request_fingerprinter.fingerprint(request)[:8], "big", signed=True)


def teaches(request: Request | None, response: Response) -> bool:
    """Return whether a response is a whole page on its way to a callback, and nobody has excluded it."""
    return (
        request is not None
        and response.status == 200
        and request.callback is not NO_CALLBACK
        and request.meta.get("blockfilter") is not False
        and not {"download_stopped", "dataloss"}.intersection(response.flags)
    )

"""Map the page of a request to the key of its site."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scrapy_blockfilter.identity.site_keys import SiteKey, host, usable
from scrapy_blockfilter.identity.site_keys import rule_of as site_key

__all__ = ["SiteKey", "host", "site_key", "site_of_page"]


def site_of_page(site_of: SiteKey, url: str | None, meta: Mapping[str, Any]) -> str | None:
    """Return the site key of a page: from the meta of its request, or else from its URL."""
    if meta.get("blockfilter_site") is not None:
        return usable(meta["blockfilter_site"])
    return site_of(url) if url else None

"""Identify pages by their URLs."""

from __future__ import annotations

import json
from hashlib import sha1

from w3lib.url import canonicalize_url, safe_url_string

from scrapy_blockfilter.identity.site_keys import page_url
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.text.normal_form import escaped_rows

# Scrapy's default fingerprinter hashes this JSON, with sorted keys, for a request without a body.
_BEFORE, _AFTER = b'{"body": "", "headers": {}, "method": "GET", "url": ', b"}"
# Schemes without "://" that Scrapy takes.
_OPAQUE = ("about:", "data:")


def page_id(url: str, options: Options | None = None) -> int:
    """Return the identity of the page at a URL: 64 bits, signed.

    A crawl gives the same identity to the response of a GET request, unless its settings name another fingerprinter.
    The order of query arguments and the fragment do not count.

    Args:
        options: if :attr:`Options.site` is ``"inner_host"``, a URL that another URL carries stands for the whole.

    Raises:
        ValueError: the URL has no scheme, or no form that a request could have.

    >>> page_id("http://example.com/?b=2&a=1#top") == page_id("http://example.com/?a=1&b=2")
    True
    """
    if options is not None and options.site == "inner_host":
        url = page_url(url)
    safe = safe_url_string(escaped_rows(url))
    if "://" not in safe and not safe.startswith(_OPAQUE):
        raise ValueError(f"a URL without a scheme: {url[:200]!r}")
    line = _BEFORE + json.dumps(canonicalize_url(safe)).encode() + _AFTER
    return int.from_bytes(sha1(line, usedforsecurity=False).digest()[:8], "big", signed=True)

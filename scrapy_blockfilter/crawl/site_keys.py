"""Which site a page belongs to: its URL's site key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

import tldextract
from scrapy.utils.misc import load_object

from scrapy_blockfilter.options import OptionError, Options

SiteKey = Callable[[str], str | None]

# Of a host name (RFC 1035); what a callable or a request's meta gives is held to the same.
_MAX_KEY = 253


def site_key(options: Options) -> SiteKey:
    """The function from a URL to its site key, None where it has none (data: and file: URLs, broken ones).

    Raises:
        OptionError: BLOCKFILTER_SITE names no callable.
    """
    if options.site == "host":
        return host
    if options.site == "registrable_domain":
        return registrable_domain()
    return _bounded(options.site if callable(options.site) else _load(options.site))


def site_of_page(site_of: SiteKey, url: str | None, meta: Mapping[str, Any]) -> str | None:
    """The site key of a page: what the meta of its request says, else what its URL says."""
    if meta.get("blockfilter_site") is not None:
        return _usable(meta["blockfilter_site"])
    return site_of(url) if url else None


def host(url: str) -> str | None:
    """Host name in lower case, ``www.`` folded.

    >>> host("https://www.Example.com:8080/a"), host("data:,x")
    ('example.com', None)
    """
    try:
        name = (urlsplit(url).hostname or "").rstrip(".").lower()
    except ValueError:
        return None
    return _usable(name.removeprefix("www."))


def registrable_domain() -> SiteKey:
    """A function to the domain someone has registered, by the public suffix list that tldextract carries.

    >>> registrable_domain()("https://news.bbc.co.uk/a")
    'bbc.co.uk'
    """
    # No fetching of a newer list and no cache outside the project: a crawl makes no request of its own.
    extract = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, fallback_to_snapshot=True)

    def key(url: str) -> str | None:
        name = host(url)
        return (extract(name).top_domain_under_public_suffix or name) if name else None

    return key


def _load(path: str) -> SiteKey:
    try:
        found = load_object(path)
    except (ImportError, NameError, ValueError) as error:
        raise OptionError(f"BLOCKFILTER_SITE is {path!r}, but there is no such callable ({error})") from error
    if not callable(found):
        raise OptionError(f"BLOCKFILTER_SITE is {path!r}, which is not callable")
    return found  # type: ignore[no-any-return]


def _bounded(function: SiteKey) -> SiteKey:
    return lambda url: _usable(function(url))


def _usable(key: object) -> str | None:
    """A site key, None if it is none that can be stored: no text, too long, with a lone surrogate, or with a tab, which
    sets apart the keys of a site's further layouts."""
    if not isinstance(key, str) or not 0 < len(key) <= _MAX_KEY or "\t" in key:
        return None
    return None if any("\ud800" <= character <= "\udfff" for character in key) else key

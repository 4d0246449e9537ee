"""Map a URL to the key of its site."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from scrapy.utils.misc import load_object

from scrapy_blockfilter.options import OptionError, Options

SiteKey = Callable[[str], str | None]

# Characters of a host name (RFC 1035). Keys from a callable or a request's meta have the same bound.
_MAX_KEY = 253


def site_key(options: Options) -> SiteKey:
    """Return the function from a URL to its site key. It returns None for data: and file: URLs and broken ones.

    Raises:
        OptionError: BLOCKFILTER_SITE names no callable.
    """
    if options.site == "host":
        return host
    if options.site == "registrable_domain":
        return registrable_domain()
    return _bounded(options.site if callable(options.site) else _load(options.site))


def site_of_page(site_of: SiteKey, url: str | None, meta: Mapping[str, Any]) -> str | None:
    """Return the site key of a page: from the meta of its request, or else from its URL."""
    if meta.get("blockfilter_site") is not None:
        return _usable(meta["blockfilter_site"])
    return site_of(url) if url else None


def host(url: str) -> str | None:
    """Return the host name in lower case, with ``www.`` folded.

    >>> host("https://www.Example.com:8080/a"), host("data:,x")
    ('example.com', None)
    """
    try:
        name = (urlsplit(url).hostname or "").rstrip(".").lower()
    except ValueError:
        return None
    return _usable(name.removeprefix("www."))


def registrable_domain() -> SiteKey:
    """Return a function from a URL to its registrable domain, by the public suffix list that tldextract ships.

    >>> registrable_domain()("https://news.bbc.co.uk/a")
    'bbc.co.uk'
    """
    import tldextract  # for this setting alone: it loads an HTTP client

    # Use the list as shipped: a crawl makes no request of its own, and no cache outside the project.
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
    """Return a site key that can be stored, else None.

    It must be text, not too long and without lone surrogates. A tab is not allowed: it separates the site from the
    number of a further layout.
    """
    if not isinstance(key, str) or not 0 < len(key) <= _MAX_KEY or "\t" in key:
        return None
    return None if any("\ud800" <= character <= "\udfff" for character in key) else key

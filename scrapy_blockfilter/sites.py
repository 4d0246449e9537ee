"""Which site a page belongs to: its URL's site key."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import tldextract
from scrapy.utils.misc import load_object

from scrapy_blockfilter.options import OptionError, Options

SiteKey = Callable[[str], str | None]

# Of a host name (RFC 1035); what a callable returns is held to the same, as a key is text in the store.
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


def host(url: str) -> str | None:
    """Host name in lower case, ``www.`` folded.

    >>> host("https://www.Example.com:8080/a"), host("data:,x")
    ('example.com', None)
    """
    try:
        name = (urlsplit(url).hostname or "").rstrip(".").lower()
    except ValueError:
        return None
    name = name.removeprefix("www.")
    return name if 0 < len(name) <= _MAX_KEY else None


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
    def key(url: str) -> str | None:
        found = function(url)
        return found if isinstance(found, str) and 0 < len(found) <= _MAX_KEY else None

    return key

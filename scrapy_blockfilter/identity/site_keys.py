"""Map a URL to the key of its site and to the identity of its page, without Scrapy."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha1
from importlib import import_module
from ipaddress import ip_address
from urllib.parse import unquote, urlsplit

from w3lib.url import canonicalize_url, safe_url_string

from scrapy_blockfilter.options import OptionError, Options
from scrapy_blockfilter.options.converters import SITE_RULES
from scrapy_blockfilter.text.normal_form import escaped_rows, lettered

SiteKey = Callable[[str], str | None]

# Characters of a host name (RFC 1035). Keys from a callable or a request's meta have the same bound.
_MAX_KEY = 253
# A name that can be nothing but a host: one with a dot, and with a port or without.
_HOST = re.compile(r"\A[\w-]+([.。．｡][\w-]+)+\.?(:\d+)?")
# C0, C1 and lone surrogates: a line break would forge a line of the log, and an escape controls a terminal.
_NO_TEXT = re.compile("[\0-\x1f\x7f-\x9f\ud800-\udfff]")
_USUAL_PORTS = {"http": 80, "https": 443, "ftp": 21}
_PLAIN = re.compile(r"https?://", re.IGNORECASE)
# Behind a slash, as written or percent-encoded.
_IN_PATH = re.compile(r"(?<=/)https?(?:://|%3A%2F%2F)", re.IGNORECASE)


def site_key(url: str, options: Options | None = None) -> str | None:
    """Return the key of the site that a URL belongs to, as in a crawl; None for data: and file: URLs and broken ones.

    Args:
        options: :attr:`Options.site` says what counts as one site, by default the host.

    Raises:
        OptionError: it names no callable.

    >>> site_key("https://www.example.com/a"), site_key("data:,x")
    ('example.com', None)
    """
    return host(url) if options is None else rule_of(options)(url)


def rule_of(options: Options) -> SiteKey:
    """Return the function from a URL to its site key. It returns None for data: and file: URLs and broken ones.

    Raises:
        OptionError: BLOCKFILTER_SITE names no callable. The function itself raises it for a callable that raises.
    """
    if options.site == "host":
        return host
    if options.site == "registrable_domain":
        return registrable_domain()
    if options.site == "inner_host":
        return lambda url: host(page_url(url))
    function = options.site if callable(options.site) else _load(options.site)

    def key(url: str) -> str | None:
        try:
            return usable(function(url))
        except Exception as error:
            raise OptionError(f"BLOCKFILTER_SITE fails for {url[:200]!r}: {error!r}") from error

    return key


def host(url: str) -> str | None:
    """Return the host name as a request has it, with ``www.`` folded, and the port unless the scheme implies it.

    A server on another port of a host is a site of its own, as on a developer's machine.
    """
    name, port = _name_and_port(url)
    return _with_port(_without_www(name), port) if name else None


def page_url(url: str) -> str:
    """Return the whole URL that a URL carries, or else the URL itself."""
    inner = inner_url(url)
    return inner if host(inner) else url


def inner_url(url: str) -> str:
    """Return the URL that a URL ends with in its path, or carries in an argument of its query; else "".

    An argument ``url`` goes before others. All that follows a URL with a query, not percent-encoded, is of that query.

    >>> inner_url("http://render:8050/?wait=2&url=https%3A%2F%2Fa.example%2F%3Fid%3D1")
    'https://a.example/?id=1'
    >>> inner_url("https://web.archive.org/web/2020/https://a.example/?id=1")
    'https://a.example/?id=1'
    """
    rest = url.partition("#")[0].partition("://")[2]
    path, _, query = rest.partition("?")
    if begin := _IN_PATH.search(path):
        return rest[begin.start() :] if begin[0].endswith("/") else unquote(path[begin.start() :])
    found = ""
    end = -1
    for argument in query.split("&"):
        end += len(argument) + 1
        name, _, value = argument.partition("=")
        plain = unquote(value)
        if _PLAIN.match(plain) and (not found or name == "url"):
            has_query = _PLAIN.match(value) and "?" in value
            found = query[end - len(value) :] if has_query else plain
            if name == "url" or has_query:
                return found
    return found


def rendered_url(url: str) -> str:
    """Return the URL that a URL carries in its query, as those of services that render a page do; else "".

    The links of such a page are relative to it, and those of a page in an archive to the archive.
    """
    path = url.partition("#")[0].partition("://")[2].partition("?")[0]
    return "" if _IN_PATH.search(path) else inner_url(url)


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
    if "://" not in safe and not safe.startswith(("about:", "data:")):  # which Scrapy takes, too
        raise ValueError(f"a URL without a scheme: {url[:200]!r}")
    # Scrapy's default fingerprinter hashes this JSON, with sorted keys, for a request without a body.
    line = json.dumps({"body": "", "headers": {}, "method": "GET", "url": canonicalize_url(safe)}).encode()
    return int.from_bytes(sha1(line, usedforsecurity=False).digest()[:8], "big", signed=True)


def key_of_name(name: str, options: Options) -> str | None:
    """Return the key of a site that a person or a folder names, by a URL, a host, or a key that is neither.

    >>> key_of_name("www.Example.com", Options()), key_of_name("example.com/shop", Options())
    ('example.com', 'example.com/shop')
    """
    if "://" in name:
        return rule_of(options)(name)
    is_host = options.site in SITE_RULES and _HOST.fullmatch(lettered(name))
    return usable(rule_of(options)(f"http://{name}") if is_host else name)


def domain_of(site: str) -> str:
    """Return the registrable domain of a site whose key is a host or begins with a host; else the key itself.

    >>> domain_of("m.news.example.co.uk:8080"), domain_of("localhost")
    ('example.co.uk', 'localhost')
    """
    if not site or site.startswith("["):  # an address of IPv6 has no domain
        return site
    return (registrable_domain()(f"http://{site}") or site).partition(":")[0]


@lru_cache(1)
def registrable_domain() -> SiteKey:
    """Return a function from a URL to its registrable domain, by the public suffix list that tldextract ships.

    Private suffixes such as github.io count as public: the names below them have different owners.
    """
    import tldextract  # for this setting alone: it loads an HTTP client

    # Use the list as shipped: a crawl makes no request of its own, and no cache outside the project.
    extract = tldextract.TLDExtract(
        suffix_list_urls=(), cache_dir=None, fallback_to_snapshot=True, include_psl_private_domains=True
    )

    def key(url: str) -> str | None:
        name, port = _name_and_port(url)
        return _with_port(extract(name).top_domain_under_public_suffix or _without_www(name), port) if name else None

    return key


@lru_cache(500)  # a page and its items ask for one address in turn
def _name_and_port(url: str) -> tuple[str | None, int | None]:
    """Return the host name that a request for a URL asks, None if it is not usable, and its port, None if usual."""
    try:
        parts = urlsplit(safe_url_string(url if url.isascii() else escaped_rows(url)))
        name = (parts.hostname or "").rstrip(".").lower()
        port = parts.port
        name = str(ip_address(name)) if ":" in name else name
    except ValueError:
        return None, None
    if parts.scheme == "file":
        return None, None
    return usable(name), None if port == _USUAL_PORTS.get(parts.scheme) else port


def _without_www(name: str) -> str:
    """Return a host name without its ``www.``, unless that is the name itself, as of www.com."""
    rest = name.removeprefix("www.")
    return rest if "." in rest else name


def _with_port(name: str, port: int | None) -> str:
    if port is None:
        return name
    return f"[{name}]:{port}" if ":" in name else f"{name}:{port}"


def _load(path: str) -> SiteKey:
    module, _, name = path.rpartition(".")
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError, NameError, ValueError) as error:
        raise OptionError(f"BLOCKFILTER_SITE is {path!r}, but there is no such callable ({error})") from error
    if not callable(found):
        raise OptionError(f"BLOCKFILTER_SITE is {path!r}, which is not callable")
    return found  # type: ignore[no-any-return]


def usable(key: object) -> str | None:
    """Return a site key that can be stored, else None: text of bounded length, without lone surrogates."""
    # Nor has a key control characters: a tab separates a site from the number of a further layout, and logs show keys.
    if not isinstance(key, str) or not 0 < len(key) <= _MAX_KEY or _NO_TEXT.search(key):
        return None
    return key

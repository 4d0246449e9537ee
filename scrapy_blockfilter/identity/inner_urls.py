"""Find the URL that a URL carries, as URLs of rendering services and web archives do."""

from __future__ import annotations

import re
from urllib.parse import unquote

_PLAIN = re.compile(r"https?://", re.IGNORECASE)
# Behind a slash, as written or percent-encoded.
_IN_PATH = re.compile(r"(?<=/)https?(?:://|%3A%2F%2F)", re.IGNORECASE)


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
    return _in_query(query)


def rendered_url(url: str) -> str:
    """Return the URL that a URL carries in its query, as those of services that render a page do; else "".

    The links of such a page are relative to it, and those of a page in an archive to the archive.
    """
    path, _, query = url.partition("#")[0].partition("://")[2].partition("?")
    return "" if _IN_PATH.search(path) else _in_query(query)


def _in_query(query: str) -> str:
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

"""Addresses of links and images: made absolute, and left out where they would make a program act."""

from __future__ import annotations

import re
from urllib.parse import urljoin

from w3lib.html import get_base_url

from scrapy_blockfilter.text.normal_form import escaped_rows

# Schemes that only lead somewhere. Others make a program act.
SCHEMES = frozenset({"http", "https", "ftp", "mailto", "tel"})
_SCHEME = re.compile(r"\A([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_ESCAPES = {**dict.fromkeys(range(33)), ord(" "): "%20", ord("<"): "%3C", ord(">"): "%3E"}
# Characters of an address that others are relative to: each of thousands of links would have it in full.
_LONGEST_BASE = 500
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # lxml refuses these in attributes


def base_of(source: str, url: str) -> str:
    """Return the address that those of a page are relative to: that of its BASE or its own.

    An unknown address, or one too long even without its query, is "".
    """
    try:
        base = str(get_base_url(escaped_rows(source), escaped_rows(url)))
    except ValueError:  # its BASE or address is no URL: <base href="http://[">
        return ""
    return next((short for short in (base, base.partition("?")[0]) if len(short) <= _LONGEST_BASE), "")


def address_of(written: str | None, base: str) -> str:
    """Return the absolute address, or "" if it is invalid or its scheme is not allowed.

    A base of "" or of a file leaves the address unchanged, as links of a saved page do not lead to files beside it.
    """
    if written is None:
        return ""
    address = escaped_rows(written.strip())
    try:
        address = urljoin(base, address) if base and not base.startswith("file:") else address
    except ValueError:  # such as http://[
        return ""
    address = CONTROL.sub("", address.strip().translate(_ESCAPES))
    scheme = _SCHEME.match(address)
    return address if not scheme or scheme[1].lower() in SCHEMES else ""

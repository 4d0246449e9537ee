"""Values of a page as its metadata: text of bounded length, absolute addresses of the web, and limits of both.

Pages are written by strangers. A value beyond a limit is cut or left out, and never raises.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from urllib.parse import urljoin, urlsplit

from lxml import etree

from scrapy_blockfilter.text.normal_form import escaped_rows

# Characters of a field, such as a description; longer ones are cut.
MAX_TEXT = 1_000
# Characters of one string of structured data: the text of most articles.
MAX_STRING = 10_000
# Characters, and values, of all structured data of a page. Pages of shops with reviews have half as much.
MAX_CHARACTERS = 200_000
MAX_VALUES = 5_000
# Steps into and out of elements, for the texts of microdata: ten times those of pages with most. The text of a property
# within another one is read again.
_MAX_STEPS = 30_000
# Browsers and sitemaps take addresses up to about this length.
MAX_ADDRESS = 2_000

_UNWANTED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
# Nothing after the slashes: joined to an address, it would give that address.
_NO_HOST = re.compile(r"(?:https?:)?//(?:[/?#]|\Z)", re.IGNORECASE)
_ESCAPES = {**dict.fromkeys(range(32)), ord(" "): "%20", ord("<"): "%3C", ord(">"): "%3E", ord('"'): "%22"}


class Budget:
    """How much structured data is still read of a page.

    Attributes:
        is_cut: whether something was cut or left out.
        steps: those left, for :func:`texts_within`.
    """

    def __init__(self) -> None:
        self.is_cut = False
        self._characters = MAX_CHARACTERS
        self._values = MAX_VALUES
        self.steps = iter(range(_MAX_STEPS))

    def take(self) -> bool:
        """Count a value, and return whether it is within the limits."""
        self._values -= 1
        is_left = self._values >= 0 and self._characters > 0
        self.is_cut = self.is_cut or not is_left
        return is_left

    def text(self, written: str) -> str:
        """Count a string, and return it, cut to the limits."""
        most = min(MAX_STRING, self._characters)
        self.is_cut = self.is_cut or len(written) > most
        written = written[:most]
        self._characters -= len(written)
        return without_control(written)


def texts_within(element: etree._Element, steps: Iterable[int]) -> Iterator[str]:
    """Yield the texts within an element in their order, as long as there are steps into and out of nodes.

    Texts alone are no measure, as nodes without any take as long to pass; and lxml's ``itertext`` takes quadratic time
    in comments behind each other.
    """
    around = [(element, element.iterchildren())]
    yield element.text or ""
    for _ in steps:
        node, children = around[-1]
        child = next(children, None)
        if child is not None:
            around.append((child, child.iterchildren()))
            yield (child.text or "") if isinstance(child.tag, str) else ""
        elif node is element:
            return
        else:
            around.pop()
            yield node.tail or ""


def without_control(written: str) -> str:
    """Return text without control characters and lone surrogates, which other formats refuse."""
    return _UNWANTED.sub("", written)


def plain_text(written: object, most: int = MAX_TEXT) -> str:
    """Return a value as a line of at most ``most`` characters; "" for what is no text.

    >>> plain_text(" Salt &amp; \\n pepper "), plain_text(None)
    ('Salt & pepper', '')
    """
    if isinstance(written, int) and not isinstance(written, bool):
        written = str(written) if abs(written) < 10**18 else ""
    if not isinstance(written, str):
        return ""
    start = written[: 2 * most]
    if _REFERENCE.search(start):  # JSON-LD is often escaped as if it were HTML
        start = html.unescape(start)
    return " ".join(without_control(start).split())[:most].rstrip()


def address(written: object, base: str) -> str:
    """Return an absolute address of the web, or "".

    >>> address("a.png", "http://x.example/b/"), address("javascript:alert(1)", "http://x.example/")
    ('http://x.example/b/a.png', '')
    """
    if not isinstance(written, str) or len(written) > MAX_ADDRESS:
        return ""
    written = html.unescape(written) if _REFERENCE.search(written) else written
    escaped = escaped_rows(without_control(written.strip().translate(_ESCAPES)))
    if not escaped or _NO_HOST.match(escaped):
        return ""
    try:
        joined = urljoin(base, escaped)
        parts = urlsplit(joined)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:  # such as http://[
        return ""
    return joined if is_web and len(joined) <= MAX_ADDRESS else ""

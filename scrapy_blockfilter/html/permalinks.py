"""Tell permanent links: signs such as ¶ that lead to their own place, and are no part of a heading's text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from scrapy_blockfilter.html.tags import HEADINGS

# Signs of a link to its own place, with zero-width spaces and joiners.
_SIGN = "[¶§#🔗⚓∞\u200b\u200c\u200d\u2060\ufeff\ufe0f\\s]"
_SIGNS = re.compile(f"{_SIGN}*")
_AT_AN_END = re.compile(rf"\A{_SIGN}|{_SIGN}\Z")
_LINKS = frozenset(
    {"headerlink", "hash-link", "header-anchor", "heading-anchor", "anchorjs-link", "permalink", "anchor"}
)
_TITLED = HEADINGS | {"dt", "caption", "figcaption", "summary", "legend"}
# Ancestors of a link among which its heading is looked for: SPANs come between.
_NEAR = 3
# Links of a heading that are looked at. Headings within headings would otherwise take quadratic time.
_MOST_LINKS = 20


def is_permalink(link: etree._Element) -> bool:
    """Return whether an A is only a sign, in a heading or with a class of permanent links."""
    return (
        "#" in link.get("href", "")
        and not any(True for _ in link.iter("img"))
        and bool(_SIGNS.fullmatch("".join(link.itertext())))
        and (not _LINKS.isdisjoint(link.get("class", "").split()) or _is_in_title(link))
    )


def without_permalinks(text: str, heading: etree._Element) -> str:
    """Return the text of a heading without the signs of permanent links at its ends.

    Args:
        heading: the element, which tells such a sign from one that belongs to a name: C#.
    """
    if not _AT_AN_END.search(text):
        return text
    for link in islice(heading.iter("a"), _MOST_LINKS):
        if is_permalink(link):
            sign = " ".join("".join(link.itertext()).split())
            text = text.removeprefix(sign).lstrip() if _is_first(link, heading) else text.removesuffix(sign).rstrip()
    return text


def _is_in_title(link: etree._Element) -> bool:
    return any(parent.tag in _TITLED for _, parent in zip(range(_NEAR), link.iterancestors(), strict=False))


def _is_first(link: etree._Element, heading: etree._Element) -> bool:
    """Return whether a heading has no text before a link."""
    element = link
    while element is not heading and (around := element.getparent()) is not None:
        before = (around.text, *(text for other in element.itersiblings(preceding=True) for text in _texts(other)))
        if any(text and text.strip() for text in before):
            return False
        element = around
    return True


def _texts(element: etree._Element) -> Iterator[str | None]:
    yield from element.itertext()
    yield element.tail

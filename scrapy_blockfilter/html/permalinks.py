"""Find permanent links: signs such as ¶ that lead to their own place, and are no part of a heading's text."""

from __future__ import annotations

import re
from itertools import islice

from lxml import etree

from scrapy_blockfilter.html.nearby import few_nodes, text_of
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
# Nodes of a link that is only a sign, and starts and ends of elements in a heading that are looked through for links.
# Links and headings within each other would otherwise take quadratic time. The most on 4,000 real pages were 5 and 16.
_MOST_NODES = 20
_MOST_IN_HEADING = 100


def is_permalink(link: etree._Element) -> bool:
    """Return whether an A is only a sign, in a heading or with a class of permanent links."""
    return _sign_of(link) is not None


def without_permalinks(text: str, heading: etree._Element) -> str:
    """Return the text of a heading without the signs of permanent links at its ends.

    Args:
        heading: the element. A sign in a link goes; the sign of "C#" is in none and stays.
    """
    if not _AT_AN_END.search(text):
        return text
    has_begun = False
    walk = etree.iterwalk(heading, events=("start", "end", "comment", "pi"))
    for event, element in islice(walk, _MOST_IN_HEADING):
        is_start = event == "start"
        sign = _sign_of(element) if is_start and element.tag == "a" else None
        if sign is not None:
            text = text.removesuffix(sign).rstrip() if has_begun else text.removeprefix(sign).lstrip()
        said = element.text if is_start else element.tail if element is not heading else ""
        has_begun = has_begun or bool(said and said.strip())
    return text


def _sign_of(link: etree._Element) -> str | None:
    """Return the text of an A that is a permanent link, with single spaces; None if it is no such link."""
    if "#" not in link.get("href", "") or (_LINKS.isdisjoint(link.get("class", "").split()) and not _is_in_title(link)):
        return None
    nodes = few_nodes(link, _MOST_NODES)
    text = text_of(nodes)
    is_sign = bool(nodes) and all(node.tag != "img" for node in nodes) and _SIGNS.fullmatch(text)
    return " ".join(text.split()) if is_sign else None


def _is_in_title(link: etree._Element) -> bool:
    return any(parent.tag in _TITLED for _, parent in zip(range(_NEAR), link.iterancestors(), strict=False))

"""Remove marks that a page shows beside its content: permanent links of headings, and numbers of lines of code."""

from __future__ import annotations

import re

from lxml import etree

from scrapy_blockfilter.html.tags import HEADINGS

# What stands for a link to the place itself; with zero-width spaces and joiners.
_SIGNS = re.compile("[¶§#🔗⚓∞\u200b\u200c\u200d\u2060\ufeff\ufe0f\\s]*")
_LINKS = frozenset(
    {"headerlink", "hash-link", "header-anchor", "heading-anchor", "anchorjs-link", "permalink", "anchor"}
)
_TITLED = HEADINGS | {"dt", "caption", "figcaption", "summary", "legend"}
# Ancestors of a link among which its heading is looked for: SPANs come between.
_NEAR = 3
_GUTTERS = frozenset({"gutter", "linenos", "lineno", "linenums", "line-numbers", "rouge-gutter", "hljs-ln-numbers"})
_NUMBERS = re.compile(r"[\d\s]*")


def remove_marks(root: etree._Element, gone: str) -> None:
    """Rename the elements that only are such marks to ``gone``."""
    for link in root.iter("a"):
        if "#" in link.get("href", "") and _is_sign(link) and (_has_class(link, _LINKS) or _is_in_title(link)):
            link.tag = gone
    for code in root.iter("pre"):
        for part in (code, *(parent for _, parent in zip(range(2), code.iterancestors(), strict=False))):
            if _has_class(part, _GUTTERS) and _NUMBERS.fullmatch("".join(part.itertext())):
                part.tag = gone
                break


def _is_sign(link: etree._Element) -> bool:
    return not any(True for _ in link.iter("img")) and bool(_SIGNS.fullmatch("".join(link.itertext())))


def _is_in_title(link: etree._Element) -> bool:
    return any(parent.tag in _TITLED for _, parent in zip(range(_NEAR), link.iterancestors(), strict=False))


def _has_class(element: etree._Element, names: frozenset[str]) -> bool:
    return not names.isdisjoint(element.get("class", "").split())

"""Remove marks that a page shows beside its content: permanent links of headings, and numbers of lines of code."""

from __future__ import annotations

import re

from lxml import etree

from scrapy_blockfilter.html.permalinks import is_permalink

_GUTTERS = frozenset({"gutter", "linenos", "lineno", "linenums", "line-numbers", "rouge-gutter", "hljs-ln-numbers"})
_NUMBERS = re.compile(r"[\d\s]*")


def remove_marks(root: etree._Element, gone: str) -> None:
    """Rename the elements that only are such marks to ``gone``."""
    for link in root.iter("a"):
        if is_permalink(link):
            link.tag = gone
    for code in root.iter("pre"):
        for part in (code, *(parent for _, parent in zip(range(2), code.iterancestors(), strict=False))):
            if _has_class(part, _GUTTERS) and _NUMBERS.fullmatch("".join(part.itertext())):
                part.tag = gone
                break


def _has_class(element: etree._Element, names: frozenset[str]) -> bool:
    return not names.isdisjoint(element.get("class", "").split())

"""Read cleaned HTML for Markdown: without anything that acts, and without marks that only show beside the content.

Scripts, styles, comments and embedded media go, and so do permanent links of headings and numbers of lines of code.
"""

from __future__ import annotations

import re

from lxml import etree

from scrapy_blockfilter.html.limits import DEEPEST, UnfitPage
from scrapy_blockfilter.html.parse import build, parse
from scrapy_blockfilter.html.permalinks import is_permalink
from scrapy_blockfilter.html.tags import OPAQUE
from scrapy_blockfilter.render.markdown_math import formula_of, second_form

_OPAQUE = (OPAQUE | {"object"}) - {"math", "script"}
# What may be in HEAD. The parser leaves other elements there, too, if a page without a BODY tag begins with them.
_OF_HEAD = frozenset({"base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "title"}) | OPAQUE
# What a browser shows in place of frames and plug-ins; the parser keeps its markup as text.
_ALTERNATIVES = ("noembed", "noframes")
_GUTTERS = frozenset({"gutter", "linenos", "lineno", "linenums", "line-numbers", "rouge-gutter", "hljs-ln-numbers"})
_NUMBERS = re.compile(r"[\d\s]*")
_GONE = "GONE"  # the parser writes names in lower case


def content_of(html: str) -> tuple[etree._Element, dict[etree._Element, str]]:
    """Return the tree of a page, and its SCRIPT and MATH elements with the formula of each.

    Raises:
        UnfitPage: no element is left of the page.
    """
    root = build(html)  # written in full, a page may have more end tags at great depth than its source
    for head in root.iter("head"):
        for element in head.iterchildren(*_OF_HEAD):
            element.tag = _GONE
    for element in list(root.iter(*_ALTERNATIVES)):
        _open(element)
    for element in root.iter("xmp", "plaintext", *_ALTERNATIVES):
        element.tag = "pre"
    etree.strip_elements(root, etree.Comment, etree.ProcessingInstruction, with_tail=False)
    formulas = _formulas(root)
    for link in root.iter("a"):
        if is_permalink(link):
            link.tag = _GONE
    _drop_gutters(root)
    etree.strip_elements(root, _GONE, *_OPAQUE, with_tail=False)
    return root, formulas


def _open(element: etree._Element) -> None:
    """Parse the markup in an element whose text the parser does not read. It stays text if it is too deep."""
    markup = element.text or ""
    if len(element) or markup.count("<") > DEEPEST:
        return
    try:
        inner = parse(markup)
    except UnfitPage as unfit:
        if unfit.reason == "empty":
            element.tag, element.text = "div", None
        return
    element.tag, element.text = "div", None
    element.append(inner)


def _formulas(root: etree._Element) -> dict[etree._Element, str]:
    formulas = {}
    for element in list(root.iter("script", "math")):
        if formula := formula_of(element):
            formulas[element] = formula
            if (shown_again := second_form(element)) is not None:
                shown_again.tag = _GONE
        else:
            element.tag = _GONE
    return formulas


def _drop_gutters(root: etree._Element) -> None:
    seen = set()
    for code in root.iter("pre"):
        for part in (code, *(parent for _, parent in zip(range(2), code.iterancestors(), strict=False))):
            if part not in seen and not _GUTTERS.isdisjoint(part.get("class", "").split()):
                seen.add(part)
                if _NUMBERS.fullmatch("".join(part.itertext())):
                    part.tag = _GONE

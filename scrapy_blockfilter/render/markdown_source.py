"""Read cleaned HTML for Markdown, without active elements, and without marks that only show beside the content.

Scripts, styles and comments go, and so do permanent links of headings and numbers of lines of code. A player is a link.
"""

from __future__ import annotations

import re

from lxml import etree

from scrapy_blockfilter.html import Limits, UnfitPage
from scrapy_blockfilter.html.listings import listing_text
from scrapy_blockfilter.html.parse import build, parse
from scrapy_blockfilter.html.tags import OPAQUE
from scrapy_blockfilter.render.code import GONE
from scrapy_blockfilter.render.code_language import language
from scrapy_blockfilter.render.markdown_math import Formula
from scrapy_blockfilter.render.players import link_players
from scrapy_blockfilter.render.spelled import spelled_out, strip_gone

_OPAQUE = (OPAQUE | {"object"}) - {"math", "script"}
# Elements of HEAD. The parser leaves other elements there, too, if a page without a BODY tag begins with them.
_OF_HEAD = frozenset({"base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "title"}) | OPAQUE
# Elements in place of frames and plug-ins, whose markup the parser keeps as text.
_ALTERNATIVES = ("noembed", "noframes")
_LINE_END = re.compile(r"\r\n?")
_BACKTICKS = re.compile("`{3,}")


def content_of(html: str) -> tuple[etree._Element, dict[etree._Element, Formula]]:
    """Return the tree of a page, and its SCRIPT, MATH and IMG elements with the formula of each."""
    root = build(html)  # written in full, a page may have more end tags at great depth than its source
    for head in root.iter("head"):
        for element in head.iterchildren(*_OF_HEAD):
            element.tag = GONE
    for element in list(root.iter(*_ALTERNATIVES)):
        _open(element)
    for element in root.iter("xmp", "plaintext", *_ALTERNATIVES):
        element.tag = "pre"
    etree.strip_elements(root, etree.Comment, etree.ProcessingInstruction, with_tail=False)
    link_players(root)
    formulas, _ = spelled_out(root)
    strip_gone(root, *_OPAQUE)
    return root, {element: found for element, found in formulas.items() if found.markdown or element.tag != "img"}


def _open(element: etree._Element) -> None:
    """Parse the markup in an element whose text the parser does not read. It stays text if it is too deep."""
    markup = element.text or ""
    if len(element) or markup.count("<") > Limits.depth:
        return
    try:
        inner = parse(markup)
    except UnfitPage as unfit:
        if unfit.reason == "empty":
            element.tag, element.text = "div", None
        return
    element.tag, element.text = "div", None
    element.append(inner)


def fence(code: etree._Element, languages: dict[etree._Element, str]) -> list[str]:
    """Return the lines of a PRE as a fence; none if it has no text. ``languages`` keeps those of elements around."""
    text = _LINE_END.sub("\n", listing_text(code))
    if not text.strip():
        return []
    marks = "`" * max(3, 1 + max(map(len, _BACKTICKS.findall(text)), default=0))
    return [marks + language(code, languages), *text.removeprefix("\n").removesuffix("\n").split("\n"), marks]

"""Write cleaned HTML as Markdown (CommonMark with GitHub's tables), by turbohtml.

The page is made plain first, so that no part of it can act in a viewer of the Markdown. Scripts, styles, comments and
embedded media are removed. Only attributes that Markdown can express stay, and only links with a harmless scheme.

``markdown_tables`` brings tables into the form that Markdown has, and ``markdown_code`` names languages of code.
``markdown_math`` writes formulas, ``markdown_emphasis`` strong text beside letters, and ``markdown_marks`` leaves out
what only marks a place. Markup that Markdown cannot express stays as a bare tag.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from types import ModuleType

from lxml import etree

from scrapy_blockfilter.html.limits import DEEPEST, UnfitPage
from scrapy_blockfilter.html.parse import build, parse
from scrapy_blockfilter.html.raw import RAW
from scrapy_blockfilter.html.tags import OPAQUE
from scrapy_blockfilter.options.output_forms import require_library
from scrapy_blockfilter.render.addresses import CONTROL, address_of
from scrapy_blockfilter.render.markdown_code import name_languages
from scrapy_blockfilter.render.markdown_emphasis import mark_emphasis, put_emphasis
from scrapy_blockfilter.render.markdown_marks import remove_marks
from scrapy_blockfilter.render.markdown_math import mark_formulas, put_formulas, take_formulas
from scrapy_blockfilter.render.markdown_tables import plain_tables

_OPAQUE = OPAQUE | {"object"}
# What may be in HEAD. The parser leaves other elements there, too, if a page without a BODY tag begins with them.
_OF_HEAD = frozenset({"base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "title"}) | _OPAQUE
# What a browser shows in place of frames and plug-ins; the parser keeps its markup as text.
_ALTERNATIVES = ("noembed", "noframes")
# Numbers of list items. CommonMark takes nine digits; no page has so many items that another digit is needed.
_NUMBER = re.compile("[0-9]{1,8}")
_GONE = "GONE"  # the parser writes names in lower case


def library() -> ModuleType:
    """Import turbohtml on first use of Markdown.

    Raises:
        ImportError: it is not installed.
    """
    require_library("markdown")
    import turbohtml

    return turbohtml


def render_markdown(html: str, url: str = "", tell: Callable[[str], object] = lambda reason: None) -> str:
    """Write HTML as Markdown, without its TITLE.

    Args:
        html: cleaned HTML of a page within limits.
        url: base address of links and images. "" or the address of a file leaves them unchanged.
        tell: called with the reason for each thing that is written in a simpler form because of its size.

    Raises:
        ImportError: turbohtml is not installed.
    """
    turbohtml = library()
    if not html.strip():
        return ""
    try:
        root = build(html)  # written in full, a page may have more end tags at great depth than its source
    except UnfitPage:  # no element is left of it
        return ""
    for head in root.iter("head"):
        for element in head.iterchildren(*_OF_HEAD):
            element.tag = _GONE
        head.tag = "div"
    for element in list(root.iter(*_ALTERNATIVES)):
        _open(element)
    mark_formulas(root)
    remove_marks(root, _GONE)
    for element in root.iter(etree.Element):
        if element.tag in _OPAQUE:
            element.tag = _GONE
        elif element.tag == "frameset":
            element.tag = "div"  # beside a FRAMESET, the writer would drop all text
    etree.strip_elements(root, _GONE, etree.Comment, etree.ProcessingInstruction, with_tail=False)
    plain_tables(root, tell)
    formulas = take_formulas(root)
    name_languages(root)
    for quotation in list(root.iter("q")):
        _write_marks(quotation)
    for element in root.iter("ol", "ul", "menu", "dir"):
        if element.find("li") is None:
            element.tag = "div"  # or its content would be indented like code
    for element in root.iter(etree.Element):
        _make_plain(element, url)
    etree.strip_elements(root, _GONE, with_tail=False)
    mark_emphasis(root)
    options = turbohtml.Markdown(tables=turbohtml.Markdown.Tables(cell_blocks="text"))
    written: str = turbohtml.parse(etree.tostring(root, encoding="unicode", method="html")).to_markdown(options)
    return put_formulas(put_emphasis(written), formulas)


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
    for part in inner.iter("html", "body"):
        part.tag = "div"
    element.append(inner)


def _write_marks(quotation: etree._Element) -> None:
    """Put quotation marks around Q. The writer's own would come right before a fence inside, which then is none."""
    quotation.tag = "span"
    for add in (quotation.addprevious, quotation.addnext):
        mark = quotation.makeelement("span")
        mark.text = '"'
        add(mark)


def _make_plain(element: etree._Element, url: str) -> None:
    """Remove the attributes that Markdown cannot express.

    The others are asked for by name, as lxml refuses to read all of ``<p {{attributes}}>``.
    """
    tag = str(element.tag)
    kept: dict[str, str] = {}
    if tag == "a":
        has_content = len(element) > 0 or bool(element.text and element.text.strip())
        if has_content and (address := address_of(element.get("href"), url)):
            kept["href"] = address
    elif tag == "img":
        source = element.get("src", "")
        if not source.strip() or source.startswith("data:"):
            source = element.get("data-src", "")  # a lazily loaded image
        if address := address_of(source or None, url):
            kept = {"src": address, "alt": " ".join(CONTROL.sub("", element.get("alt", "")).split())}
        else:
            element.tag = _GONE
    elif tag in RAW:
        element.tag = "pre"
    elif tag in ("pre", "code"):
        kept["class"] = element.get("class", "")  # the name of a language, if any
    elif name := {"ol": "start", "li": "value"}.get(tag):
        kept[name] = number if _NUMBER.fullmatch(number := element.get(name, "")) else ""
    element.attrib.clear()
    for name, value in kept.items():
        if value or name == "alt":
            element.set(name, value)

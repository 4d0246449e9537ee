"""Read cleaned HTML for Markdown, without active elements, and without marks that only show beside the content.

Scripts, styles, comments and embedded media go, and so do permanent links of headings and numbers of lines of code.

Sites name the language of code in a class or attribute of its element or of one around it. A fence is followed by a
plain name or by nothing, as a backtick or a line break there would end the fence, and the code would become markup.
"""

from __future__ import annotations

import re

from lxml import etree

from scrapy_blockfilter.html import Limits, UnfitPage
from scrapy_blockfilter.html.parse import build, parse
from scrapy_blockfilter.html.tags import CELLS, OPAQUE, is_structural
from scrapy_blockfilter.render.markdown_math import Formula
from scrapy_blockfilter.render.spelled import GONE, spelled_out, strip_gone

_OPAQUE = (OPAQUE | {"object"}) - {"math", "script"}
# Elements of HEAD. The parser leaves other elements there, too, if a page without a BODY tag begins with them.
_OF_HEAD = frozenset({"base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "title"}) | OPAQUE
# Elements in place of frames and plug-ins, whose markup the parser keeps as text.
_ALTERNATIVES = ("noembed", "noframes")
_NAME = re.compile(r"[\w+#.-]{1,40}")
_CLASS = re.compile(rf"\A(?:language|lang|highlight-source|highlight-text|highlight)-({_NAME.pattern})\Z")
_BRUSH = re.compile(rf"brush:\s*({_NAME.pattern})")
# Classes of highlighters; another class beside them names the language.
_HIGHLIGHTERS = frozenset({"hljs", "sourceCode"})
# Hexo names the language on a FIGURE, with a table in between, which has a cell for the numbers of lines.
_FIGURE = 6
_NO_LANGUAGE = frozenset({"default", "none", "text", "plain", "plaintext", "source"})
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
    formulas = spelled_out(root)
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
    text = _LINE_END.sub("\n", _text_of(code))
    if not text.strip():
        return []
    marks = "`" * max(3, 1 + max(map(len, _BACKTICKS.findall(text)), default=0))
    return [marks + _language(code, languages), *text.removeprefix("\n").removesuffix("\n").split("\n"), marks]


def _text_of(code: etree._Element) -> str:
    texts = [""]
    for event, element in etree.iterwalk(code, events=("start", "end")):
        tag = str(element.tag)
        divides = element is not code and is_structural(tag) and tag not in CELLS
        if (divides and texts[-1] and not texts[-1].endswith("\n")) or (tag == "br" and event == "start"):
            texts.append("\n")
        if text := element.text if event == "start" else element.tail if element is not code else "":
            texts.append(text)
    return "".join(texts)


def _language(code: etree._Element, known: dict[etree._Element, str]) -> str:
    around = [parent for _, parent in zip(range(_FIGURE), code.iterancestors(), strict=False)]
    figures = [parent for parent in around[2:] if parent.tag == "figure"]
    inner = code[0] if len(code) == 1 and code[0].tag == "code" else code
    for element in (inner, code, *around[:2], *figures):
        if element not in known:
            known[element] = _language_of(element)
        if known[element]:
            return known[element]
    return ""


def _language_of(element: etree._Element) -> str:
    classes = element.get("class", "")
    names = classes.split()
    found = [(element.get("data-lang") or element.get("data-language") or "").split(" ")[0]]
    found += [match[1] for match in map(_CLASS.match, names) if match]
    found += _BRUSH.findall(classes)
    if element.tag == "figure" and names[:1] == ["highlight"]:
        found += names[1:2]
    if not _HIGHLIGHTERS.isdisjoint(names):
        found += [name for name in names if name not in _HIGHLIGHTERS and not _CLASS.match(name)]
    return next((name for name in found if _NAME.fullmatch(name) and name not in _NO_LANGUAGE), "")

"""Rewrite a page for a frame: its text and its looks, but nothing that acts or loads.

The page is written from its tree, from lists of allowed tags and attributes. Scripts, handlers, addresses and names are
not on these lists, so none is left to be blocked. A sandbox without scripts and a policy against loading add to that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lxml import etree

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.page import IMAGE, TAIL, TEXT
from scrapy_blockfilter.html.tags import OPAQUE, is_structural
from scrapy_blockfilter.report.markup import DOCTYPE, Html, Value, element, end_tag, join, start_tag, style_sheet

# Characters of a page's style sheets that are shown. Browsers take longer to lay out a page with every rule.
MAX_STYLES = 400_000
# An escaped letter, which may hide a url(: \75 rl(.
_CODE_POINT = re.compile(r"\\([0-9a-fA-F]{1,6})[ \t\r\n\f]?")
_LETTER = re.compile(r"\\([g-zG-Z])")
_LOADING = re.compile(r"(?i)(url|src|image|image-set|cross-fade|element|expression)(?=\()")
_IMPORT = re.compile(r"(?i)@(?=import|charset|namespace|font-face)")
# Heights in parts of the window. The frame is as high as its page, so these would make both grow without end.
_OF_WINDOW = re.compile(r"(?i)(?<![\w.])(\d{0,5}\.?\d{1,5})[dls]?vh\b")
_WINDOW = 8  # pixels for a hundredth of the window's height


def harmless(css: str) -> str:
    """Return a style sheet, or the declarations of a STYLE attribute, so that it loads nothing.

    >>> harmless(r"@import 'a.css'; p { background: u\\72l(a.png); min-height: 50vh }")
    "@-import 'a.css'; p { background: -url(a.png); min-height: calc(50 * 8px) }"
    """
    css = _LETTER.sub(r"\1", _CODE_POINT.sub(_letter, css))
    css = _IMPORT.sub("@-", _LOADING.sub(r"-\1", css))
    return _OF_WINDOW.sub(rf"calc(\1 * {_WINDOW}px)", css)


def _letter(found: re.Match[str]) -> str:
    """Replace the code of a letter by the letter. Other escapes stay, such as signs of an icon font."""
    letter = chr(number) if (number := int(found[1], 16)) < 128 else ""
    return letter if letter.isalpha() else found[0]


# The frame loads nothing from outside of the document itself.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

_TAGS = (
    "a abbr address article aside b bdi bdo big blockquote br button caption center cite code col colgroup dd del dfn "
    "div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd "
    "label legend li main mark menu nav ol optgroup option p pre q s samp search section select small span strike "
    "strong sub sup table tbody td textarea tfoot th thead time tr tt u ul var wbr"
)
_AS_THEY_ARE = frozenset(_TAGS.split())
_CUSTOM = re.compile(r"\A[a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){1,5}")
_LEFT_OUT = OPAQUE | {"head"}
_CONTROLS = frozenset({"button", "fieldset", "input", "optgroup", "option", "select", "textarea"})
# Browsers read tags inside these as text.
_TEXT_ALONE = frozenset({"option", "select", "textarea"})
_ATTRIBUTE_NAMES = (
    "align alt bgcolor border cellpadding cellspacing class color colspan dir face height hidden id lang media "
    "placeholder reversed rowspan size span start type valign value width"
)
_ATTRIBUTES = frozenset(_ATTRIBUTE_NAMES.split())
_DATA_IMAGE = re.compile(r"data:image/(?:png|jpe?g|gif|webp);base64,[A-Za-z0-9+/=]+")
_MARK = "data-block"

# The page's own styles come after this sheet, and may override it.
_BASE_STYLE = """
:root { color-scheme: light; background: #fff; color: #1b1d21; font: 16px/1.5 system-ui, sans-serif }
body { margin: 16px; overflow-wrap: break-word }
a[data-link] { color: #1a4fa3; text-decoration: underline }
img { max-width: 100%; height: auto }
img:not([src]) { display: inline-block; min-width: 1em; min-height: 1em; border: 1px dashed #8a8f98; padding: 0 .3em }
pre { overflow: auto }
bf-gone { display: none !important }
"""


def frame_document(page: Page, numbers: Sequence[int | None]) -> Html:
    """Return a page with its tree, which is not changed, as a document for the SRCDOC of a frame.

    The number of each text chunk marks the elements that hold it; None marks nothing.
    """
    assert page.root is not None
    writer = _Writer(page, numbers)
    body = writer.body()
    head = (
        element("meta", {"charset": "utf-8"}),
        element("meta", {"http-equiv": "Content-Security-Policy", "content": POLICY}),
        style_sheet(_BASE_STYLE, {}),
        *writer.styles,
    )
    root_attributes = _attributes(page.root, "html")
    return join((DOCTYPE, element("html", root_attributes, element("head", {}, *head), body)))


class _Writer:
    def __init__(self, page: Page, numbers: Sequence[int | None]) -> None:
        self.styles: list[Html] = []
        self._page = page
        self._of_elements, self._of_texts = _marks(page, numbers)
        self._room = MAX_STYLES

    def body(self) -> Html:
        """Write everything outside of the head as the body, and collect the style sheets on the way."""
        root = self._page.root
        assert root is not None
        ordinals = {node: ordinal for ordinal, node in enumerate(self._page.elements)}
        bodies = [child for child in root if child.tag == "body"]
        parts: list[str] = [start_tag("body", _attributes(bodies[0], "body") if bodies else {})]
        walk = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
        for event, node in walk:
            ordinal = ordinals[node]
            if event == "start":
                if node.tag in _LEFT_OUT:
                    for style in node.iter("style") if node.tag in ("head", "style") else ():
                        self._note_style(style)
                    parts.append(element("bf-gone", {}))
                    walk.skip_subtree()
                    continue
                if name := _written_name(node, root):
                    mark = {_MARK: self._of_elements.get(ordinal)}
                    parts.append(start_tag(name, {**_attributes(node, name), **mark}))
                    if name == "textarea":
                        parts.append("\n")  # a browser drops the first line break
                self._add_text(parts, node.text, ordinal << 2 | TEXT)
            else:
                if event == "end" and node.tag not in _LEFT_OUT and (name := _written_name(node, root)):
                    parts.append(end_tag(name))
                if node is not root:
                    self._add_text(parts, node.tail, ordinal << 2 | TAIL)
        parts.append(end_tag("body"))
        return join(parts)

    def _add_text(self, parts: list[str], text: str | None, piece: int) -> None:
        if text:
            number = self._of_texts.get(piece)
            parts.append(text if number is None else element("bf-text", {_MARK: number}, text))

    def _note_style(self, style: etree._Element) -> None:
        css = style.text or ""
        if len(css) <= self._room:
            self._room -= len(css)
            self.styles.append(style_sheet(harmless(css), {"data-own": True, "media": style.get("media")}))


def _marks(page: Page, numbers: Sequence[int | None]) -> tuple[dict[int, int], dict[int, int]]:
    """Return the block numbers that mark elements (by ordinal) and pieces of text.

    An element with text of only one block is marked itself, so that nothing comes between it and its text.
    """
    blocks_of = [0] * len(page.tags)
    for node in page.chunks.nodes.tolist():
        blocks_of[node] += 1
    has_inner = {parent for parent in page.parents if parent >= 0}
    of_elements, of_texts = {}, {}
    for block, number in zip(page.chunks.blocks, numbers, strict=True):
        if number is None:
            continue
        ordinal = page.ordinals[block.node]
        is_leaf = blocks_of[block.node] == 1 and block.node not in has_inner
        if is_leaf and page.tags[block.node] not in ("html", "body"):
            of_elements[ordinal] = number
            continue
        for piece in block.pieces:
            owner = page.holder_of(piece)
            if piece & 3 == IMAGE or page.elements[owner].tag in _TEXT_ALONE:
                of_elements[owner] = number
            else:
                of_texts[piece] = number
    return of_elements, of_texts


def _written_name(node: etree._Element, root: etree._Element) -> str:
    """Return the tag to write for an element, "" for none: its own tag, or a harmless tag."""
    tag = str(node.tag)
    if node is root or (tag == "body" and node.getparent() is root):
        return ""
    if tag in _AS_THEY_ARE or _CUSTOM.fullmatch(tag):
        return tag
    return "div" if is_structural(tag) else "span"


def _attributes(node: etree._Element, name: str) -> dict[str, Value]:
    kept: dict[str, Value] = {key: node.get(key) for key in sorted(_ATTRIBUTES) if key in node.attrib}
    if style := node.get("style"):
        kept["style"] = harmless(style)
    if name in _CONTROLS:
        kept["disabled"] = True
    elif name == "a":
        kept["data-link"] = "href" in node.attrib
    elif name == "img" and _DATA_IMAGE.fullmatch(source := node.get("src", "")):
        kept["src"] = source
    return kept

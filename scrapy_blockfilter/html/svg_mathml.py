"""End drawings and formulas where a browser ends them, in the text of a page before it is parsed.

Within SVG and MATH, the first tag of HTML, such as P or DIV, ends them all for a browser. libxml2 waits for ``</svg>``.
It would put the rest of the page into an unclosed drawing or an EMBED, which has no end tag, and we would lose its
text.
"""

from __future__ import annotations

import re
from collections import Counter

from lxml import etree

from scrapy_blockfilter.html.nearby import Known, nearest
from scrapy_blockfilter.html.tag_cost import REST

# Tags that end foreign content (https://html.spec.whatwg.org/#parsing-main-inforeign).
_NAMES = (
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta "
    "nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
)
_ENDING = frozenset(_NAMES.split())
_STYLES = ("color", "face", "size")  # attributes of a FONT that ends foreign content
# Elements that may have HTML in them, and the foreign element that they are parts of.
_HOLDERS = {
    **dict.fromkeys(("foreignobject", "desc"), "svg"),
    **dict.fromkeys(("annotation-xml", "mi", "mo", "mn", "ms", "mtext"), "math"),
}
_FOREIGN = frozenset({"svg", "math"})
_AROUND = _FOREIGN | _HOLDERS.keys()
# Elements whose content the parser takes for text, wherever they are.
_RAW = frozenset({"script", "style", "title", "textarea", "iframe", "noembed", "noframes", "xmp", "plaintext"})

_END = {name: re.compile(f"</{name}", re.IGNORECASE) for name in _RAW}
_IS_STYLED = re.compile(rf"\s(?:{'|'.join(_STYLES)})(?=[\s=/>])", re.IGNORECASE)
_TOKEN = re.compile(rf"<!--|<[!?]|</(?![a-zA-Z>])|<(/?)(?P<name>[a-zA-Z][^\s/>]*){REST}(?P<end>>?)")
_END_OF_COMMENT = re.compile("--!?>")  # searched from the first hyphen on, for <!-->
_END_OF_DECLARATION = re.compile(">")
_CLOSED = re.compile(r"(?<!\s)\s*</embed", re.IGNORECASE)  # behind the tag


def holds_html(root: etree._Element) -> bool:
    """Return whether a foreign element of a tree holds what a browser would show behind it."""
    foreign: Known = {}
    holders: Known = {}
    for element in root.iter("svg", "math", "embed"):
        if element.tag == "embed":
            if len(element) or (element.text or "").strip():
                return True
        elif nearest(element.getparent(), _FOREIGN, foreign) is None and any(
            _is_behind(inner, holders) for inner in element.iter()
        ):
            return True
    return False


def _is_behind(element: etree._Element, holders: Known) -> bool:
    """Return whether an element would end the foreign element that it is in."""
    if element.tag in _ENDING or (element.tag == "font" and any(name in element.attrib for name in _STYLES)):
        around = nearest(element.getparent(), _AROUND, holders)
        return around is not None and around.tag in _FOREIGN
    return False


def end_foreign(text: str) -> str:
    """Return HTML with the end tags that foreign elements lack.

    >>> end_foreign("<p>a<svg><path/><p>b"), end_foreign("<embed src=x>c")
    ('<p>a<svg><path/></svg><p>b', '<embed src=x></embed>c')
    """
    parts: list[str] = []
    written = place = 0
    opened: list[str] = []  # foreign elements, and those in them that hold HTML
    counts: Counter[str] = Counter()  # of the names in it

    while found := _TOKEN.search(text, place):
        start, place = found.span()
        if found["name"] is None:
            end = (_END_OF_COMMENT if found[0] == "<!--" else _END_OF_DECLARATION).search(text, start + 2)
            if end is None:
                break
            place = end.end()
            continue
        if not found["end"]:  # the tag does not end
            break
        name = found["name"].lower()
        in_foreign = bool(opened) and opened[-1] not in _HOLDERS
        if found[1]:
            if in_foreign and name in ("p", "br"):
                parts += text[written:start], _ends(opened, counts)
                written = start
            elif counts[name]:
                while (ended := opened.pop()) != name:
                    counts[ended] -= 1
                counts[name] -= 1
            continue
        if in_foreign and (name in _ENDING or (name == "font" and _IS_STYLED.search(found[0]))):
            parts += text[written:start], _ends(opened, counts)
            written = start
        is_closed = found[0].endswith("/>")
        if name == "embed" and not is_closed and not _CLOSED.match(text, place):
            parts += text[written:place], "</embed>"
            written = place
        elif name in _RAW and not is_closed:
            end = _END[name].search(text, place)
            if end is None or name == "plaintext":
                break
            place = end.start()
        elif not is_closed and (name in _FOREIGN or (opened and _HOLDERS.get(name) == opened[-1])):
            opened.append(name)
            counts[name] += 1
    return "".join((*parts, text[written:])) if parts else text


def _ends(opened: list[str], counts: Counter[str]) -> str:
    """Return end tags of the innermost foreign elements, and forget them."""
    ends = []
    while opened and opened[-1] not in _HOLDERS:
        counts[opened[-1]] -= 1
        ends.append(f"</{opened.pop()}>")
    return "".join(ends)

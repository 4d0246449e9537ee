"""Set apart the texts of inline elements that a page shows as boxes side by side, without white space in its HTML.

Labels, buttons and options are boxes. Classes and styles make others, and links that touch are two: no page links the
parts of a word. Letters with elements of their own stay together.
"""

from __future__ import annotations

import html
import re
import unicodedata
from itertools import islice

from lxml import etree

from scrapy_blockfilter.html.nearby import few_nodes, text_of
from scrapy_blockfilter.render.addresses import CONTROL

_BOXES = frozenset({"label", "button", "option"})
_INLINE = ("a", "span", "label", "button", "option", "b", "strong", "small", "em", "i", "time", "data", "mark", "cite")
_CAMEL_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])")
# Classes of boxes, of elements with a distance to others, and of elements whose children are boxes.
_NAMED = re.compile(
    r"(?:^|[\s:_-])(?:badge|btn|button|tag|chip|pill|label|col|cell|box|tab|item|block|flex|grid)s?(?=$|[\s_-])"
)
_DISTANT = re.compile(r"(?:^|[\s:])[mp][trblxyse]?-(?:\d|auto|px|\[)")
_FLEX = re.compile(r"(?:^|[\s:])(?:d-|inline-)?(?:flex|grid)(?=$|\s)")
_ROW = re.compile(
    r"(?:^|[\s:_-])(?:flex|grid|row|[hv]?stack|columns|group|inline|wrap|breadcrumbs?|tags|chips|badges|pills|tabs|buttons"
    r"|labels|toolbar)(?=$|\s)|(?:^|[\s:])(?:gap|space)-"
)
_ROLES = frozenset({"button", "cell", "listitem", "menuitem", "option", "tab"})
_SHOWN_AS_BOX = re.compile(r"\bdisplay\s*:\s*(?:inline-)?(?:block|flex|grid|table)\b")
_SHOWN_AS_ROW = re.compile(r"\bdisplay\s*:\s*(?:inline-)?(?:flex|grid)\b")
_HAS_EDGES = re.compile(
    r"\b(?:margin|padding)(?:-[a-z]{1,20})?\s*:[^;]{0,40}[1-9]|\bfloat\s*:\s*(?:left|right)", re.IGNORECASE
)
# Tags between two texts: those of an inline element that ends and of another that begins, or of a box alone.
_NAMES = "|".join(_INLINE)
_TOUCHING = re.compile(
    rf"<(?:/(?:{_NAMES})>(?:</(?:{_NAMES})>|<!--[^<>]{{0,40}}-->){{0,4}}"
    rf"(?:<(?:{_NAMES}|svg|path|img|input)\b[^<>]{{0,500}}>(?:</(?:svg|path)>)?){{1,6}}"
    r"|/(?:label|button)>|(?:label|button)\b[^<>]{0,500}>(?:<[^<>]{1,500}>){0,4})"
)
# Nodes of a box, siblings and ancestors of it, and characters beside tags, that are looked at.
_NODES, _NEAR, _LEVELS, _LONGEST = 30, 4, 6, 12
# Tags before those that touch that are passed over.
_MOST_EMPTY = 4
_EMPTY = frozenset({"img", "svg", "i", "span", etree.Comment})
_MOST_TOUCHING = 1_000  # more are not searched for
_CODE = frozenset({"pre", "code", "samp", "kbd"})
# Scripts without spaces between words, and Thai with its neighbours.
_SPACELESS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")


def may_touch(source: str, text: str) -> bool:
    """Return whether texts of boxes may touch in the text of a page, given its HTML."""
    seen: set[str] = set()
    for tags in _TOUCHING.finditer(source):
        before = _text_before(source, tags.start())
        after = source[tags.end() : tags.end() + _LONGEST].partition("<")[0]
        if _parts(before, after):
            seen.add(f"{before}{after}")
    return len(seen) > _MOST_TOUCHING or any(" ".join(html.unescape(said).split()) in text for said in seen)


def _text_before(source: str, end: int) -> str:
    """Return the text before some tags, and before tags of empty elements and stray end tags in front of them."""
    for _ in range(_MOST_EMPTY):
        if not source.endswith(">", 0, end):
            break
        end = max(0, source.rfind("<", 0, end))
    return source[max(0, end - _LONGEST) : end].rpartition(">")[2]


def set_apart(root: etree._Element) -> None:
    """Put a space between the texts of boxes that touch."""
    rows: dict[etree._Element, tuple[bool, bool]] = {}
    for element in root.iter(*_INLINE):
        around, before = element.getparent(), _before(element)
        if around is None:
            continue
        if around not in rows:
            rows[around] = _arranges(around)
        is_row, is_flex = rows[around]
        if not element.tail:
            following = _next(element)
            if following is not None and _are_boxes(element, following, is_row=is_row):
                element.tail = " "
        text = (around.text if before is None else before.tail) or ""
        if (is_flex or element.tag in _BOXES) and (text or element.tail):
            said = _said(element)
            if len(said) > 1 and element.tail and _parts(said, element.tail):
                element.tail = CONTROL.sub("", f" {element.tail}")
            if text and _parts(text, said):
                text = CONTROL.sub("", f"{text} ")
                if before is None:
                    around.text = text
                else:
                    before.tail = text


def _before(element: etree._Element) -> etree._Element | None:
    """Return the element before another, passing over empty elements without a text behind them."""
    before = element.getprevious()
    for _ in range(_NEAR):
        if before is None or before.tail or len(before) or before.text:
            break
        before = before.getprevious()
    return before


def _next(element: etree._Element) -> etree._Element | None:
    """Return the inline element behind another, with nothing but drawings and comments in between."""
    for following in islice(element.itersiblings(), _NEAR):
        if following.tag in _INLINE and len(following) + len(following.text or ""):
            return following
        if following.tail or following.tag not in _EMPTY:
            return None
    return None


def _are_boxes(one: etree._Element, other: etree._Element, *, is_row: bool) -> bool:
    said = _said(one), _said(other)
    if not _parts(*said):
        return False
    named = [_NAMED.search(_names_of(element)) is not None for element in (one, other)]
    if all(named) or not _BOXES.isdisjoint({one.tag, other.tag}):
        return True
    if all(element.tag == "a" and element.get("href") for element in (one, other)):
        return is_row or not (_SPACELESS.match(said[0][-1]) and _SPACELESS.match(said[1]))
    if 1 in map(len, said):  # letters of a word, or a first letter that is drawn large
        return is_row and not said[1][0].islower() and not any(map(str.isdigit, said))
    return is_row or any(named) or any(map(_has_edges, (one, other)))


def _has_edges(element: etree._Element) -> bool:
    style = element.get("style", "")
    shown = _SHOWN_AS_BOX.search(style) or _HAS_EDGES.search(style) or _DISTANT.search(element.get("class", ""))
    return shown is not None or element.get("role") in _ROLES


def _arranges(element: etree._Element) -> tuple[bool, bool]:
    """Return whether an element shows elements in it as boxes, and text beside them, too."""
    names, style = _names_of(element), element.get("style", "")
    is_flex = _FLEX.search(names) is not None or _SHOWN_AS_ROW.search(style) is not None
    return is_flex or _ROW.search(names) is not None, is_flex


def _names_of(element: etree._Element) -> str:
    return _CAMEL_CASE.sub("-", element.get("class", "")).lower()


def _parts(before: str, after: str) -> bool:
    """Return whether a space may stand between two texts that touch: a sign that belongs to its word stays with it."""
    last, first = before[-1:], after[:1]
    ends = (
        last.isalnum() or (last != "" and last in ".!?:;,%°") or unicodedata.category(last or " ") in ("Pe", "Pf", "So")
    )
    return ends and (
        first.isalnum() or first in ("#", "@") or unicodedata.category(first or " ") in ("Ps", "Pi", "So", "Sc")
    )


def _said(element: etree._Element) -> str:
    """Return the text of an element, "" if it has many others in it or is code."""
    is_code = any(around.tag in _CODE for around in islice(element.iterancestors(), _LEVELS))
    return "" if is_code else text_of(few_nodes(element, _NODES)).strip()

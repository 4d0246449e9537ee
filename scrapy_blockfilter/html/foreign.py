"""End drawings and formulas where a browser ends them, in the text of a page before it is parsed.

Within SVG and MATH, the first tag of HTML, such as P or DIV, ends them all for a browser. libxml2 waits for ``</svg>``:
what follows a drawing that is not closed would be part of it, and of no text. So would what follows EMBED, which has no
end tag.
"""

from __future__ import annotations

import re

# Tags that end foreign content (https://html.spec.whatwg.org/#parsing-main-inforeign).
_ENDING = (
    "b|big|blockquote|body|br|center|code|dd|div|dl|dt|em|embed|h[1-6]|head|hr|i|img|li|listing|menu|meta|nobr|ol|p|pre|"
    "ruby|s|small|span|strong|strike|sub|sup|table|tt|u|ul|var"
)
# Elements that may have HTML in them, and the foreign element that they are parts of.
_HOLDERS = {
    **dict.fromkeys(("foreignobject", "desc"), "svg"),
    **dict.fromkeys(("annotation-xml", "mi", "mo", "mn", "ms", "mtext"), "math"),
}
_FOREIGN = frozenset({"svg", "math"})
# The parser takes their content for text, wherever they are.
_RAW = frozenset({"script", "style", "title", "textarea", "iframe", "noembed", "noframes", "xmp", "plaintext"})

_START = re.compile("<(?:[sS][vV][gG]|[mM][aA][tT][hH]|[eE][mM][bB][eE][dD])(?=[\\s/>])")
_END = {name: re.compile(f"</{name}", re.IGNORECASE) for name in _RAW}
_BOUNDS = {name: re.compile(f"<(/?){name}(?=[\\s/>])", re.IGNORECASE) for name in _FOREIGN}
_ODD = re.compile(f"<(?:{_ENDING})(?=[\\s/>])|<font\\s|</(?:p|br)(?=[\\s/>])", re.IGNORECASE)
_IS_ENDING = re.compile(_ENDING)
_IS_STYLED = re.compile(r"\s(?:color|face|size)(?=[\s=/>])", re.IGNORECASE)
_VALUE = r"=\s*(?:\"[^\"]*\"|'[^']*')"
_REST = rf"[^>=]*(?:(?=({_VALUE}|=))\3[^>=]*)*"  # a lookahead group is never retried
_TOKEN = re.compile(rf"<!--|<[!?]|<(/?)([a-zA-Z][^\s/>]*){_REST}(>?)")
_END_OF_COMMENT = re.compile("--!?>")  # searched from the first hyphen on, for <!-->
_END_OF_DECLARATION = re.compile(">")
_CLOSED = re.compile(r"(?<!\s)\s*</")  # behind the tag; any end tag closes it, too


def end_foreign(text: str) -> str:
    """Return HTML with the end tags that foreign elements lack; the same text if they lack none.

    >>> end_foreign("<p>a<svg><path/><p>b"), end_foreign("<embed src=x>c")
    ('<p>a<svg><path/></svg><p>b', '<embed src=x></embed>c')
    """
    return _ended(text) if _may_lack_ends(text) else text


def _may_lack_ends(text: str) -> bool:
    """Return whether a foreign element may not be closed, or have HTML before its end. Most pages need no more."""
    place = 0
    while found := _START.search(text, place):
        name = found[0][1:].lower()
        if name == "embed":
            tag = _TOKEN.match(text, found.start())
            if tag is None or not _CLOSED.match(text, tag.end()):
                return True
            place = tag.end()
            continue
        place, depth = found.end(), 1
        while depth:
            bound = _BOUNDS[name].search(text, place)
            if bound is None:
                return True
            place = bound.end()
            depth += -1 if bound[1] else 1
        if _ODD.search(text, found.end(), place):
            return True
    return False


def _ended(text: str) -> str:
    parts: list[str] = []
    written = place = 0
    opened: list[str] = []  # foreign elements, and those in them that hold HTML

    while found := _TOKEN.search(text, place):
        start, place = found.span()
        if found[2] is None:
            end = (_END_OF_COMMENT if found[0] == "<!--" else _END_OF_DECLARATION).search(text, start + 2)
            if end is None:
                break
            place = end.end()
            continue
        if not found[4]:  # the tag does not end
            break
        name = found[2].lower()
        in_foreign = bool(opened) and opened[-1] not in _HOLDERS
        if found[1]:
            if in_foreign and name in ("p", "br"):
                parts += text[written:start], _ends(opened)
                written = start
            elif name in opened:
                while opened.pop() != name:
                    pass
            continue
        if in_foreign and (_IS_ENDING.fullmatch(name) or (name == "font" and _IS_STYLED.search(found[0]))):
            parts += text[written:start], _ends(opened)
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
    return "".join((*parts, text[written:])) if parts else text


def _ends(opened: list[str]) -> str:
    """Return end tags of the innermost foreign elements, and forget them."""
    ends = []
    while opened and opened[-1] not in _HOLDERS:
        ends.append(f"</{opened.pop()}>")
    return "".join(ends)

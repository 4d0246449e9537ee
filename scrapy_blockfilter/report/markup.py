"""Build HTML from values. All escaping is done here, so that no text of a page becomes markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

# Characters that HTML may not have, even escaped; and lone surrogates, which no encoding has.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_VOID = frozenset({"br", "col", "hr", "img", "input", "meta", "wbr"})

Value = str | int | float | bool | None


class Html(str):
    """Text that is HTML already. Only this module makes it."""

    __slots__ = ()


def escape(text: str) -> Html:
    """Escape text for HTML, inside or outside of quotes. Text that is HTML already stays as it is.

    >>> escape('<b title="x">'), escape(element("b", {}, "1 < 2"))
    ('&lt;b title=&quot;x&quot;&gt;', '<b>1 &lt; 2</b>')
    """
    if isinstance(text, Html):
        return text
    text = _UNWRITABLE.sub("\ufffd", text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return Html(text.replace('"', "&quot;").replace("'", "&#39;"))


def start_tag(name: str, attributes: Mapping[str, Value]) -> Html:
    """Return a start tag. An attribute that is False or None is left out, one that is True has no value.

    Names are chosen by this package, and not escaped.
    """
    written = [f"<{name}"]
    for attribute, value in attributes.items():
        if value is True:
            written.append(f" {attribute}")
        elif value is not None and value is not False:
            # HTML is escaped too: a SRCDOC is the text of a document.
            written.append(f' {attribute}="{escape(str(value))}"')
    return Html("".join((*written, ">")))


def end_tag(name: str) -> Html:
    return Html("" if name in _VOID else f"</{name}>")


def element(name: str, attributes: Mapping[str, Value], *children: str) -> Html:
    """Return an element with its children. Children that are not :class:`Html` are escaped."""
    return join((start_tag(name, attributes), *children, end_tag(name)))


def join(parts: Iterable[str]) -> Html:
    return Html("".join(map(escape, parts)))


def style_sheet(css: str, attributes: Mapping[str, Value]) -> Html:
    """Return a STYLE element that the text in it cannot end."""
    css = _UNWRITABLE.sub("\ufffd", css).replace("</", "<\\/").replace("<!--", "")
    return Html(f"{start_tag('style', attributes)}{css}</style>")


def script(code: str) -> Html:
    """Return a script of this package."""
    assert "</" not in code
    assert "<!--" not in code
    return Html(f"<script>{code}</script>")


DOCTYPE = Html("<!DOCTYPE html>\n")

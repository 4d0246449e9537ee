"""Write strong and emphasised text beside letters by asterisks, where CommonMark reads them as such.

CommonMark takes asterisks for marks only where the text inside begins and ends with a letter, or where a space or a
sign is outside. Languages without spaces often break that by a full stop or a quotation mark at the end. Such signs
are put outside of the marks.
"""

from __future__ import annotations

import unicodedata

from lxml import etree

# Stand for asterisks on the way through the writer, which would escape them. Of a page with these characters, which are
# none, they become asterisks, too.
_STRONG, _EMPHASIS = "\ufdd2", "\ufdd3"
_TAGS = {"strong": _STRONG, "b": _STRONG, "em": _EMPHASIS, "i": _EMPHASIS}


def mark_emphasis(root: etree._Element) -> None:
    """Put signs for asterisks around emphasised texts that stand beside letters, where these can mark them."""
    for element in list(root.iter(*_TAGS)):
        _mark(element)


def _mark(element: etree._Element) -> None:
    around, last = element.getparent(), element.getprevious()
    if len(element) or around is None or around.tag in _TAGS or "*" in (text := element.text or ""):
        return
    before = ((around.text if last is None else last.tail) or "")[-1:]
    after = (element.tail or "")[:1]
    if not (_is_letter(before) or _is_letter(after)):
        return  # the writer does so by itself
    if (not before and last is not None) or (not after and element.getnext() is not None) or "*" in before + after:
        return
    start, end = 0, len(text)
    while start < end and not _is_letter(text[start]):
        start += 1
    while end > start and not _is_letter(text[end - 1]):
        end -= 1
    if start == end:
        return
    _add_before(element, text[:start])
    element.tail = text[end:] + (element.tail or "") or None
    mark = _TAGS[str(element.tag)]
    element.tag, element.text = "span", f"{mark}{text[start:end]}{mark}"


def _add_before(element: etree._Element, text: str) -> None:
    last, around = element.getprevious(), element.getparent()
    if last is not None:
        last.tail = (last.tail or "") + text or None
    elif around is not None:
        around.text = (around.text or "") + text or None


def _is_letter(character: str) -> bool:
    """Return whether a character is neither space nor punctuation nor symbol, as CommonMark has them."""
    return bool(character) and not character.isspace() and unicodedata.category(character)[0] not in "PSZC"


def put_emphasis(markdown: str) -> str:
    """Put asterisks in the place of their signs."""
    return markdown.replace(_STRONG, "**").replace(_EMPHASIS, "*")

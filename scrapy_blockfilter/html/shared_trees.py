"""Trees that someone else holds: the selectors of responses and of users.

Native code reads them as they are, so none is copied. Their owners may change them at any time: a fingerprint tells.
"""

from __future__ import annotations

import re
from types import ModuleType

from lxml import etree

from scrapy_blockfilter._native import load
from scrapy_blockfilter.html.limits import NO_LIMITS
from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.html.parse import is_whole, own_copy, parse

# Of other texts, parsel's tree differs from that of ``parse``: it strips all white space, and declarations of XML.
_PARSED_ALIKE = re.compile(r"\A[ \t\r\n]*<(?:!doctype|html)[\s>]", re.IGNORECASE)
_END_CHARACTERS = 1_000  # of the text, searched for its end tags
# A page with more of these, or these in the BODY, leaves elements open that its end tags seem to close.
_ONCE = ("<html", "<body", "</body", "</html")
_HEADS = ("<head>", "<head ")
_MOST_END_TAGS = 20  # of those directly before that of BODY


def shares_trees() -> bool:
    """Return whether trees that others hold are read as they are: where native code walks and compares them."""
    return _walk is not None and _native is not None


def fingerprint(root: etree._Element) -> int:
    """Return a number that tells in this process whether a tree has changed. Only where :func:`shares_trees`."""
    assert _native is not None, "native code is not built"
    value: int = _native.fingerprint(root)
    return value


def is_parsed_alike(text: str, root: etree._Element) -> bool:
    """Return whether ``parse`` would give the tree that parsel has just made of a text."""
    return starts_alike(text) and (not text[-1:].isspace() or _ends_closed(text, root)) and is_whole(root)


def starts_alike(text: str) -> bool:
    """Return whether ``parse`` reads the start of a text as parsel does."""
    return _PARSED_ALIKE.match(text) is not None


def _ends_closed(text: str, root: etree._Element) -> bool:
    """Return whether the end tags of the page close all elements. Else white space behind them belongs to one."""
    if [child.tag for child in root] != ["head", "body"] or (root[-1].tail or "").strip():
        return False
    last = root[-1]
    body = text.find("<body")
    if any(text.count(tag) > 1 for tag in _ONCE) or (body >= 0 and any(text.rfind(tag) > body for tag in _HEADS)):
        return False
    tags: list[str] = []
    while len(last) and not last[-1].tail:
        last = last[-1]
        if not isinstance(last.tag, str):
            break
        tags.append(re.escape(last.tag))
        if len(tags) > _MOST_END_TAGS or last.tag == "plaintext":
            return False
    text_at_end = (last[-1].tail if len(last) else last.text) or ""
    end_tags = "".join(f"</{tag}>" for tag in reversed(tags))
    closed = re.compile(rf"{end_tags}[ \t\r\n]*</body>[ \t\r\n]*</html>[ \t\r\n]*\Z", re.IGNORECASE)
    is_text = "</" in text_at_end[-_END_CHARACTERS:]  # the end tags are text, as in a script without its own
    return not is_text and closed.search(text, max(0, len(text) - _END_CHARACTERS)) is not None


def own_tree(page: Page) -> None:
    """Give a page a tree of its own, to be changed: a copy of the one it was segmented from."""
    assert page.root is not None
    _take_over(page, own_copy(page.root))


def renew_changed_tree(page: Page, source: str) -> None:
    """If the tree of a page has changed since it was segmented, parse the source of the page again.

    Raises:
        RuntimeError: another tree comes of that, as the tree was not just parsed when it was segmented.
    """
    if page.fingerprint is None or page.root is None or fingerprint(page.root) == page.fingerprint:
        return
    root = parse(source, NO_LIMITS)
    elements = list(root.iter())
    ordinals = {element: ordinal for ordinal, element in enumerate(elements)}
    parents = [-1, *(ordinals[parent] for element in elements[1:] if (parent := element.getparent()) is not None)]
    if parents != list(page.element_parents) or list(page.structure.tags) != [elements[at].tag for at in page.ordinals]:
        raise RuntimeError("the tree of the selector has changed since it was cleaned: clean it again")
    _take_over(page, root)


def _take_over(page: Page, root: etree._Element) -> None:
    page.root, page.elements, page.fingerprint = root, list(root.iter()), None


def _agrees(native: ModuleType) -> bool:
    """Return whether native code tells equal trees from others."""
    one, same, other = (etree.fromstring(f"<p a='b'>{text}<b/></p>", etree.HTMLParser()) for text in "ccd")
    return bool(native.fingerprint(one) == native.fingerprint(same) != native.fingerprint(other))


_native = load("fingerprint", _agrees)
# Without native code to walk them, plain elements of a copy are quicker to walk than those of parsel.
_walk = load("walk", lambda native: True)

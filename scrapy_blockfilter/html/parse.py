"""Parse the text of a page to a tree, within limits.

Beyond 2,048 levels, libxml2 silently drops the rest of a document, and some pages take it quadratic time. A page
outside the limits is therefore refused, before or after parsing. It passes unchanged and is never shortened.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from lxml import etree

from scrapy_blockfilter.html.svg_mathml import end_foreign, holds_html
from scrapy_blockfilter.html.tag_cost import check_tags
from scrapy_blockfilter.options.limits import DEFAULT_LIMITS, Limits, UnfitPage

_PLAIN = etree.HTMLParser()
# A TITLE up to the first tag after it.
_TITLE = re.compile(r"<title\b[^>]*>[^<]*(?:<(?![a-z/!])[^<]*)*", re.IGNORECASE)
_OUTER = re.compile(r"(?i)<(!doctype|html|head|body|frameset)[\s>]")
_COMMENT = re.compile(r"(?s)<!--.*?(?:-->|\Z)")
# Some servers write thousands of blank lines first, and some authors long comments.
_START = re.compile(r"(?s)(?:\s+|<!--.*?-->){0,100}(.{0,4096})")
_TITLE_ALONE = re.compile(r"<title\b[^<>]*>([^<]*(?:<(?!/title)[^<]*)*)", re.IGNORECASE)
_END_OF_TITLE = re.compile("</title", re.IGNORECASE)
_DOCTYPE = re.compile(r"(?i)<!doctype[^>]*>")
_MAX_LANGUAGE = 8  # characters of a language subtag in BCP 47; records keep it


class DocumentStart(NamedTuple):
    """The start of a page: the first tag that only a document has, "" for a fragment, and its DOCTYPE, "" without."""

    outermost: str
    doctype: str


def check_text(text: str, limits: Limits = DEFAULT_LIMITS) -> None:
    """Reject text that is empty or would be slow to parse, by raising :class:`UnfitPage`."""
    if not text or text.isspace():
        raise UnfitPage("empty", "the page is empty")
    if len(text) > limits.characters:
        raise UnfitPage("too_large", f"the page has {len(text):,} characters, more than {limits.characters:,}")
    check_tags(text, limits)


def parse(text: str, limits: Limits = DEFAULT_LIMITS) -> etree._Element:
    """Return the root of the tree of an HTML document or fragment.

    The tree is what parsel builds, ``<html>`` and ``<body>`` supplied, with four differences. Elements after
    ``</html>`` go to the end of the body, an unclosed TITLE ends before the next tag, and an unclosed SVG before the
    next tag of HTML. A shadow root is a DIV.

    Raises:
        UnfitPage: the text is beyond the limits, or contains no element.
    """
    check_text(text, limits)
    return build(text)


def build(text: str) -> etree._Element:
    """Return the root of the tree of HTML that is known to be within limits.

    Raises:
        UnfitPage: the HTML contains no element.
    """
    text = text.lstrip("\ufeff")
    html = text.encode("utf-8", "replace")
    if b"\x00" in html:  # found faster than in text
        return build(text.replace("\x00", ""))  # as parsel does
    root = _tree_of(html)
    if is_all_title(root) and (ended := _with_title_ended(text)) != text:
        root, text = _tree_of(ended.encode("utf-8", "replace")), ended
    if holds_html(root):
        root = _tree_of(end_foreign(text).encode("utf-8", "replace"))
    for template in list(_shadow_roots(root)):
        template.tag = "div"
    return root


def is_read_otherwise(root: etree._Element) -> bool:
    """Return whether :func:`build` makes another tree than ``root``, in which libxml2 has found all elements."""
    return holds_html(root) or any(True for _ in _shadow_roots(root))


def _shadow_roots(root: etree._Element) -> Iterator[etree._Element]:
    """Yield each TEMPLATE that browsers show, as the shadow root of the element around it."""
    return (of for of in root.iter("template") if "shadowrootmode" in of.attrib or "shadowroot" in of.attrib)


def _tree_of(html: bytes) -> etree._Element:
    parser = etree.HTMLParser(recover=True, encoding="utf-8", huge_tree=True)
    root = etree.fromstring(html, parser)
    if root is None:
        raise UnfitPage("empty", "the page has no element")
    body = root.find("body")
    around = root if body is None or (body.tail or "").strip() or body.getnext() is not None else body
    for behind in list(_trees_behind(root)):
        behind.tag = "div"
        for section in behind.iter("head", "body"):
            section.tag = "div"
        around.append(behind)
    return root


def is_all_title(root: etree._Element) -> bool:
    """Return whether an unclosed TITLE has swallowed the rest of the page, as markup inside TITLE is text."""
    last = root
    while len(last):
        last = last[-1]
    return last.tag == "title" and "<" in (last.text or "")


def _with_title_ended(text: str) -> str:
    """Close an unclosed TITLE before the first tag in it."""
    title = _TITLE.search(text)
    if title is None or _END_OF_TITLE.search(text, title.end()):
        return text
    return f"{text[: title.end()]}</title>{text[title.end() :]}"


def declared_language(root: etree._Element) -> str:
    """Return the language that a page declares, in lower case and without region, or ""."""
    declared = root.get("lang") or root.get("xml:lang") or ""
    return re.split(r"[-_]", declared.strip().lower(), maxsplit=1)[0][:_MAX_LANGUAGE]


def own_copy(root: etree._Element) -> etree._Element:
    """Copy a tree that someone else holds, with the siblings of its root, as plain lxml elements."""
    # Each element of a parsel tree is created by a Python function: to walk it twice takes as long as parsing it.
    holder = _PLAIN.makeelement("div")
    holder.extend(copy.deepcopy(node) for node in reversed(list(root.itersiblings(preceding=True))))
    copied = copy.deepcopy(root)
    holder.append(copied)
    holder.extend(copy.deepcopy(node) for node in root.itersiblings())
    return copied


def is_whole(root: etree._Element) -> bool:
    """Return whether the tree holds all elements: none follows its root, and no unclosed TITLE has taken them."""
    return next(_trees_behind(root), None) is None and not is_all_title(root)


def _trees_behind(root: etree._Element) -> Iterator[etree._Element]:
    return (sibling for sibling in root.itersiblings() if isinstance(sibling.tag, str))


def is_document(text: str) -> bool:
    """Return whether HTML starts like a whole document rather than a fragment."""
    return bool(start_of(text).outermost)


def start_of(text: str) -> DocumentStart:
    """Return how a page begins."""
    start = begun[1] if (begun := _START.match(text)) else ""
    start = _COMMENT.sub("", start) if "<!--" in start else start
    found = _OUTER.search(start)
    outermost = found[1].lower() if found else ""
    doctype = _DOCTYPE.search(start) if outermost == "!doctype" else None
    return DocumentStart(outermost, doctype[0] if doctype else "")


def titles_of(text: str) -> list[str]:
    """Return the titles of a document as its source has them, but for references, those in comments included.

    >>> titles_of("<html><!-- <title>Tea</title> --><title>Tea &amp; cakes</title>")
    ['Tea', 'Tea & cakes']
    """
    return list(map(unescape, _TITLE_ALONE.findall(text.replace("\0", ""))))  # parsel drops it, too

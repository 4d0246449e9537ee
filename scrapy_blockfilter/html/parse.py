"""From a page as text to a tree, within limits.

libxml2 drops the rest of a document without a word beyond 2,048 levels, and takes quadratic time over some pages, so a
page outside the limits is refused here, before or after parsing, and goes on unchanged: it never comes out shortened.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator

from lxml import etree
from w3lib.encoding import html_to_unicode

from scrapy_blockfilter.html.guard import check_tags
from scrapy_blockfilter.html.limits import DEFAULT_LIMITS, Limits, UnfitPage

_PLAIN = etree.HTMLParser()
_MAX_LANGUAGE = 8  # characters, as BCP 47 has it; it is kept with the page


def check_text(text: str, limits: Limits = DEFAULT_LIMITS) -> None:
    """Refuse text that parsing would take too long over.

    Raises:
        UnfitPage: it is empty or beyond the limits.
    """
    limits.check_size(text)
    check_tags(text, limits)


def decode(body: bytes) -> str:
    """The text of ``body`` by byte order mark, declared encoding, or a guess, as browsers do."""
    return html_to_unicode(None, body, auto_detect_fun=_guess_encoding)[1]


def _guess_encoding(body: bytes) -> str | None:
    for encoding in ("utf-8", "cp1252"):
        try:
            body.decode(encoding)
        except UnicodeDecodeError:
            continue
        return encoding
    return None


def parse(text: str, limits: Limits = DEFAULT_LIMITS) -> etree._Element:
    """The tree of an HTML document or fragment, ``<html>`` and ``<body>`` supplied, as parsel builds it, but with what
    stands behind ``</html>`` at the end of the body.

    Raises:
        UnfitPage: as :func:`check_text`, or there is no element in it.
    """
    check_text(text, limits)
    parser = etree.HTMLParser(recover=True, encoding="utf-8", huge_tree=True)
    root = etree.fromstring(text.replace("\x00", "").lstrip("\ufeff").encode("utf-8", "replace"), parser)
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


def declared_language(root: etree._Element) -> str:
    """The language that a page says it is in, without its region, in lower case; "" where it says none."""
    declared = root.get("lang") or root.get("xml:lang") or ""
    return re.split(r"[-_]", declared.strip().lower(), maxsplit=1)[0][:_MAX_LANGUAGE]


def own_copy(root: etree._Element) -> etree._Element:
    """A copy of a tree that someone else holds, with what stands around its root.

    Its elements are plain ones. Those of parsel's trees are made by a Python function each: to go through such a tree
    twice takes as long as to parse it.
    """
    holder = _PLAIN.makeelement("div")
    holder.extend(copy.deepcopy(node) for node in reversed(list(root.itersiblings(preceding=True))))
    copied = copy.deepcopy(root)
    holder.append(copied)
    holder.extend(copy.deepcopy(node) for node in root.itersiblings())
    return copied


def is_whole(root: etree._Element) -> bool:
    """Whether the tree holds all of its page: libxml2 puts what stands behind ``</html>`` into trees beside it."""
    return next(_trees_behind(root), None) is None


def _trees_behind(root: etree._Element) -> Iterator[etree._Element]:
    return (sibling for sibling in root.itersiblings() if isinstance(sibling.tag, str))

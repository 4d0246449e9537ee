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
# A TITLE up to the first tag behind it, and what ends one.
_TITLE = re.compile(r"<title\b[^>]*>[^<]*(?:<(?![a-z/!])[^<]*)*", re.IGNORECASE)
_OUTER = re.compile(r"(?i)<(!doctype|html|head|body|frameset)[\s>]")
_COMMENT = re.compile(r"(?s)<!--.*?(?:-->|\Z)")
_HEAD_CHARACTERS = 4096
_END_OF_TITLE = re.compile("</title", re.IGNORECASE)
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
    stands behind ``</html>`` at the end of the body, and a TITLE that nothing ends ended before the next tag.

    Raises:
        UnfitPage: as :func:`check_text`, or there is no element in it.
    """
    check_text(text, limits)
    root = _tree_of(text)
    if is_all_title(root) and (ended := _with_title_ended(text)) != text:
        root = _tree_of(ended)
    body = root.find("body")
    around = root if body is None or (body.tail or "").strip() or body.getnext() is not None else body
    for behind in list(_trees_behind(root)):
        behind.tag = "div"
        for section in behind.iter("head", "body"):
            section.tag = "div"
        around.append(behind)
    return root


def _tree_of(text: str) -> etree._Element:
    parser = etree.HTMLParser(recover=True, encoding="utf-8", huge_tree=True)
    root = etree.fromstring(text.replace("\x00", "").lstrip("\ufeff").encode("utf-8", "replace"), parser)
    if root is None:
        raise UnfitPage("empty", "the page has no element")
    return root


def is_all_title(root: etree._Element) -> bool:
    """Whether all that comes behind the TITLE's start tag is in it: markup is text there, so that a page whose TITLE
    nothing ends, as broken templates make it, has no other text."""
    last = root
    while len(last):
        last = last[-1]
    return last.tag == "title" and "<" in (last.text or "")


def _with_title_ended(text: str) -> str:
    """The page with the end of its TITLE before the first tag in it, if the TITLE has no end."""
    title = _TITLE.search(text)
    if title is None or _END_OF_TITLE.search(text, title.end()):
        return text
    return f"{text[: title.end()]}</title>{text[title.end() :]}"


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
    """Whether the tree holds all of its page as elements: libxml2 puts what stands behind ``</html>`` into trees beside
    it, and all into a TITLE that nothing ends."""
    return next(_trees_behind(root), None) is None and not is_all_title(root)


def _trees_behind(root: etree._Element) -> Iterator[etree._Element]:
    return (sibling for sibling in root.itersiblings() if isinstance(sibling.tag, str))


def is_document(text: str) -> bool:
    """Whether HTML is a whole document, by its first tags, rather than a fragment of one.

    >>> is_document("<!DOCTYPE html><p>a"), is_document("<p>a</p>")
    (True, False)
    """
    return bool(outermost_tag(text))


def outermost_tag(text: str) -> str:
    """The first tag that only a document has, "" in a fragment."""
    found = _OUTER.search(start_without_comments(text))
    return found[1].lower() if found else ""


def start_without_comments(text: str) -> str:
    return _COMMENT.sub("", text[:_HEAD_CHARACTERS])

"""From a page as text to a tree, within limits.

libxml2 drops the rest of a document without a word beyond 2,048 levels, and takes quadratic time over the
attributes of one tag (40,000 of them: 13 s), so a page outside the limits is refused here, before or after parsing,
and goes on unchanged: it never comes out shortened.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator

from lxml import etree
from w3lib.encoding import html_to_unicode

# 500 real pages: the longest had 3.4 M characters, the median 60 k. Twice that costs 0.4 s and 150 MB at the worst.
MAX_CHARACTERS = 8_000_000
# Of the walk, which holds a few hundred bytes an element; the largest of 500 real pages had 40,000.
MAX_ELEMENTS = 250_000
# huge_tree's own bound is 2,048 levels, html and body among them; a tree that reaches it has lost the rest.
MAX_DEPTH = 2_040
# Real tags stay under 26 attributes. Long ones hold data: URLs, whose quoted values are not counted.
MAX_TAG_CHARACTERS = 30_000
# Angle brackets in names and values hide a tag from that limit. To find its true end costs more, and code in scripts
# can look like a tag: of 2,073 real pages 5 had one of over 30,000 characters, none one of over 47,000.
MAX_HIDDEN_TAG_CHARACTERS = 100_000

_LETTER = re.compile("[a-zA-Z]")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_VALUE = r"=\s*(?:\"[^\"]*\"|'[^']*')"
_VALUES = re.compile(_VALUE)
_REST = rf"[^>=]*(?:(?=({_VALUE}|=))\1[^>=]*)*"  # a group looked ahead for is not tried again
_TAG = re.compile(rf"<[a-zA-Z]{_REST}")
_REST_OF_TAG = re.compile(_REST)
_INSIDE = re.compile(r"[^\s\"'=]")  # after one of these a tag is inside a value or outside, not at its start
_MAX_SPACE = 100  # looked at between = and a quote; behind more of it, the quote is taken for a value's

_PLAIN = etree.HTMLParser()


class UnfitPage(ValueError):  # noqa: N818 - it says what the page is; nothing has gone wrong
    """A page that cannot be judged; ``reason`` is a short name for statistics."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def check_text(text: str) -> None:
    """Refuse text that parsing would take too long over.

    Raises:
        UnfitPage: it is empty, longer than ``MAX_CHARACTERS``, or holds a tag of too many attributes.
    """
    if not text or text.isspace():
        raise UnfitPage("empty", "the page is empty")
    if len(text) > MAX_CHARACTERS:
        raise UnfitPage("too_large", f"the page has {len(text):,} characters, more than {MAX_CHARACTERS:,}")
    if len(text) > 2 * MAX_ELEMENTS and text.count("<") > 2 * MAX_ELEMENTS:
        raise UnfitPage("too_many_elements", f"the page has more than {2 * MAX_ELEMENTS:,} tags")
    for stretch in _long_tags(text):
        if len(_QUOTED.sub("", stretch)) > MAX_TAG_CHARACTERS:
            raise UnfitPage("long_tag", f"a tag has over {MAX_TAG_CHARACTERS:,} characters outside quoted values")
    for tag in _TAG.finditer(text) if _may_have_hidden_tag(text) else ():
        if tag.end() - tag.start() > MAX_HIDDEN_TAG_CHARACTERS:
            outside = len(_VALUES.sub("", tag.group()))
            if outside > MAX_HIDDEN_TAG_CHARACTERS:
                raise UnfitPage("long_tag", f"a tag has {outside:,} characters outside quoted values")


def _long_tags(text: str) -> Iterator[str]:
    """Long stretches without angle brackets that a tag opens. One holds a stretch of half its length whole, so that
    most of the text need not be looked at."""
    size = MAX_TAG_CHARACTERS // 2
    start = 0
    while start + size <= len(text):
        end = start + size
        if text.find("<", start, end) < 0 and text.find(">", start, end) < 0:
            before = max(0, start - size)  # in which there is one, or it would have been looked at with this
            opening = text.rfind("<", before, start)
            end = min((found for found in (text.find("<", end), text.find(">", end)) if found >= 0), default=len(text))
            if (
                opening > text.rfind(">", before, start)
                and end - opening > MAX_TAG_CHARACTERS + 1
                and _LETTER.match(text, opening + 1)
            ):
                yield text[opening:end]
            end -= end % size
        start = max(end, start + size)


def _may_have_hidden_tag(text: str) -> bool:
    """Whether a tag can be that long: it holds one of these stretches whole, whichever way it comes into it."""
    size = MAX_HIDDEN_TAG_CHARACTERS // 2
    return any(_may_go_on(text, start, start + size) for start in range(0, len(text) - size + 1, size))


def _may_go_on(text: str, start: int, end: int) -> bool:
    """Whether a tag that was opened before ``start`` can still be open at ``end``."""
    inside = _INSIDE.search(text, start, end)
    if inside is None:
        return True
    ways_in = [inside.end()]
    for quote in "\"'":
        opening = text.rfind(quote, 0, inside.end())
        before = text[max(0, opening - _MAX_SPACE) : max(0, opening)].rstrip()
        if opening >= 0 and (not before or before[-1] == "="):
            closing = text.find(quote, inside.end())
            if closing >= 0:
                ways_in.append(closing + 1)
    return any(_end_of_tag(text, way_in) >= end for way_in in ways_in)


def _end_of_tag(text: str, start: int) -> int:
    found = _REST_OF_TAG.match(text, start)
    return found.end() if found else start


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


def parse(text: str) -> etree._Element:
    """The tree of an HTML document or fragment, ``<html>`` and ``<body>`` supplied, as parsel builds it, but with what
    stands behind ``</html>`` at the end of the body.

    Raises:
        UnfitPage: as :func:`check_text`, or there is no element in it.
    """
    check_text(text)
    parser = etree.HTMLParser(recover=True, encoding="utf-8", huge_tree=True)
    root = etree.fromstring(text.replace("\x00", "").encode("utf-8", "replace"), parser)
    if root is None:
        raise UnfitPage("empty", "the page has no element")
    body = root.find("body")
    for behind in list(_trees_behind(root)):
        behind.tag = "div"
        for section in behind.iterchildren("head", "body"):
            section.tag = "div"
        (root if body is None else body).append(behind)
    return root


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

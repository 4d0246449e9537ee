"""Find tags that would make parsing slow, in the text of a page before it is parsed.

libxml2 takes quadratic time over the attributes of one tag: 13 s for 40,000 of them. At each end tag it searches all
open elements: 1 MB of end tags at 2,000 levels takes 1 s.
"""

from __future__ import annotations

import re

from scrapy_blockfilter.html.tags import TABLE_TAGS
from scrapy_blockfilter.options.limits import DEEPEST, DEFAULT_LIMITS, Limits, UnfitPage

# Characters: shorter tags are skipped.
_LOOKED_AT = 3_000
# Angle brackets in names and values hide a tag, and a hidden tag costs more to find. So the bound for these is higher
# on small pages: this number divided by the characters of the page. Then all hidden tags that are skipped cost libxml2
# 0.6 s together, and 1 s on a page that is so large that the bound is the one above.
_HIDDEN_LOOKED_AT = 12_000_000_000
# Sum over long tags of the squared number of attributes. This much costs libxml2 60 ms. The largest tag of 2,073 real
# pages had 868 attributes (0.75 M), in code that looks like a tag.
_MAX_ATTRIBUTE_PAIRS = 50_000_000
# Sum over end tags of the number of open elements. This much costs libxml2 120 ms. Pages with few end tags cannot reach
# it; the most in 2,073 real pages were 12,476.
_MAX_CLOSING = 50_000_000
_FEW_END_TAGS = _MAX_CLOSING // DEEPEST

_BARE = re.compile("[^<>]*")
_VALUE = r"=\s*(?:\"[^\"]*\"|'[^']*')"
_VALUES = re.compile(_VALUE)
REST = rf"[^>=]*(?:(?=(?P<value>{_VALUE}|=))(?P=value)[^>=]*)*"  # of a tag; a lookahead group is never retried
_OPENING = re.compile("<[a-zA-Z]")
_TAG = re.compile(f"{_OPENING.pattern}{REST}")
_REST_OF_TAG = re.compile(REST)
_ATTRIBUTE = re.compile(r"[^\s/]+")
_INSIDE = re.compile(r"[^\s\"'=]")  # behind such a character, a tag is inside or outside a value, not at its start
_MAX_SPACE = 100  # white space searched between "=" and a quote; after more of it, the quote counts as a value's
_NAME_OF_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_WITHOUT_END = "area base br col embed frame hr img input link meta source wbr"
_VOID = frozenset(_WITHOUT_END.split())
# Elements that the next of their kind closes, so that they do not nest without end tags.
_CLOSED_BY_NEXT = TABLE_TAGS - {"table", "caption"} | {"p", "li", "dt", "dd", "option", "optgroup"}


def check_tags(text: str, limits: Limits = DEFAULT_LIMITS) -> None:
    """Reject text whose tags are too many or would make parsing slow, by raising :class:`UnfitPage`."""
    tags = 2 * limits.elements
    if len(text) > tags and text.count("<") > tags:
        raise UnfitPage("too_many_elements", f"the page has more than {tags:,} tags")
    hidden = max(_LOOKED_AT, _HIDDEN_LOOKED_AT // max(1, len(text)))
    if attribute_pairs(text, _LOOKED_AT, hidden) > _MAX_ATTRIBUTE_PAIRS:
        raise UnfitPage("long_tag", "its tags have thousands of attributes")
    if len(text) > 4 * _FEW_END_TAGS and text.count("<") > _FEW_END_TAGS and text.count("</") > _FEW_END_TAGS:
        _check_closing(text)


def attribute_pairs(text: str, looked_at: int, hidden: int, most: int = _MAX_ATTRIBUTE_PAIRS) -> int:
    """Return the sum over tags of their squared number of attributes, over open or over hidden ones, the larger sum.

    Args:
        looked_at: characters; shorter tags may be skipped.
        hidden: the same for hidden tags, which have angle brackets in names or values.
        most: hidden tags need not be counted if open ones have more than this, or if they cannot have more.
    """
    pairs = _pairs_of_open_tags(text, looked_at)
    if pairs > most or len(text) <= hidden or not _may_have_heavy_tag(text, hidden, most):
        return pairs
    return max(pairs, sum(_attributes(tag[0]) ** 2 for tag in _TAG.finditer(text) if tag.end() - tag.start() > hidden))


def _pairs_of_open_tags(text: str, looked_at: int) -> int:
    """Look at tags without angle brackets. A long one covers at least one whole stretch of ``size`` characters."""
    size = looked_at // 2
    pairs = 0
    was_bare = False
    for start in range(0, len(text) - size, size):
        end = start + size
        is_bare = text.find("<", start, end) < 0 and text.find(">", start, end) < 0
        if is_bare and not was_bare:
            before = max(0, start - size)
            opening = text.rfind("<", before, start)
            if opening > text.rfind(">", before, start) and text[opening + 1].isalpha():
                bare = _BARE.match(text, opening + 1)
                assert bare is not None, "it may be empty"
                pairs += _attributes(bare[0]) ** 2
        was_bare = is_bare
    return pairs


def _attributes(tag: str) -> int:
    return len(_ATTRIBUTE.findall(_VALUES.sub(" ", tag)))


def _may_have_heavy_tag(text: str, looked_at: int, most: int) -> bool:
    """Return whether hidden tags may have more than ``most`` pairs of attributes."""
    # Such a tag covers at least one whole stretch of ``size`` characters, and opens in the stretch before the first.
    size = max(1, looked_at // 2)
    pairs = reach = 0
    work = len(text)
    for start in range(0, len(text) - size + 1, size):
        if reach < start + size:
            reach = _reach(text, start, start + size)
        if reach < start + size:
            continue
        for opening in _OPENING.finditer(text, max(0, start - size), start + 1):
            end = _end_of_tag(text, opening.end())
            work -= end - opening.start()
            if end >= start + size:
                pairs += _attributes(text[opening.start() : end]) ** 2
            # Going through all tags is quicker if those looked at are longer together than the text.
            if pairs > most or work < 0:
                return True
    return False


def _reach(text: str, start: int, end: int) -> int:
    """Return how far a tag opened before ``start`` may reach, if it may still be open at ``end``."""
    inside = _INSIDE.search(text, start, end)
    if inside is None:
        return end
    ways_in = [inside.end()]
    for quote in "\"'":
        opening = text.rfind(quote, 0, inside.end())
        before = text[max(0, opening - _MAX_SPACE) : max(0, opening)].rstrip()
        if opening >= 0 and (not before or before[-1] == "="):
            closing = text.find(quote, inside.end())
            if closing >= 0:
                ways_in.append(closing + 1)
    return max(_end_of_tag(text, way_in) for way_in in ways_in)


def _end_of_tag(text: str, start: int) -> int:
    found = _REST_OF_TAG.match(text, start)
    return found.end() if found else start


def _check_closing(text: str) -> None:
    opened: dict[str, int] = {}
    depth = closing = 0
    for slash, name in _NAME_OF_TAG.findall(text):
        name = name.lower()
        if slash:
            closing += min(depth, DEEPEST)
            if opened.get(name):
                opened[name] -= 1
                depth -= 1
        elif name not in _VOID and name not in _CLOSED_BY_NEXT:
            opened[name] = opened.get(name, 0) + 1
            depth += 1
    if closing > _MAX_CLOSING:
        raise UnfitPage("too_deep", "too many elements are closed at great depth")

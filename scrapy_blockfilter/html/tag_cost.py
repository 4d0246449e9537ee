"""Find tags that would make parsing slow, in the text of a page before it is parsed.

libxml2 takes quadratic time over the attributes of one tag: 13 s for 40,000 of them. At each end tag it searches all
open elements: 1 MB of end tags at 2,000 levels takes 1 s.
"""

from __future__ import annotations

import re

from scrapy_blockfilter.html.tags import TABLE_TAGS
from scrapy_blockfilter.options.limits import DEEPEST, DEFAULT_LIMITS, Limits, UnfitPage

# Angle brackets in names and values hide a tag from the length limit. Finding its true end costs more, and code in
# scripts can look like a tag: 5 of 2,073 real pages had such code of over 30,000 characters, none of over 47,000.
# Therefore a hidden tag may be this many times longer.
_HIDDEN_TIMES = 3
# Characters: shorter tags are skipped. The bound is higher for tags with angle brackets, which cost more to find.
_LOOKED_AT = 3_000
_HIDDEN_LOOKED_AT = 50_000
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
_REST = rf"[^>=]*(?:(?=({_VALUE}|=))\1[^>=]*)*"  # a lookahead group is never retried
_OPENING = re.compile("<[a-zA-Z]")
_TAG = re.compile(f"{_OPENING.pattern}{_REST}")
_REST_OF_TAG = re.compile(_REST)
_ATTRIBUTE = re.compile(r"[^\s/]+")
_INSIDE = re.compile(r"[^\s\"'=]")  # behind such a character, a tag is inside or outside a value, not at its start
_MAX_SPACE = 100  # white space searched between "=" and a quote; after more of it, the quote counts as a value's
_NAME_OF_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "source", "wbr"}
)
# Elements that the next of their kind closes, so that they do not nest without end tags.
_CLOSED_BY_NEXT = TABLE_TAGS - {"table", "caption"} | {"p", "li", "dt", "dd", "option", "optgroup"}


def check_tags(text: str, limits: Limits = DEFAULT_LIMITS) -> None:
    """Reject text with tags that would make parsing slow.

    Raises:
        UnfitPage: there are more than ``2 * limits.elements`` tags; a tag is longer than ``limits.tag_characters``;
            tags have too many attributes; or too many are closed at great depth.
    """
    tags = 2 * limits.elements
    if len(text) > tags and text.count("<") > tags:
        raise UnfitPage("too_many_elements", f"the page has more than {tags:,} tags")
    _check_open_tags(text, limits.tag_characters)
    hidden = _HIDDEN_TIMES * limits.tag_characters
    if _may_have_heavy_tag(text, min(_HIDDEN_LOOKED_AT, hidden), hidden):
        _check_hidden_tags(text, hidden)
    if len(text) > 4 * _FEW_END_TAGS and text.count("<") > _FEW_END_TAGS and text.count("</") > _FEW_END_TAGS:
        _check_closing(text)


def _check_open_tags(text: str, limit: int) -> None:
    """Check tags without angle brackets. A long one covers at least one whole stretch of ``size`` characters."""
    size = min(_LOOKED_AT, limit) // 2
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
                pairs += _attributes(_VALUES.sub(" ", bare[0]), limit) ** 2
        was_bare = is_bare
    _check_pairs(pairs)


def _check_hidden_tags(text: str, limit: int) -> None:
    pairs = 0
    for tag in _TAG.finditer(text):
        if tag.end() - tag.start() > min(_HIDDEN_LOOKED_AT, limit):
            pairs += _attributes(_VALUES.sub(" ", tag[0]), limit) ** 2
    _check_pairs(pairs)


def _attributes(outside: str, limit: int) -> int:
    """Count the attributes of a tag from its text outside quoted values."""
    if len(outside) > limit:
        raise UnfitPage("long_tag", f"a tag has {len(outside):,} characters outside quoted values")
    return len(_ATTRIBUTE.findall(outside))


def _check_pairs(pairs: int) -> None:
    if pairs > _MAX_ATTRIBUTE_PAIRS:
        raise UnfitPage("long_tag", "its tags have thousands of attributes")


def _may_have_heavy_tag(text: str, looked_at: int, limit: int) -> bool:
    """Return whether a hidden tag may exceed the limits.

    Such a tag covers at least one whole stretch of ``size`` characters, and opens in the stretch before the first.
    """
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
                outside = _VALUES.sub(" ", text[opening.start() : end])
                pairs += len(_ATTRIBUTE.findall(outside)) ** 2
                if len(outside) > limit or pairs > _MAX_ATTRIBUTE_PAIRS:
                    return True
            if work < 0:  # going through all tags is quicker
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

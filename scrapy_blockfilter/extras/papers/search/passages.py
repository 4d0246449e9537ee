"""Show where a passage has the words that were looked for."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence

from scrapy_blockfilter.extras.papers.search.words import Words
from scrapy_blockfilter.text.terms import is_unspaced

_WORD = re.compile(r"[^\W_]+")
_ELLIPSIS = "…"

Spans = Sequence[tuple[int, int]]


def spans(text: str, looked_up: Collection[str], words: Words, language: str) -> Spans:
    """Return where the words that were looked up stand in a text, as ranges of characters without overlaps."""
    wanted = set(looked_up)
    parts = [word for word in wanted if is_unspaced(word)]
    found: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        word, start = match.group(), match.start()
        inside = [] if word.isascii() else [(start + place, part) for part in parts for place in _places(word, part)]
        if inside:
            found += [(place, place + len(part)) for place, part in inside]
        elif not wanted.isdisjoint(words.of(word, language)):
            found.append(match.span())
    return _merged(sorted(found))


def _places(word: str, part: str) -> list[int]:
    return [place for place in range(len(word) - len(part) + 1) if word.startswith(part, place)]


def _merged(found: Spans) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in found:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def excerpt(text: str, marked: Spans, length: int) -> tuple[str, list[tuple[int, int]]]:
    """Return at most ``length`` characters of a text where most marked ranges are, and the ranges in them.

    >>> excerpt("one two three four", [(8, 13)], 9)
    ('…three f…', [(1, 6)])
    """
    if len(text) <= length:
        return text, list(marked)
    room = length - 2 * len(_ELLIPSIS)
    starts = [start for start, _ in marked]
    counts = [bisect_left(starts, start + room) - number for number, start in enumerate(starts)]
    first = starts[counts.index(max(counts))] if counts else 0
    first = max(0, min(first, len(text) - room))
    last = first + room
    before, after = _ELLIPSIS * (first > 0), _ELLIPSIS * (last < len(text))
    shift = len(before) - first
    inside = [(start + shift, min(end, last) + shift) for start, end in marked if first <= start < last]
    return f"{before}{text[first:last]}{after}", inside

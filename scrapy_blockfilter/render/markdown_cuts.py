"""Cut lines of Markdown that are too long, so that text and code do not become markup."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from scrapy_blockfilter.render.chunks import cut
from scrapy_blockfilter.render.markdown_blocks import Line, text_of

# Links, images and emphasis up to a length, which are not cut open, as code is not.
_WHOLE = re.compile(
    r"!?\[[^\[\]]{0,1000}\]\([^\s()]{0,2000}(?:\([^\s()]{0,2000}\)[^\s()]{0,2000}){0,3}\)"
    r"|(?<!\\)(\*+)[^*]{1,1000}\1"
)
_BACKTICKS = re.compile("`+")
# Signs that would begin another block at the start of a line. A backslash goes behind the first group.
_BLOCK_MARK = re.compile(r"(\d{1,9}(?=[.)](?:\s|\Z))|(?=#{1,6}(?:\s|\Z)|[-+*](?:\s|\Z)|>|~{3}|\|))")
# Code in a line that would begin a fence: there is no backtick in the rest of its first line.
_LIKE_A_FENCE = re.compile(r"(`{3,}[^`\n]*)\n")
_SPACE = re.compile(r"\s*")


class Part(NamedTuple):
    """Markdown that is not cut, and where in the Markdown of the page it begins."""

    position: int
    text: str


def of_lines(lines: Sequence[Line], most: int) -> Iterator[Part]:
    """Pack lines, and cut those that are too long anywhere: for code."""
    opened: list[str] = []
    start = size = 0
    for line in lines:
        for place in range(0, max(1, len(line.text)), most):
            text = line.text[place : place + most]
            if opened and size + 1 + len(text) > most:
                yield Part(start, "\n".join(opened))
                opened = []
            if not opened:
                start, size = line.position + place, -1
            opened.append(text)
            size += 1 + len(text)
    if opened:
        yield Part(start, "\n".join(opened))


def in_code(lines: Sequence[Line], most: int) -> Iterator[Part]:
    """Pack lines into fences, each with as many marks as its code needs: at most one more than the code has."""
    for part in of_lines(lines, most // 3 - 4):
        marks = "`" * max(3, 1 + max(map(len, re.findall("`+", part.text)), default=0))
        yield Part(part.position, f"{marks}\n{part.text}\n{marks}")


def of_text(lines: Sequence[Line], most: int, room: int) -> Iterator[Part]:
    """Cut a paragraph where a sentence or line ends, else at white space. ``room`` bounds the first part."""
    text = text_of(lines)
    places = list(accumulate((len(line.text) + 1 for line in lines), initial=0))

    def at(start: int) -> int:
        number = min(bisect_right(places, start) - 1, len(lines) - 1)
        return lines[number].position + start - places[number]

    begin = 0
    long_codes = ((begin, end) for begin, end in _codes(text) if end - begin >= most // 2)
    for code_begin, code_end in [*long_codes, (len(text), len(text))]:
        for start, piece in _sentences(text, begin, code_begin, most, room):
            yield Part(at(start), _escaped(piece) if start else piece)
            room = most
        if code_begin < code_end:
            yield from in_code([Line(at(code_begin), text[code_begin:code_end].strip("`").replace("\n", " "))], most)
            room = most
        begin = code_end


def _codes(text: str) -> Iterator[tuple[int, int]]:
    """Yield the begin and end of each piece of code within a line."""
    runs = [found.span() for found in _BACKTICKS.finditer(text)]
    ends: dict[int, list[int]] = {}  # length of a run -> ends of the runs of this length, the last first
    for begin, end in reversed(runs):
        ends.setdefault(end - begin, []).append(end)
    reached = 0
    for begin, end in runs:
        begin += _is_escaped(text, begin)
        alike = ends.get(end - begin, [])
        while alike and alike[-1] <= end:
            alike.pop()
        if begin >= reached and alike:
            reached = alike[-1]
            yield begin, reached


def _is_escaped(text: str, place: int, since: int = 0) -> bool:
    """Return whether an odd number of backslashes is before a place, and not before ``since``."""
    before = place
    while before > since and text[before - 1] == "\\":
        before -= 1
    return (place - before) % 2 > 0


def _sentences(text: str, start: int, stop: int, most: int, room: int) -> Iterator[tuple[int, str]]:
    """Yield the parts of a range, each behind its place."""
    spans = sorted([(begin + start, end + start) for begin, end in _spans(text[start:stop])])
    begins = [begin for begin, _ in spans]
    limit = room - 1  # a backslash may come before a part
    while start < stop:
        end = stop if stop - start <= limit else cut(text, start, limit)
        number = bisect_left(begins, end) - 1
        if number >= 0 and end < spans[number][1]:
            whole = spans[number]
            if start < whole[0]:
                end = whole[0]
            elif whole[1] - start <= limit:
                end = whole[1]
        if start + 1 < end < stop and _is_escaped(text, end, start):
            end -= 1  # the backslash belongs to the sign behind it
        if piece := text[start:end].strip():
            yield start, piece
        gap = _SPACE.match(text, end, stop)
        start = gap.end() if gap else end
        limit = most - 1


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges that are not cut open: code, and links, images and emphasis outside of code."""
    reached = 0
    for begin, end in [*_codes(text), (len(text), len(text))]:
        yield from (found.span() for found in _WHOLE.finditer(text, reached, begin))
        if begin < end:
            yield begin, end
        reached = end


def _escaped(text: str) -> str:
    """Return a part so that it begins no block, as it began none in the middle of its paragraph."""
    if found := _BLOCK_MARK.match(text):
        return f"{text[: found.end(1)]}\\{text[found.end(1) :]}"
    return _LIKE_A_FENCE.sub(r"\1 ", text, count=1) if text.startswith("`") else text

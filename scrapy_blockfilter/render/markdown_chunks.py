"""Cut Markdown into chunks of bounded length. Each chunk is Markdown by itself.

Markdown is cut where text is cut. A list, table or fence that does not fit is divided between its items, rows or lines:
then each part of a table has its header, and each part of code its fence.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, groupby, pairwise
from typing import Any, NamedTuple

from scrapy_blockfilter.render.chunks import cut, sections, with_least_size
from scrapy_blockfilter.render.markdown_inline import BACKTICKS, backticks_around

_HEADING = re.compile(r"(#{1,6})(?: |\Z)")
# No backtick follows those of a fence: a line with others has code within the line.
_FENCE = re.compile(r"(?P<marks>`{3,}(?=[^`]*\Z)|~{3,}).*", re.DOTALL)
_MARKER = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?: +|\Z)")
_BY_SIGN = {"|": "table", ">": "quotation"}  # of each line
_OF_LIST = re.compile(rf"\s|{_MARKER.pattern}")  # a line that is indented or an item
# Lists in lists and quotations in quotations that are opened to divide them. Deeper ones are divided as code.
_DEEPEST = 8
_LINK = re.compile(r"!?\[([^\[\]]{0,1000})\]\([^\s()]{0,2000}(?:\([^\s()]{0,2000}\)[^\s()]{0,2000}){0,3}\)")
_MARKS = re.compile(r"\\([!-/:-@\[-`{-~])|[*`]+")
# Links, images and emphasis up to a length, which are not cut open, as code is not.
_WHOLE = re.compile(rf"{_LINK.pattern}|(?<!\\)(\*+)[^*]{{1,1000}}\2")
# Signs that would begin another block at the start of a line. A backslash goes behind the first group.
_BLOCK_MARK = re.compile(r"(\d{1,9}(?=[.)](?:\s|\Z))|(?=#{1,6}(?:\s|\Z)|[-+*](?:\s|\Z)|>|~{3}|\|))")
# Code in a line that would begin a fence: there is no backtick in the rest of its first line.
_LIKE_A_FENCE = re.compile(r"(`{3,}[^`\n]*)\n")
_SPACE = re.compile(r"\s*")


class Part(NamedTuple):
    """A part of a page's Markdown, such as a line without its end, and where it begins."""

    position: int
    text: str

    @classmethod
    def joined(cls, parts: Sequence[Part], between: str = "\n") -> Part:
        return cls(parts[0].position, between.join([part.text for part in parts]))


class Block(NamedTuple):
    """Lines that belong together."""

    kind: str  # "heading", "list", "table", "quotation", "fence" or "paragraph"
    lines: Sequence[Part]
    level: int = 0  # 1 to 6 of a heading, 0 of others


def render_markdown_chunks(markdown: str, characters: int) -> list[dict[str, Any]]:
    """Return Markdown in chunks of at most so many ``characters``: see :attr:`Cleaned.markdown_chunks`."""
    lines = markdown.split("\n")
    places = accumulate((len(line) + 1 for line in lines), initial=0)
    blocks = _blocks_of(list(map(Part, places, lines)))
    told = ((block, block.level, (_said(block.lines[0].text) or None) if block.level else None) for block in blocks)
    parts = [(headings, part) for headings, section in sections(told) for part in _packed(section, characters)]
    joined = with_least_size(parts, characters, lambda part: len(part.text), lambda one, other: len("\n\n"))
    return [
        {"markdown": text, "headings": list(headings), "position": position, "characters": len(text)}
        for headings, some in joined
        for position, text in [Part.joined(some, "\n\n")]
    ]


def _said(heading: str) -> str:
    """Return the text of a heading.

    >>> _said("## In *C#* of [1999](http://a.example/), 2 \\\\* 3")
    'In C# of 1999, 2 * 3'
    """
    return " ".join(_MARKS.sub(r"\1", _LINK.sub(r"\1", heading.lstrip("#"))).split())


def _packed(blocks: Iterable[Block], most: int, level: int = 0) -> Iterator[Part]:
    """Join blocks as long as they fit, and divide those that do not."""
    opened: list[Part] = []
    size = 0  # of the opened parts, with "\n\n" behind each
    has_text = False  # whether they are more than headings
    for block in blocks:
        part = Part.joined(block.lines)
        room = most - size
        is_beside_heading = size > 0 and not has_text and block.kind == "paragraph" and room >= most // 2
        begins = bool(opened) and len(part.text) > room and not is_beside_heading
        if begins:
            room = most
        parts = [part] if len(part.text) <= room else _divided(block, most, level, room)
        for divided in parts:
            if begins:
                yield Part.joined(opened, "\n\n")
                opened, size, has_text = [], 0, False
            opened.append(divided)
            size += len(divided.text) + 2
            has_text = has_text or not block.level
            begins = True
    if opened:
        yield Part.joined(opened, "\n\n")


def _divided(block: Block, most: int, level: int, room: int) -> Iterator[Part]:
    """Yield the parts of a block that is too long; the first has at most ``room`` characters."""
    if block.kind == "fence":
        yield from _of_fence(block, most)
    elif block.kind == "table":
        yield from _of_table(block, most)
    elif block.kind in ("list", "quotation") and level == _DEEPEST:
        yield from _in_code(block.lines, most)
    elif block.kind == "list":
        yield from _of_list(block, most, level)
    elif block.kind == "quotation":
        inside = [_without(line, 2 if line.text.startswith("> ") else 1) for line in block.lines]
        for part in _packed(_blocks_of(inside), most, level + 1):
            quoted = "\n".join([f"> {line}" if line else ">" for line in part.text.split("\n")])
            yield Part(part.position, quoted if len(quoted) <= most else part.text)
    else:
        yield from _of_text(block.lines, most, room)


def _of_list(block: Block, most: int, level: int) -> Iterator[Part]:
    for is_long, items in groupby(_items_of(block), lambda item: len(Part.joined(item[1]).text.rstrip()) > most):
        if is_long:
            for marker, lines in items:
                yield from _of_item(marker, lines, most, level)
        else:
            for part in _whole_lines((Part.joined(lines) for _, lines in items), most):
                yield part._replace(text=part.text.rstrip())


def _of_item(marker: str, lines: Sequence[Part], most: int, level: int) -> Iterator[Part]:
    indented = [_without(line, min(len(marker), len(line.text) - len(line.text.lstrip(" ")))) for line in lines[1:]]
    inner = list(_blocks_of([_without(lines[0], len(marker)), *indented]))
    parts = _packed(inner, most - len(marker), level + 1)
    # The marker stands before the text of the item. Code and tables of the item have no marker.
    if inner and inner[0].kind == "paragraph":
        yield Part(lines[0].position, marker + next(parts).text)
    elif marker[0].isdigit():
        yield Part(lines[0].position, marker.rstrip())
    yield from parts


def _of_table(block: Block, most: int) -> Iterator[Part]:
    header = Part.joined(block.lines[:2]).text
    repeats = len(header) <= most // 2
    head = f"{header}\n" if repeats else ""
    rows = block.lines[2:] if repeats else block.lines
    if repeats and len(head) + len(rows[0].text) > most:
        yield Part(block.lines[0].position, header)  # a row that is too long has none
    for is_long, group in groupby(rows, lambda row: len(head) + len(row.text) > most):
        if is_long:
            for row in group:
                yield from _of_text([row], most, most)
        else:
            for part in _whole_lines(group, most - len(head)):
                yield Part(part.position, f"{head}{part.text}")


def _of_fence(block: Block, most: int) -> Iterator[Part]:
    fence = _FENCE.match(block.lines[0].text)
    assert fence is not None
    opening, marks = fence[0], fence["marks"]
    if len(opening) > most // 4:
        opening = marks
    is_closed = len(block.lines) > 1 and block.lines[-1].text.strip() == marks
    code = block.lines[1 : -1 if is_closed else None]
    if len(marks) > most // 4:
        yield from _in_code(code, most)
        return
    for part in _of_lines(code, most - len(opening) - len(marks) - 2):
        yield Part(part.position, f"{opening}\n{part.text}\n{marks}")


def _of_lines(lines: Sequence[Part], most: int) -> Iterator[Part]:
    """Pack lines, and cut those that are too long anywhere: for code."""
    cuts = ((line, place) for line in lines for place in range(0, max(1, len(line.text)), most))
    return _whole_lines((Part(line.position + at, line.text[at : at + most]) for line, at in cuts), most)


def _whole_lines(lines: Iterable[Part], most: int) -> Iterator[Part]:
    opened: list[Part] = []
    size = 0  # of the opened lines, with their ends
    for line in lines:
        if opened and size + len(line.text) > most:
            yield Part.joined(opened)
            opened, size = [], 0
        opened.append(line)
        size += len(line.text) + 1
    if opened:
        yield Part.joined(opened)


def _in_code(lines: Sequence[Part], most: int) -> Iterator[Part]:
    """Pack lines into fences, each with as many marks as its code needs: at most one more than the code has."""
    for part in _of_lines(lines, most // 3 - 4):
        marks = backticks_around(part.text, least=3)
        yield Part(part.position, f"{marks}\n{part.text}\n{marks}")


def _of_text(lines: Sequence[Part], most: int, room: int) -> Iterator[Part]:
    """Cut a paragraph where a sentence or line ends, else at white space. ``room`` bounds the first part."""
    text = Part.joined(lines).text
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
            yield from _in_code([Part(at(code_begin), text[code_begin:code_end].strip("`").replace("\n", " "))], most)
            room = most
        begin = code_end


def _codes(text: str) -> Iterator[tuple[int, int]]:
    """Yield the begin and end of each piece of code within a line."""
    runs = [found.span() for found in BACKTICKS.finditer(text)]
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
    spans = [(begin + start, end + start) for begin, end in _spans(text[start:stop])]
    begins = [begin for begin, _ in spans]
    limit = room - 1  # a backslash may come before a part
    while start < stop:
        end = stop if stop - start <= limit else cut(text, start, limit)
        begin, behind = spans[number] if (number := bisect_left(begins, end) - 1) >= 0 else (end, end)
        if end < behind:
            if start < begin:
                end = begin
            elif behind - start <= limit:
                end = behind
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


def _blocks_of(lines: Sequence[Part]) -> Iterator[Block]:
    """Yield the blocks of Markdown. Only lists and fences have empty lines."""
    start = 0
    while start < len(lines):
        if not lines[start].text.strip():
            start += 1
            continue
        kind, level, end = _block_at(lines, start)
        while not lines[end - 1].text.strip():
            end -= 1
        yield Block(kind, lines[start:end], level)
        start = end


def _block_at(lines: Sequence[Part], start: int) -> tuple[str, int, int]:
    """Return kind, level and end of the block that begins in a line."""
    text = lines[start].text
    if heading := _HEADING.match(text):
        return "heading", len(heading[1]), start + 1
    if fence := _FENCE.match(text):
        closing = re.compile(rf"{fence['marks'][0]}{{{len(fence['marks'])},}}\s*")
        end = _first(lines, start + 1, lambda line: closing.fullmatch(line) is not None)
        return "fence", 0, min(end + 1, len(lines))
    if kind := _BY_SIGN.get(text[0]):
        return kind, 0, _first(lines, start, lambda line: line[:1] != text[0])
    if _MARKER.match(text):
        return "list", 0, _first(lines, start, lambda line: bool(line.strip()) and not _OF_LIST.match(line))
    return "paragraph", 0, _first(lines, start + 1, lambda line: not line.strip() or bool(_MARKER.match(line)))


def _first(lines: Sequence[Part], start: int, ends: Callable[[str], bool]) -> int:
    return next((number for number in range(start, len(lines)) if ends(lines[number].text)), len(lines))


def _items_of(block: Block) -> Iterator[tuple[str, Sequence[Part]]]:
    """Yield the marker of each item of a list, with the lines of the item as they are."""
    markers = {number: marker[0] for number, line in enumerate(block.lines) if (marker := _MARKER.match(line.text))}
    for start, end in pairwise([*markers, len(block.lines)]):
        yield markers[start], block.lines[start:end]


def _without(line: Part, characters: int) -> Part:
    return Part(line.position + characters, line.text[characters:])

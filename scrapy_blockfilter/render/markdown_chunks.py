"""Cut Markdown into chunks of bounded length. Each chunk is Markdown by itself.

Markdown is cut where text is cut. A list, table or fence that does not fit is divided between its items, rows or lines:
then each part of a table has its header, and each part of code its fence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from scrapy_blockfilter.render.chunks import sections
from scrapy_blockfilter.render.markdown_blocks import (
    Block,
    Line,
    blocks_of,
    ends_of_fence,
    inside_item,
    inside_quotation,
    items_of,
    lines_of,
    text_of,
)
from scrapy_blockfilter.render.markdown_cuts import Part, in_code, of_lines, of_text

# Lists in lists and quotations in quotations that are opened to divide them. Deeper ones are divided as code.
_DEEPEST = 8
_LINK = re.compile(r"!?\[([^\[\]]{0,1000})\]\([^\s()]{0,2000}(?:\([^\s()]{0,2000}\)[^\s()]{0,2000}){0,3}\)")
_MARKS = re.compile(r"\\([!-/:-@\[-`{-~])|[*`]+")


def render_markdown_chunks(markdown: str, characters: int) -> list[dict[str, Any]]:
    """Return a page's Markdown in chunks of at most so many ``characters``, each as a dict for JSON.

    The keys: ``markdown``, ``headings`` (those around it, outermost first), ``position`` (where in the Markdown of the
    page it begins) and ``characters`` (its length).
    """
    blocks = blocks_of(lines_of(markdown))
    return [
        {"markdown": part.text, "headings": list(headings), "position": part.position, "characters": len(part.text)}
        for headings, section in sections((block, block.level, _said(block.text) or None) for block in blocks)
        for part in _packed(section, characters)
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
        part = Part(block.position, block.text)
        room = most - size
        is_beside_heading = size > 0 and not has_text and block.kind == "paragraph" and room >= most // 2
        if len(part.text) > room and not is_beside_heading:
            yield from _joined(opened)
            opened, size, has_text, room = [], 0, False, most
        parts = [part] if len(part.text) <= room else list(_divided(block, most, level, room))
        for number, divided in enumerate(parts):
            if number:
                yield from _joined(opened)
                opened, size, has_text = [], 0, False
            opened.append(divided)
            size += len(divided.text) + 2
            has_text = has_text or not block.level
    yield from _joined(opened)


def _joined(parts: Sequence[Part]) -> Iterator[Part]:
    if parts:
        yield Part(parts[0].position, "\n\n".join([part.text for part in parts]))


def _divided(block: Block, most: int, level: int, room: int) -> Iterator[Part]:
    """Yield the parts of a block that is too long; the first has at most ``room`` characters."""
    if block.kind == "fence":
        yield from _of_fence(block, most)
    elif block.kind == "table":
        yield from _of_table(block, most)
    elif block.kind in ("list", "quotation") and level == _DEEPEST:
        yield from in_code(block.lines, most)
    elif block.kind == "list":
        yield from _of_list(block, most, level)
    elif block.kind == "quotation":
        for part in _packed(blocks_of(inside_quotation(block)), most, level + 1):
            quoted = "\n".join([f"> {line}" if line else ">" for line in part.text.split("\n")])
            yield Part(part.position, quoted if len(quoted) <= most else part.text)
    else:
        yield from of_text(block.lines, most, room)


def _of_list(block: Block, most: int, level: int) -> Iterator[Part]:
    opened: list[Line] = []
    size = 0
    for marker, lines in items_of(block):
        added = sum(len(line.text) + 1 for line in lines)
        if opened and size + added - 1 > most:
            yield Part(opened[0].position, text_of(opened).rstrip())
            opened, size = [], 0
        if len(text_of(lines).rstrip()) <= most:
            opened += lines
            size += added
            continue
        inner = list(blocks_of(inside_item(marker, lines)))
        parts = _packed(inner, most - len(marker), level + 1)
        # The marker stands before the text of the item. Code and tables of the item have no marker.
        if inner and inner[0].kind == "paragraph":
            yield Part(lines[0].position, marker + next(parts).text)
        elif marker[0].isdigit():
            yield Part(lines[0].position, marker.rstrip())
        yield from parts
    if opened:
        yield Part(opened[0].position, text_of(opened).rstrip())


def _of_table(block: Block, most: int) -> Iterator[Part]:
    header = text_of(block.lines[:2])
    repeats = len(header) <= most // 2
    head = f"{header}\n" if repeats else ""
    rows = block.lines[2:] if repeats else block.lines
    for is_long, group in groupby(rows, lambda row: len(head) + len(row.text) > most):
        if is_long:
            for row in group:
                yield from of_text([row], most, most)
        else:
            for part in of_lines(list(group), most - len(head)):
                yield Part(part.position, f"{head}{part.text}")


def _of_fence(block: Block, most: int) -> Iterator[Part]:
    opening, marks = ends_of_fence(block)
    if len(opening) > most // 4:
        opening = marks
    is_closed = len(block.lines) > 1 and block.lines[-1].text.strip() == marks
    code = block.lines[1 : -1 if is_closed else None]
    if len(marks) > most // 4:
        yield from in_code(code, most)
        return
    for part in of_lines(code, most - len(opening) - len(marks) - 2):
        yield Part(part.position, f"{opening}\n{part.text}\n{marks}")

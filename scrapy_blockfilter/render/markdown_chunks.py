"""Cut Markdown into chunks of bounded length, each of which is Markdown by itself.

Markdown is cut where text is cut. A list, table or fence that does not fit is divided between its items, rows or lines:
then each part of a table has its header, and each part of code its fence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
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
    """Return the chunks of a page's Markdown, each as a dict for JSON.

    The keys: ``markdown``, ``headings`` (those around it, outermost first), ``position`` (where in the Markdown of the
    page it begins) and ``characters`` (its length).

    Args:
        characters: the most that a chunk may have.
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


class _Opened:
    """A part that grows."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._position = 0
        self.size = 0
        self.has_text = False  # more than headings

    def add(self, part: Part, *, is_heading: bool = False) -> None:
        if not self._texts:
            self._position = part.position
        self.size += len(part.text) + (2 if self._texts else 0)
        self._texts.append(part.text)
        self.has_text = self.has_text or not is_heading

    def closed(self) -> Iterator[Part]:
        """Yield the part, if there is one, and begin anew."""
        if self._texts:
            yield Part(self._position, "\n\n".join(self._texts))
        self.__init__()  # type: ignore[misc]


def _packed(blocks: Iterable[Block], most: int, level: int = 0) -> Iterator[Part]:
    """Join blocks as long as they fit, and divide those that do not."""
    opened = _Opened()
    for block in blocks:
        part = Part(block.position, block.text)
        room = most - opened.size - (2 if opened.size else 0)
        is_beside_heading = opened.size and not opened.has_text and block.kind == "paragraph" and room >= most // 2
        if len(part.text) > room and not is_beside_heading:
            yield from opened.closed()
            room = most
        parts = [part] if len(part.text) <= room else list(_divided(block, most, level, room))
        for number, divided in enumerate(parts):
            if number:
                yield from opened.closed()
            opened.add(divided, is_heading=block.level > 0)
    yield from opened.closed()


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

"""Take Markdown apart as ``render_markdown`` writes it: headings, lists, tables, quotations, fences, paragraphs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

_HEADING = re.compile(r"(#{1,6})(?: |\Z)")
# No backtick follows those of a fence: a line with others has code within the line.
_FENCE = re.compile(r"(?P<marks>`{3,}(?=[^`]*\Z)|~{3,}).*", re.DOTALL)
_MARKER = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?: +|\Z)")
_BY_SIGN = {"|": "table", ">": "quotation"}  # of each line
_OF_LIST = re.compile(rf"\s|{_MARKER.pattern}")  # a line that is indented or an item


class Part(NamedTuple):
    """A part of a page's Markdown, such as a line without its end, and where it begins."""

    position: int
    text: str

    @classmethod
    def joined(cls, parts: Sequence[Part], between: str = "\n") -> Part:
        return cls(parts[0].position, between.join([part.text for part in parts]))


class Block(NamedTuple):
    """Lines that belong together.

    Attributes:
        kind: "heading", "list", "table", "quotation", "fence" or "paragraph".
        level: 1 to 6 of a heading, 0 of others.
    """

    kind: str
    lines: Sequence[Part]
    level: int = 0


def lines_of(markdown: str) -> list[Part]:
    """Return the lines of a page's Markdown."""
    lines, position = [], 0
    for text in markdown.split("\n"):
        lines.append(Part(position, text))
        position += len(text) + 1
    return lines


def blocks_of(lines: Sequence[Part]) -> Iterator[Block]:
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


def items_of(block: Block) -> Iterator[tuple[str, Sequence[Part]]]:
    """Yield the marker of each item of a list, with the lines of the item as they are."""
    markers = {number: marker[0] for number, line in enumerate(block.lines) if (marker := _MARKER.match(line.text))}
    for start, end in pairwise([*markers, len(block.lines)]):
        yield markers[start], block.lines[start:end]


def inside_item(marker: str, lines: Sequence[Part]) -> list[Part]:
    """Return the lines of an item without its marker and indentation."""
    indented = [_cut(line, min(len(marker), len(line.text) - len(line.text.lstrip(" ")))) for line in lines[1:]]
    return [_cut(lines[0], len(marker)), *indented]


def inside_quotation(block: Block) -> list[Part]:
    return [_cut(line, 2 if line.text.startswith("> ") else 1) for line in block.lines]


def ends_of_fence(block: Block) -> tuple[str, str]:
    """Return the lines around the code."""
    fence = _FENCE.match(block.lines[0].text)
    assert fence is not None
    return fence[0], fence["marks"]


def _cut(line: Part, characters: int) -> Part:
    return Part(line.position + characters, line.text[characters:])

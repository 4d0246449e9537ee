"""Cut the text of the kept blocks into chunks of bounded length, for embedding and retrieval.

A heading begins a chunk, and so does the block that would make one too long. Lists, tables and their items and rows are
not divided as long as they fit. A longer block is cut where a line or a sentence ends, else at white space. A chunk of
few characters says little by itself, so it joins a neighbour under the headings that both have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, takewhile, zip_longest
from typing import Any, NamedTuple, TypeVar

from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.html.permalinks import without_permalinks
from scrapy_blockfilter.html.tags import HEADINGS, ROWS, UNITS
from scrapy_blockfilter.render.text import ITEM, Line, text_lines, without_marks
from scrapy_blockfilter.text.normal_form import lettered

# Characters of a heading in the paths of the chunks below it. A page with a long text in its H1, and many chunks, would
# otherwise become many times its size.
LONGEST_HEADING = 200
# Characters below which a chunk joins a neighbour; a tenth of the greatest chunk if that is less.
_LEAST = 150
_TOGETHER = UNITS | ROWS | ITEM
# Ends of lines, and of sentences: before white space, or anywhere in scripts without spaces between sentences.
_END = re.compile(r"""(?=\n)|[.!?…؟۔։።]["'”’»)\]]{0,4}(?=\s)|[。！？｡।॥།။។]["'”’」』）〉》】]{0,4}""")
_SPACE = re.compile(r"\s")
# White space behind a cut, but not the indentation of the next line, which code may need.
_GAP = re.compile(r"(?:[^\S\n]*\n)+|\s*")

T = TypeVar("T")


class _Part(NamedTuple):
    """A range of the text that is not divided if it fits into a chunk."""

    start: int
    end: int
    level: int  # 1 to 6 for a heading, 0 for any other part
    is_unit: bool  # whether it is a list, a table, or an item or row of one


def render_chunks(page: Page, keep: Sequence[bool], characters: int) -> list[dict[str, Any]]:
    """Return the text of the kept blocks in chunks of at most so many ``characters``: see :attr:`Cleaned.chunks`."""
    lines = text_lines(page, keep)
    text = "\n".join([line for _, line in lines])
    ranges = [
        (headings, (start, start + len(text[start:end].rstrip())))
        for headings, parts in sections(_parts(page, lines, characters))
        for start, end in _packed(parts, text, characters)
        if text[start:end].strip()
    ]
    joined = with_least_size(ranges, characters, lambda part: part[1] - part[0], lambda one, other: other[0] - one[1])
    return [
        {"text": text[start:end], "headings": list(headings), "position": start, "characters": end - start}
        for headings, parts in joined
        for start, end in [(parts[0][0], parts[-1][1])]
    ]


def with_least_size(
    chunks: Sequence[tuple[list[str], T]], most: int, size: Callable[[T], int], gap: Callable[[T, T], int]
) -> list[tuple[list[str], list[T]]]:
    """Join short chunks to the neighbour with which they share more headings, the next if it is as many.

    A joined chunk has the headings around all of its parts; a few characters above the first heading do not count.
    ``gap`` counts the characters between two that are joined.
    """
    least = min(_LEAST, most // 10)
    made: list[tuple[list[str], list[T]]] = []
    opened = 0  # the size of the last one
    for (headings, part), after in zip_longest(chunks, chunks[1:]):
        own = size(part)
        if made:
            around, parts = made[-1]
            is_short = opened < least
            shared = headings if is_short and not around else _shared(around, headings)
            suits_next = (
                after is not None
                and own + gap(part, after[1]) + size(after[1]) <= most
                and len(_shared(headings, after[0])) >= len(shared)
            )
            both = opened + gap(parts[-1], part) + own
            if both <= most and (is_short or (own < least and not suits_next)):
                parts.append(part)
                made[-1], opened = (shared, parts), both
                continue
        made.append((headings, [part]))
        opened = own
    return made


def _shared(one: Sequence[str], other: Sequence[str]) -> list[str]:
    return [heading for heading, _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))]


def sections(parts: Iterable[tuple[T, int, str | None]]) -> Iterator[tuple[list[str], list[T]]]:
    """Yield the parts from a heading to the next, with the headings around them, the outermost first.

    Headings that follow each other begin one section. Each part is given with the level of its heading, 0 for any other
    part, and with the text of the heading, if it has one.
    """
    path: dict[int, str] = {}  # level of each heading that is open -> its text
    section: list[T] = []
    levels: list[int] = []
    for part, level, said in parts:
        if level:
            if any(not before or before >= level for before in levels):
                yield list(path.values()), section
                section, levels = [], []
            path = {above: heading for above, heading in path.items() if above < level}
            if said is not None:
                path[level] = said if len(said) <= LONGEST_HEADING else f"{said[: LONGEST_HEADING - 1]}…"
        section.append(part)
        levels.append(level)
    yield list(path.values()), section


def _parts(page: Page, lines: Sequence[Line], most: int) -> Iterator[tuple[_Part, int, str | None]]:
    """Yield the parts of the text in order, each with the level and the text of its heading."""
    rows, items, headings = page.nearest(ROWS), page.nearest(ITEM), page.nearest(HEADINGS)
    of_lines = [-1 if rows[node] >= 0 and "\t" in line else headings[node] for node, line in lines]
    units = _whole_units(page, lines, of_lines, most)

    def part_of(number: int) -> tuple[str, int]:
        if of_lines[number] >= 0:
            return "heading", of_lines[number]
        unit = units[lines[number][0]]
        return ("unit", unit) if unit >= 0 else ("line", number)

    end = -1
    for (kind, of_kind), numbers in groupby(range(len(lines)), part_of):
        of_part = [lines[number] for number in numbers]
        text = "\n".join([line for _, line in of_part])
        start, end = end + 1, end + 1 + len(text)
        level, said = 0, None
        if kind == "heading":
            level = int(page.tags[of_kind][1])
            words = " ".join(without_marks(text)) if items[of_part[0][0]] >= 0 else text
            said = without_permalinks(" ".join(words.split()), page.elements[page.ordinals[of_kind]])
        yield _Part(start, end, level, kind == "unit"), level, said


def _whole_units(page: Page, lines: Sequence[Line], headings: Sequence[int], most: int) -> Sequence[int]:
    """Return, for each node, the outermost list, table, item or row around it that fits and has no heading; or -1."""
    tags, parents = page.tags, page.parents
    sizes = [0] * len(tags)
    has_heading = [False] * len(tags)
    for (node, line), heading in zip(lines, headings, strict=True):
        sizes[node] += len(line) + 1
        has_heading[node] |= heading >= 0
    for node in range(len(tags) - 1, 0, -1):
        sizes[parents[node]] += sizes[node]
        has_heading[parents[node]] |= has_heading[node]
    units = [-1] * (len(tags) + 1)  # the root's parent, -1, reads the last entry
    for node, (tag, parent) in enumerate(zip(tags, parents, strict=True)):
        units[node] = units[parent]
        if units[node] < 0 and tag in _TOGETHER and not has_heading[node] and sizes[node] - 1 <= most:
            units[node] = node
    return units


def _packed(parts: Sequence[_Part], text: str, most: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the chunks of a section."""
    start = end = -1  # of the chunk that is open
    has_text = False  # whether it has more than headings
    for part in parts:
        if start >= 0 and part.end - start > most and (has_text or (part.is_unit and part.end - part.start <= most)):
            yield start, end
            start = -1
        if start < 0:
            start, has_text = part.start, False
        while part.end - start > most:
            place = cut(text, start, most)
            yield start, place
            gap = _GAP.match(text, place, part.end)
            start = gap.end() if gap else place
        end = part.end
        has_text = has_text or not part.level
        if start >= end:  # only white space was left
            start = -1
    if start >= 0:
        yield start, end


def cut(text: str, start: int, most: int) -> int:
    """Return where to end a chunk that begins at ``start``: behind at least one and at most ``most`` characters."""
    last = start + most
    ends = [found.end() for found in _END.finditer(text, start + 1, last + 1) if found.end() <= last]
    ends = ends or [found.start() for found in _SPACE.finditer(text, start + 1, last + 1)]
    if ends:
        return ends[-1]
    cut = last
    while cut > start + most // 2 and lettered(text[cut]) != text[cut]:
        cut -= 1  # a character stays together with its marks
    return cut

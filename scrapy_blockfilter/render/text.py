"""Write the kept blocks as text for readers: one line per block, marks before list items, tabs between cells.

A line that ends before its block does, at a ``<br>`` or in ``<pre>``, ends with a space. Plain text mail marks lines
within a paragraph the same way (RFC 3676, section 4.1). The last line of a block never ends with a space.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence, Set
from itertools import groupby, zip_longest

from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.html.tags import CELLS, LISTS, ROWS, UNITS
from scrapy_blockfilter.render.markdown_lines import is_number_of, without_own_mark
from scrapy_blockfilter.render.markdown_tables import span

# Text that nobody sees, or sees as a drawing: soft hyphens, marks without width, signs of fonts of icons. Editors of
# sites put it into paragraphs that have no other.
UNSEEN = re.compile("[\\s\u00ad\u200b-\u200f\u2060-\u2064\ufe0f\ufeff\ue000-\uf8ff]*")
Line = tuple[int, str]  # the node of the first block in it, and the text: one or more lines

ITEM = frozenset({"li"})
_OF_LISTS = frozenset({"ol", "li"})
# Deeper lists are not indented further. With 2,000 levels, indentation would make the text far larger than its page.
_DEEPEST = 8
# Columns that spanning cells may take. With more, few characters of a page would be many tabs.
_WIDEST = 20
_NUMBER = re.compile(r"\A[+-]?\d{1,9}")
_MARK = re.compile(r"\A(?:[-*•]|\d{1,9}[.)]) +(?=\S)")
# Types and styles of lists with letters and Roman numbers.
_KIND = re.compile(r"\A\s*[aAiI]\s*\Z|\b(?:lower|(?P<upper>upper))-(?:alpha|latin|(?P<roman>roman))\b")
_ROMAN = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")


def render_text(page: Page, keep: Sequence[bool]) -> str:
    """Return the text of the kept blocks, without the TITLE.

    A block is one line, or several lines that end with a space except the last. The first line of a list item starts
    with ``- `` or its number, and blocks in lists are indented by two spaces per level. A table row with at most one
    block per cell is one line, with tabs between cells.
    """
    return "\n".join([text for _, text in text_lines(page, keep)])


def text_lines(page: Page, keep: Sequence[bool]) -> list[Line]:
    """Return the lines of :func:`render_text`: one for each kept block, or for each row of a table."""
    tags, texts, nodes = page.tags, page.chunks.texts, page.chunks.nodes.tolist()
    kept = [(nodes[number], texts[number]) for number, stays in enumerate(page.of_chunks(keep)) if stays]
    seen = [(node, text.rstrip(" \xad")) for node, text in kept if not UNSEEN.fullmatch(text) and tags[node] != "title"]
    lines = [(node, text.replace("\xad", "").replace("\n", " \n")) for node, text in seen]
    units = page.nearest(UNITS)  # cached: judging needs it, too
    within = {tags[unit] for unit in {units[node] for node, _ in lines} if unit >= 0}
    if "table" in within:
        lines = _with_rows(page, lines)
    if within:
        lines = _with_marks(page, lines)
    return lines


def without_marks(line: str) -> list[str]:
    """Split a line of :func:`render_text` into the texts of its blocks, without marks, indentation and tabs.

    >>> without_marks("  12. Twelfth"), without_marks("one\\ttwo")
    (['Twelfth'], ['one', 'two'])
    """
    return _MARK.sub("", line.strip(), count=1).split("\t")


def _with_rows(page: Page, lines: list[Line]) -> list[Line]:
    """Join the lines of each table row that has one line per cell."""
    rows, cells = page.nearest(ROWS), page.nearest(CELLS)
    kept = {rows[node] for node, _ in lines} | {page.parents[cells[node]] for node, _ in lines}
    places, shifted = _places(page, {page.parents[row] for row in kept - {-1}})
    reached: Counter[int] = Counter()  # columns of each row already written
    joined: list[Line] = []
    for row, group in groupby(lines, lambda line: rows[line[0]]):
        if row < 0:
            joined += group
            continue
        of_row = list(group)
        of_cells = {cells[node]: text for node, text in of_row}
        least = max(1 if row in shifted else 2, len(of_row))
        if len(of_cells) < least or any(page.tags[node] in ("pre", "code") for node, _ in of_row):
            joined += of_row
            continue
        parts: list[str] = []
        for cell, text in of_cells.items():
            place = places.get(cell, 0)
            apart = max(place - reached[row], 1 if parts else 0)  # text beside the cells of a row has no place
            parts.append("\t" * apart + text.replace(" \n", " "))
            reached[row] = place
        joined.append((of_row[0][0], "".join(parts)))
    return joined


def _places(page: Page, parts: Set[int]) -> tuple[dict[int, int], set[int]]:
    """Return the columns before each cell of some parents of rows, and the rows that a cell above reaches into."""
    places = {}
    shifted = set()
    tables: dict[int, dict[int, list[int]]] = {}  # the cells of each row of each part
    cells = page.elements_of(CELLS)
    for node in cells:
        row = page.parents[node]
        if page.parents[row] in parts:
            tables.setdefault(page.parents[row], {}).setdefault(row, []).append(node)
    for rows in tables.values():
        taken: dict[int, int] = {}  # per column, the first row below a cell that spans several
        for number, (row, nodes) in enumerate(rows.items()):
            column = 0
            for node in nodes:
                while taken.get(column, 0) > number:
                    column += 1
                    shifted.add(row)
                places[node] = column
                width, height = span(cells[node], "colspan"), span(cells[node], "rowspan")
                if height > 1:
                    taken.update(dict.fromkeys(range(column, min(column + width, _WIDEST)), number + height))
                column += width if column + width <= _WIDEST else 1
    return places, shifted


def _with_marks(page: Page, lines: list[Line]) -> list[Line]:
    """Indent lines in lists, and put a mark before the first line of each item."""
    item_of = page.nearest(ITEM)
    items = {item_of[node] for node, _ in lines} - {-1}
    if not items:
        return lines
    marks, depths = _marks(page, item_of, items)
    marked = []
    for (node, text), after in zip_longest(lines, lines[1:]):
        if (item := item_of[node]) >= 0:
            outer, lead = "  " * min(depths[item], _DEEPEST), marks.get(item, "")
            own = without_own_mark(text, lead)
            if not own or (is_number_of(text, lead) and after and item_of[after[0]] == item):
                continue
            mark = marks.pop(item, "  ")
            text = text if own != text and mark != "- " else mark + own
            text = outer + text.replace("\n", f"\n{outer}  ")
        marked.append((node, text))
    return marked


def _marks(page: Page, item_of: Sequence[int], items: Set[int]) -> tuple[dict[int, str], dict[int, int]]:
    """Return the mark of some list items, and the number of items around each, and the same for items around these."""
    tags, parents = page.tags, page.parents
    wanted = set[int]()
    for item in items:
        while item >= 0 and item not in wanted:
            wanted.add(item)
            item = item_of[parents[item]]
    owners = page.nearest(LISTS)
    numbered = {owners[item] for item in items if owners[item] >= 0 and tags[owners[item]] == "ol"}
    elements = page.elements_of(_OF_LISTS) if numbered else {}
    marks: dict[int, str] = {}
    depths: dict[int, int] = {}
    begun = set[int]()  # lists with an item so far
    numbers: dict[int, int] = {}  # per numbered list, the number of its last item
    for node in page.nodes_of(ITEM) if numbered else sorted(wanted):
        parent = owners[node] if owners[node] >= 0 else parents[node]
        if node in wanted:
            depths[node] = depths.get(item_of[parent], -1) + 1
            # A list directly in others belongs to the items before it, as pages mean it.
            outer = parents[parent]
            for _ in range(_DEEPEST):
                if tags[outer] not in LISTS:
                    break
                depths[node] += outer in begun
                outer = parents[outer]
            begun.add(parent)
            marks[node] = "- "
        if parent in numbered and (around := elements[parent]).get("reversed") is None:
            following = numbers[parent] + 1 if parent in numbers else _whole_number(around.get("start"), 1)
            numbers[parent] = _whole_number(elements[node].get("value"), following)
            marks[node] = f"{_shown(numbers[parent], around.get('type') or around.get('style') or '')}. "
    return marks, depths


def _shown(number: int, style: str) -> str:
    """Return the number of an item as a letter or a Roman number, if the type or style of its list says so."""
    kind = _KIND.search(style)
    if kind is None or not 0 < number < 27:
        return str(number)
    is_roman = kind["roman"] or kind[0] in ("i", "I")
    said = "x" * (number // 10) + _ROMAN[number % 10] if is_roman else chr(ord("a") + number - 1)
    return said.upper() if kind["upper"] or kind[0].isupper() else said


def _whole_number(written: str | None, default: int) -> int:
    found = _NUMBER.match((written or "").strip())
    return int(found[0]) if found else default

"""Bring tables into the only form that Markdown has: rows of as many cells each, with a line of text in each cell.

Layout tables become plain blocks, and spanning cells are followed by empty ones. Empty cells are bounded: a table with
far more of them than cells of its own becomes plain blocks, too. Without the bound, one row of 100 cells before 50,000
short ones would make 5 million.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from lxml import etree

from scrapy_blockfilter.html.nearby import few_nodes, text_of
from scrapy_blockfilter.html.tags import CELLS, HEADINGS, ROWS, TABLE_TAGS

# Why a table with rows and columns is written as plain blocks.
WIDE_TABLE = "wide_table"

# Tags that cells of Markdown tables cannot contain.
_IN_NO_CELL = HEADINGS | {"table", "pre"}
# The mark of a point, which legal texts have in a cell of its own, and nodes of the cell.
_POINT, _NEAR = re.compile(r"[•∙◦▪·–—-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxl]{1,6})[.)]"), 6
_OF_LAYOUT = frozenset({"presentation", "none"})  # roles
# Wider tables become plain blocks.
_MOST_COLUMNS = 100
# A table may have this many empty cells for each of its own, and all tables of a page may have some more. An empty cell
# takes three characters, one of the page at least four.
_EMPTY_PER_CELL = 3
_SPARE_EMPTY = 5_000

# Parts of a table, with the elements that each must be in to be written as a part.
_PLACES = {
    **dict.fromkeys(("caption", "colgroup", "thead", "tbody", "tfoot"), ("table",)),
    "col": ("colgroup", "table"),
    "tr": ("thead", "tbody", "tfoot", "table"),
    **dict.fromkeys(CELLS, ("tr",)),
}

_Row = list["etree._Element | None"]  # None for an empty cell


def plain_tables(root: etree._Element, tell: Callable[[str], object]) -> None:
    """Fill up the tables of a page, and take apart those that Markdown cannot have. ``tell`` hears of large ones."""
    for part in root.iter(*_PLACES):
        if getattr(part.getparent(), "tag", "") not in _PLACES[str(part.tag)]:
            part.tag = "div"
    for table in list(root.iter("table")):
        _open_points(table)
    for table in _layout_tables(root):
        _take_apart(table)
    spare = _SPARE_EMPTY
    for table in list(root.iter("table")):
        rows = [part for part in table_parts(table) if part.tag in ROWS]
        own = sum(map(len, rows))
        cells = _laid_out(rows, own + _EMPTY_PER_CELL * own + spare)
        if cells is None:
            _take_apart(table)
            tell(WIDE_TABLE)
            continue
        spare -= max(0, sum(map(len, cells)) - own - _EMPTY_PER_CELL * own)
        for row, of_row in zip(rows, cells, strict=True):
            row[:] = [row.makeelement("td") if part is None else _as_cell(part) for part in of_row]


def _open_points(table: etree._Element) -> None:
    """Turn a table into plain blocks, each a mark and its text, if its rows are such and nothing else."""
    rows = []
    for row in table_parts(table):
        if row.tag in ROWS:
            rows.append(cells := row[:])
            has_two = [cell.tag for cell in cells] == ["td", "td"]
            if not has_two or not _POINT.fullmatch(text_of(few_nodes(cells[0], _NEAR)).strip()):
                return
    _take_apart(table)
    for mark, text in rows:
        mark.tail = " "
        first = [] if (text.text or "").strip() else [part for part in text[:1] if part.tag in ("p", "div")]
        for part in (*mark.iter("td", "p", "div"), text, *first):
            part.tag = "span"


def _layout_tables(root: etree._Element) -> list[etree._Element]:
    """Return the tables that contain blocks which no cell of Markdown may contain, or that have no row of two cells.

    Paragraphs behind each other in a cell and a name are signs of a layout, too, but in a table with header cells.
    """
    found = []
    open_tables: list[list[bool]] = []
    for event, element in etree.iterwalk(root, events=("start", "end"), tag=("tr", "th", "p", *sorted(_IN_NO_CELL))):
        tag = element.tag
        if event == "end":
            if tag == "table":
                holds_blocks, has_columns, has_paragraphs, has_headers = open_tables.pop()
                if holds_blocks or not has_columns or (has_paragraphs and not has_headers):
                    found.append(element)
            continue
        if open_tables:
            of_table = open_tables[-1]
            if tag == "tr":
                of_table[1] = of_table[1] or sum(1 for cell in element if cell.tag in CELLS) > 1
            elif tag == "p":
                of_table[2] = of_table[2] or ((before := element.getprevious()) is not None and before.tag == "p")
            else:
                of_table[3 if tag == "th" else 0] = True
        if tag == "table":
            is_layout = element.get("role") in _OF_LAYOUT or "ltx_equation" in element.get("class", "")
            open_tables.append([False, False, is_layout, False])
    return found


def _take_apart(table: etree._Element) -> None:
    for part in (table, *table_parts(table)):
        part.tag = "div"


def table_parts(table: etree._Element) -> Iterator[etree._Element]:
    """Yield the parts of a table in document order, without those of nested tables."""
    left = list(reversed(table))
    while left:
        element = left.pop()
        if element.tag in TABLE_TAGS - {"table"}:
            yield element
            if element.tag not in CELLS:
                left.extend(reversed(element))


def _laid_out(rows: Sequence[etree._Element], most: int) -> list[_Row] | None:
    """Return the cells of each row, with empty ones where a cell spans several, and at the end of short rows.

    None for a table that is too wide, or would have more than ``most`` cells.
    """
    taken: dict[int, int] = {}  # per column, the first row below a cell that spans several
    laid_out: list[_Row] = []
    count = widest = 0
    for number, row in enumerate(rows):
        cells: _Row = []
        for part in row:
            while taken.get(len(cells), 0) > number and len(cells) < _MOST_COLUMNS:
                cells.append(None)
            spanned = height = 1
            if part.tag in CELLS:
                height = span(part, "rowspan")
                spanned = max(1, min(span(part, "colspan"), _MOST_COLUMNS - len(cells)))
            taken.update(dict.fromkeys(range(len(cells), len(cells) + spanned), number + height))
            cells += [part, *[None] * (spanned - 1)]
        laid_out.append(cells)
        count += len(cells)
        widest = max(widest, len(cells))
        if widest > _MOST_COLUMNS or count > most:
            return None
    if widest * len(rows) > most:
        return None
    for cells in laid_out:
        cells += [None] * (widest - len(cells))
    return laid_out


def _as_cell(part: etree._Element) -> etree._Element:
    """Return a cell unchanged, and wrap any other child of a row in a new cell."""
    if part.tag in CELLS:
        return part
    cell = part.makeelement("td")
    cell.append(part)
    return cell


def span(cell: etree._Element, attribute: str) -> int:
    """Return how many rows or columns a cell spans."""
    written = cell.get(attribute, "").strip()
    return max(1, int(written)) if written.isdecimal() and len(written) < 5 else 1

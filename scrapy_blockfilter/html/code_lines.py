"""Find listings of code that are no PRE, by the names of their lines: rows of a table, items of a list, or boxes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from lxml import etree

from scrapy_blockfilter.html.class_hints import NAMES_CODE
from scrapy_blockfilter.html.tags import CELLS, TABLE_TAGS, is_structural

# Elements whose rows or items may be lines. Each line of other listings is a box of its own.
ARRANGING = frozenset({"table", "ol", "ul"})
# Elements that number lines, by their class.
_GUTTERS = (
    "gutter linenos lineno linenums linenumber linenumbers line-number line-numbers rouge-gutter hljs-ln-numbers "
    "react-syntax-highlighter-line-number lines-num linenr crayon-num crayon-nums ltx_tag_listingline"
)
GUTTERS = frozenset(_GUTTERS.split())
NUMBERS = re.compile(r"[\d\s]*:?\s*")
# A class that says "line" and no more is one of code in such an element, or in a child of such an element.
_LINE = re.compile(r"(?:^|\s)line(?:$|\s)")
_OF_CODE = re.compile(r"(?:^|[\s_-])(?:code|fragment|highlight|sourceCode)(?:$|[\s_-])")
# Nodes of a table up to its first row: TBODY, CAPTION, COLs. Cells of a row: that with the number, that with the line.
_FIRST_NODES, _MOST_CELLS = 20, 2
_AROUND_ROWS = TABLE_TAGS - CELLS - {"tr"}
_UP_TO_TABLE = 3  # elements around a cell: its row, the group of rows, and the table
_MOST_CHARACTERS = 300  # of a class that are read
_BOXES = etree.XPath("*[not(a[@download])]")  # without a link to the code as a file
LEVELS = 6  # elements around a part of code, up to its PRE


def around_line(line: etree._Element) -> Iterator[etree._Element]:
    """Yield the elements that may be the listing of an element whose class names code."""
    if line.tag in CELLS:
        yield from (around for around in islice(line.iterancestors(), _UP_TO_TABLE) if around.tag == "table")
    elif line.tag in ARRANGING:
        yield line
    else:
        yield from islice(line.iterancestors(etree.Element), 2)


def may_be_code(listing: etree._Element) -> bool:
    """Return whether the first row of a table, item of a list, or box of another element seems to be of code."""
    if listing.tag == "table":
        first = next((node for node in islice(listing.iter(), _FIRST_NODES) if node.tag == "tr"), None)
        is_first = first is not None and any(map(_is_line, islice(first.iterchildren(*CELLS), _MOST_CELLS)))
        return is_first or (first is not None and pre_before(listing) is not None)
    if is_in_pre(listing):
        return False
    if listing.tag in ARRANGING and names_code(listing):
        return True
    boxes = _BOXES(listing)[:2]
    return len(boxes) > 1 and _is_box_of_line(boxes[0], has_lines=_has_lines(listing))


def code_in(listing: etree._Element, nodes: Sequence[etree._Element]) -> str | None:
    """Return the lines of a listing that may be code, given its nodes; None if a row, item or box of it is no line."""
    if sum(node.tag in ARRANGING for node in nodes) > (listing.tag in ARRANGING):
        return None
    lines: list[str | None] = [None]
    if listing.tag == "table":
        rows, was_in_pre = [node for node in nodes if node.tag == "tr"], pre_before(listing) is not None
        # A row in another would be read with each around it, and is no line.
        if {str(parent.tag) for row in rows if (parent := row.getparent()) is not None} <= _AROUND_ROWS:
            lines = [_line_in(row, was_in_pre=was_in_pre) for row in rows]
    else:
        is_named, has_lines = listing.tag in ARRANGING and names_code(listing), _has_lines(listing)
        boxes = _BOXES(listing)
        are_lines = ((is_named and box.tag == "li") or _is_box_of_line(box, has_lines=has_lines) for box in boxes)
        has_others = any((text or "").strip() for text in (listing.text, *(node.tail for node in listing)))
        if all(are_lines) and not has_others:
            lines = [*map(_text_of, boxes)]
    if None in lines:
        return None
    # A space behind the number of each line is none of the code.
    is_apart = all((line or " ")[0] == " " for line in lines) and any(map(_numbers_line, nodes))
    return "\n".join((line or "")[is_apart:] for line in lines)


def _line_in(row: etree._Element, *, was_in_pre: bool) -> str | None:
    cells = list(islice(row.iterchildren(*CELLS), _MOST_CELLS + 1))
    lines = [cell for cell in cells if _is_line(cell)]
    if was_in_pre and not lines and cells and all(NUMBERS.fullmatch(_text_of(cell)) for cell in cells[:-1]):
        lines = [] if any(is_structural(str(node.tag)) for node in cells[-1].iterdescendants()) else cells[-1:]
    return _text_of(lines[0]) if len(lines) == 1 and len(cells) <= _MOST_CELLS else None


def names_code(element: etree._Element) -> bool:
    """Return whether the class of an element may name a listing or a line of code."""
    classes = element.get("class")
    return classes is not None and NAMES_CODE.search(classes[:_MOST_CHARACTERS]) is not None


def _is_line(element: etree._Element) -> bool:
    return names_code(element) and not _LINE.search(element.get("class", "")[:_MOST_CHARACTERS])


def _has_lines(listing: etree._Element) -> bool:
    """Return whether a class that says "line" and no more says it of code in an element."""
    near = (listing, *islice(listing.iterancestors(), 1))
    return any(_OF_CODE.search(element.get("class", "")[:_MOST_CHARACTERS]) for element in near)


def _is_box_of_line(box: etree._Element, *, has_lines: bool) -> bool:
    """Return whether an element, or the only element in it, is a box that is named a line of code."""
    if not is_structural(str(box.tag)):
        return False
    is_line = names_code if has_lines else _is_line
    return is_line(box) or (len(box) == 1 and not (box.text or "").strip() and _is_line(box[0]))


def _text_of(line: etree._Element) -> str:
    """Return the text of a line without its number. Spaces that do not break are its indentation, or hold it open."""
    text = line.text or ""
    for child in line:
        inner = "".join(child.itertext(etree.Element, etree.Entity)) if isinstance(child.tag, str) else ""
        text += ("" if _numbers_line(child) and NUMBERS.fullmatch(inner) else inner) + (child.tail or "")
    return text.strip("\r\n").replace("\xa0", " ").rstrip()


def _numbers_line(part: etree._Element) -> bool:
    return part.tag not in CELLS and not GUTTERS.isdisjoint((part.get("class") or "").split())


def pre_before(table: etree._Element) -> etree._Element | None:
    """Return the PRE that a table was in on its page: the parser ends a PRE before it."""
    before = table.getprevious()
    is_empty = before is not None and before.tag == "pre" and not len(before) and not (before.text or "").strip()
    return before if is_empty else None


def is_in_pre(element: etree._Element) -> bool:
    return any(around.tag == "pre" for around in islice(element.iterancestors(), LEVELS))

"""Write cleaned HTML as Markdown (CommonMark with GitHub's tables), by turbohtml.

The page is made plain first, so that no part of it can act in a viewer of the Markdown. Scripts, styles, comments and
embedded media are removed. Only attributes that Markdown can express stay, and only links with a harmless scheme.

Markdown has neither layout tables nor spanning cells. Layout tables become plain blocks, and spanning cells are
followed by empty ones. Markup that Markdown cannot express (``a<strong>b</strong>c``) stays as a bare tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import ModuleType
from urllib.parse import urljoin

from lxml import etree

from scrapy_blockfilter.html.limits import NO_LIMITS
from scrapy_blockfilter.html.parse import parse
from scrapy_blockfilter.html.raw import RAW
from scrapy_blockfilter.html.tags import CELLS, HEADINGS, OPAQUE, ROWS, TABLE_TAGS
from scrapy_blockfilter.options.converters import NO_MARKDOWN

# Schemes that only lead somewhere. Others make a program act.
_SCHEMES = frozenset({"http", "https", "ftp", "mailto", "tel"})
_SCHEME = re.compile(r"\A([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_ESCAPES = {**dict.fromkeys(range(33)), ord(" "): "%20", ord("<"): "%3C", ord(">"): "%3E"}
_OPAQUE = OPAQUE | {"object", "head", "noembed", "noframes"}
_GONE = "GONE"  # the parser writes names in lower case
# Tags that cells of Markdown tables cannot contain.
_IN_NO_CELL = HEADINGS | {"table", "pre"}
# Wider tables become plain blocks: 1,000 rows with a cell that spans 1,000 columns would make a million cells.
_MOST_COLUMNS = 100

# Sites name the language of code in a class of its element or of an element around it.
_LANGUAGE = re.compile(r"\A(?:language|lang|highlight-source|highlight-text|highlight)-([\w+#.-]+)\Z")
_BRUSH = re.compile(r"brush:\s*([\w+#.-]+)")
# Classes of highlighters; another class beside them names the language.
_HIGHLIGHTERS = frozenset({"hljs", "sourceCode"})
_NO_LANGUAGE = frozenset({"default", "none", "text", "plain", "plaintext", "source"})


def library() -> ModuleType:
    """Import turbohtml on first use of Markdown.

    Raises:
        ImportError: it is not installed.
    """
    try:
        import turbohtml
    except ImportError as error:
        raise ImportError(NO_MARKDOWN) from error
    return turbohtml


def render_markdown(html: str, url: str = "") -> str:
    """Write HTML as Markdown, without its TITLE.

    Args:
        html: cleaned HTML of a page within limits.
        url: base address of links and images. "" or the address of a file leaves them unchanged.

    Raises:
        ImportError: turbohtml is not installed.
    """
    turbohtml = library()
    if not html.strip():
        return ""
    if url.startswith("file:"):
        url = ""  # links of a saved page do not lead to files beside it
    root = parse(html, NO_LIMITS)
    for element in root.iter(etree.Element):
        if element.tag in _OPAQUE:
            element.tag = _GONE
    etree.strip_elements(root, _GONE, etree.Comment, etree.ProcessingInstruction, with_tail=False)
    for table in _layout_tables(root):
        _take_apart(table)
    for table in list(root.iter("table")):
        _fill_up(table)
    for code in list(root.iter("pre")):
        _name_language(code)
    for element in root.iter(etree.Element):
        _make_plain(element, url)
    etree.strip_elements(root, _GONE, with_tail=False)
    options = turbohtml.Markdown(tables=turbohtml.Markdown.Tables(cell_blocks="text"))
    written: str = turbohtml.parse(etree.tostring(root, encoding="unicode", method="html")).to_markdown(options)
    return written


def _layout_tables(root: etree._Element) -> list[etree._Element]:
    """Return the tables that contain blocks which no Markdown cell can, or have no row of two cells."""
    found = []
    open_tables: list[list[bool]] = []
    for event, element in etree.iterwalk(root, events=("start", "end"), tag=("tr", "p", *sorted(_IN_NO_CELL))):
        tag = element.tag
        if event == "end":
            if tag == "table" and _lays_out(*open_tables.pop()):
                found.append(element)
            continue
        if open_tables:
            of_table = open_tables[-1]
            if tag == "tr":
                of_table[1] = of_table[1] or sum(1 for cell in element if cell.tag in CELLS) > 1
            elif tag != "p" or ((before := element.getprevious()) is not None and before.tag == "p"):
                of_table[0] = True
        if tag == "table":
            open_tables.append([False, False])
    return found


def _lays_out(holds_blocks: bool, has_columns: bool) -> bool:
    return holds_blocks or not has_columns


def _take_apart(table: etree._Element) -> None:
    """Turn a table and all its parts into DIVs."""
    for part in (table, *_parts(table)):
        part.tag = "div"


def _parts(table: etree._Element) -> Iterator[etree._Element]:
    """Yield the parts of a table in document order, without those of nested tables."""
    left = list(reversed(table))
    while left:
        element = left.pop()
        if element.tag in TABLE_TAGS - {"table"}:
            yield element
            if element.tag not in CELLS:
                left.extend(reversed(element))


def _fill_up(table: etree._Element) -> None:
    """Add empty cells where a cell spans several columns or rows, and at the end of short rows."""
    rows = [part for part in _parts(table) if part.tag in ROWS]
    left: dict[int, int] = {}  # per column, the number of rows that a cell above still spans
    for row in rows:
        cells: list[etree._Element] = []
        for cell in map(_as_cell, list(row)):
            while left.get(len(cells), 0) > 0 and len(cells) < _MOST_COLUMNS:
                left[len(cells)] -= 1
                cells.append(_empty(cell))
            height = _span(cell, "rowspan")
            spanned = max(1, min(_span(cell, "colspan"), _MOST_COLUMNS - len(cells)))
            left.update(dict.fromkeys(range(len(cells), len(cells) + spanned), height - 1))
            cells += [cell, *(_empty(cell) for _ in range(spanned - 1))]
        row[:] = cells
    widest = max(map(len, rows), default=0)
    if widest > _MOST_COLUMNS:
        _take_apart(table)
        return
    for row in rows:
        row.extend([_empty(row) for _ in range(widest - len(row))])


def _as_cell(part: etree._Element) -> etree._Element:
    """Return a cell unchanged, and wrap any other child of a row in a new cell."""
    if part.tag in CELLS:
        return part
    cell = _empty(part)
    cell.append(part)
    return cell


def _empty(beside: etree._Element) -> etree._Element:
    return beside.makeelement("td")


def _span(cell: etree._Element, attribute: str) -> int:
    written = cell.get(attribute, "").strip()
    return max(1, int(written)) if written.isdecimal() and len(written) < 5 else 1


def _name_language(code: etree._Element) -> None:
    """Reduce the attributes of preformatted code to one class that names its language."""
    inner = code[0] if len(code) == 1 and code[0].tag == "code" else code
    around = [parent for _, parent in zip(range(2), code.iterancestors(), strict=False)]
    language = next(filter(None, map(_language_of, (inner, code, *around))), "")
    for element in {inner, code}:
        element.attrib.clear()
    if language:
        inner.set("class", f"language-{language}")


def _language_of(element: etree._Element) -> str:
    classes = element.get("class", "")
    names = classes.split()
    found = [element.get("data-lang") or element.get("data-language") or ""]
    found += [match[1] for match in map(_LANGUAGE.match, names) if match]
    found += _BRUSH.findall(classes)
    if not _HIGHLIGHTERS.isdisjoint(names):
        found += [name for name in names if name not in _HIGHLIGHTERS and not _LANGUAGE.match(name)]
    return next((name for name in found if name and name not in _NO_LANGUAGE and not name.isspace()), "").split(" ")[0]


def _make_plain(element: etree._Element, url: str) -> None:
    """Remove the attributes that Markdown cannot express."""
    tag, attributes = element.tag, dict(element.attrib)
    element.attrib.clear()
    if tag == "a":
        has_content = len(element) > 0 or bool(element.text and element.text.strip())
        if has_content and (address := _address(attributes.get("href"), url)):
            element.set("href", address)
    elif tag == "img":
        source = attributes.get("src", "")
        if not source.strip() or source.startswith("data:"):
            source = attributes.get("data-src", "")  # a lazily loaded image
        if address := _address(source or None, url):
            element.set("src", address)
            element.set("alt", " ".join(attributes.get("alt", "").split()))
        else:
            element.tag = _GONE
    elif tag in RAW:
        element.tag = "pre"
    elif tag in ("ol", "li", "pre", "code"):
        for name in {"ol": ("start",), "li": ("value",)}.get(str(tag), ("class",)):
            if attributes.get(name, "").startswith("language-") or attributes.get(name, "").isdecimal():
                element.set(name, attributes[name])


def _address(written: str | None, url: str) -> str:
    """Return the absolute address, or "" if it is invalid or its scheme is not allowed."""
    if written is None:
        return ""
    address = written.strip()
    try:
        address = urljoin(url, address) if url else address
    except ValueError:  # such as http://[
        return ""
    address = address.strip().translate(_ESCAPES)
    scheme = _SCHEME.match(address)
    return address if not scheme or scheme[1].lower() in _SCHEMES else ""

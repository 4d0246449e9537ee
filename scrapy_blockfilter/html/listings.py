"""Read each listing of code as a single block: a line of it says nothing by itself, and recurs in others.

Highlighters make a box of each line: a DIV, an LI, the row of a table, or a SPAN with a box. A browser breaks
the lines there, and so does a reader who copies them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from lxml import etree

from scrapy_blockfilter.html.columns import Row
from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.html.tags import CELLS, LISTS, OPAQUE, STRUCTURAL, TABLE_TAGS, is_structural
from scrapy_blockfilter.text.block_text import block_key, fold

_PRE, _CODE = frozenset({"pre"}), frozenset({"code"})
# Elements that arrange lines. With others in it, a PRE is a page, as some of the nineties are.
OTHERS = STRUCTURAL - TABLE_TAGS - LISTS - {"pre", "div", "li", "figure"}
_SHOWN_AS_BOX = re.compile(r"\bdisplay\s*:\s*(?:block|flex|grid|table-row)\b")
_LINE = re.compile(r"(?:^|[\s_-])(?:line|row)(?:$|[\s_-])", re.IGNORECASE)


def with_whole_listings(page: Page) -> Page:
    """Return a page of text chunks with a block for each PRE, or CODE outside of any, whose lines are elements."""
    if "pre" not in page.tags and "code" not in page.tags:
        return page
    around = [pre if pre >= 0 else code for pre, code in zip(page.nearest(_PRE), page.nearest(_CODE), strict=True)]
    nodes = page.nodes.tolist()
    total = Counter(around[node] for node in nodes)
    others = {-1} | {around[node] for node, tag in enumerate(page.tags) if tag in OTHERS}
    others |= {around[page.parents[node]] for node, listing in enumerate(around) if node == listing}
    runs: list[tuple[int, int, int]] = []  # listings, each with the range of its blocks
    for listing, group in groupby(range(len(nodes)), lambda block: around[nodes[block]]):
        blocks = list(group)
        is_whole = nodes[blocks[0]] == listing and len(blocks) == 1 and "\n" in page.texts[blocks[0]]
        if not is_whole and listing not in others and len(blocks) == total[listing]:
            runs.append((listing, blocks[0], blocks[-1] + 1))
    return _joined(page, runs) if runs else page


def _joined(page: Page, runs: Sequence[tuple[int, int, int]]) -> Page:
    elements = page.elements_of(frozenset(page.tags[listing] for listing, _, _ in runs))
    texts = [listing_text(elements[listing]).strip("\n") for listing, _, _ in runs]
    changed = [(*run, text) for run, text in zip(runs, texts, strict=True) if text not in ("", page.texts[run[1]])]
    rows = page.rows() if changed else []
    joined: list[Row] = []
    reached = 0
    for listing, start, end, text in changed:
        row = join_rows(rows[start:end], listing)
        if 2 * row.link_chars <= len(text):
            row = row._replace(text=text, key=block_key(fold(text), row.images))
            joined += [*rows[reached:start], row]
            reached = end
    return page.with_blocks([*joined, *rows[reached:]]) if joined else page


def join_rows(rows: Sequence[Row], node: int) -> Row:
    """Join the rows of consecutive blocks, but for their keys, to the row of a single block."""
    return Row(
        text="\n".join(row.text for row in rows if row.text),
        key=rows[0].key,
        images=tuple(words for row in rows for words in row.images),
        node=node,
        link_chars=sum(row.link_chars for row in rows),
        counts=tuple(map(sum, zip(*(row.counts for row in rows), strict=True))),
        end=rows[-1].end,
    )


def listing_text(listing: etree._Element) -> str:
    """Return the text of a listing as a browser shows it, with a line break at the edges of each box in it."""
    parts: list[str] = []
    sizes: list[int] = []  # parts before each line that is open
    lines: set[etree._Element] = set()
    has_text = False
    walk = etree.iterwalk(listing, events=("start", "end", "comment", "pi"))
    for event, element in walk:
        is_start = event == "start"
        if is_start:
            lines.update(boxes_in(element))
            if element.tag in OPAQUE:
                walk.skip_subtree()
                continue
        elif element is listing:
            break
        if element in lines and element.tag not in CELLS:
            if not has_text:
                parts.clear()
            if parts and not parts[-1].endswith("\n"):
                parts.append("\n")
            if is_start:
                sizes.append(len(parts))
            elif sizes.pop() == len(parts) and has_text and _has_twin(element):
                parts.append("\n")
        elif is_start and element.tag == "br":
            parts.append("\n")
        text, following = (element.text, element[:1]) if is_start else (element.tail, [element, element.getnext()])
        if text and not (text.isspace() and any(beside in lines for beside in following)):
            parts.append(text)
            has_text = has_text or not text.isspace()
    return "".join(parts)


def boxes_in(element: etree._Element) -> list[etree._Element]:
    """Return the children of an element that a browser shows as boxes.

    SPANs with nothing between them are lines if they alone are in the element, and their class says so.
    """
    children = list(element.iterchildren(etree.Element))
    boxes = [
        child
        for child in children
        if is_structural(str(child.tag)) or (child.tag == "span" and _SHOWN_AS_BOX.search(child.get("style", "")))
    ]
    if boxes or len(children) < 2 or (element.text or "").strip():
        return boxes
    classes = {child.get("class", "") if child.tag == "span" and not child.tail else "" for child in children}
    return children if len(classes) == 1 and _LINE.search(classes.pop()) else []


def _has_twin(element: etree._Element) -> bool:
    """Return whether an element beside another is alike: an empty element is an empty line then."""
    return any(
        beside is not None and (beside.tag, beside.get("class")) == (element.tag, element.get("class"))
        for beside in (element.getprevious(), element.getnext())
    )

"""Read each listing of code as a single block: a line of it says nothing by itself, and recurs in others.

Highlighters make a box of each line: a DIV, an LI, the row of a table, or a SPAN with a box. A browser breaks the lines
there, and so does a reader who copies them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

import numpy as np
import numpy.typing as npt
from lxml import etree

from scrapy_blockfilter.html.class_hints import CODE_LINES
from scrapy_blockfilter.html.code_lines import code_in, may_be_code
from scrapy_blockfilter.html.columns import Row
from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.html.tags import CELLS, LISTS, OPAQUE, STRUCTURAL, TABLE_TAGS, is_structural
from scrapy_blockfilter.text.block_text import block_key, fold

_PRE, _CODE, _TABLE = frozenset({"pre"}), frozenset({"code"}), frozenset({"table"})
_NAMED = _PRE | _CODE
# Elements that arrange lines. With others in it, a PRE is a page, as some of the nineties are.
OTHERS = STRUCTURAL - TABLE_TAGS - LISTS - {"pre", "div", "li", "figure", "p"}
_LONGEST = 300  # characters of a line: paragraphs of a page in a PRE are longer
_SHOWN_AS_BOX = re.compile(r"\bdisplay\s*:\s*(?:block|flex|grid|table-row)\b")
_LINE = re.compile(r"(?:^|[\s_-])(?:line|row)(?:$|[\s_-])", re.IGNORECASE)


def with_whole_listings(page: Page) -> Page:
    """Return a page of text chunks with a block for each PRE, CODE or other listing whose lines are elements."""
    named = np.flatnonzero(np.asarray(page.path_hints) & CODE_LINES).tolist()
    if not named and _NAMED.isdisjoint(page.tags):
        return page
    around = _listings_around(page, sorted({*_without_pre(page, named), *page.nodes_of(_CODE)}))
    of_blocks = around[page.nodes]
    if not len(of_blocks) or of_blocks.max() < 0:
        return page
    listings = around.tolist()
    inside = np.flatnonzero(around >= 0).tolist()
    others = {-1} | {listings[node] for node in inside if page.tags[node] in OTHERS}
    others |= {listings[page.parents[node]] for node in inside if listings[node] == node}
    divided = {listings[node] for node in inside if listings[node] != node}
    total = np.bincount(of_blocks + 1)
    edges = [0, *(np.flatnonzero(np.diff(of_blocks)) + 1).tolist(), len(of_blocks)]
    runs: list[tuple[int, int, int]] = []  # listings, each with the range of its blocks
    for start, end in pairwise(edges):
        listing = int(of_blocks[start])
        if listing not in others and end - start == total[listing + 1]:
            is_own = page.nodes[start] == listing and end - start == 1
            is_whole = is_own and ("\n" in page.texts[start] or (listing not in divided and _is_single(page, start)))
            runs += [] if is_whole else [(listing, start, end)]
    return _joined(page, runs) if runs else page


def _without_pre(page: Page, named: Sequence[int]) -> Iterator[int]:
    """Yield the nodes that may be a listing: tables, and what is around nodes whose class names code."""
    tables, parents = page.nearest(_TABLE), page.parents
    around = {near for node in named for near in (node, parents[node], parents[parents[node]]) if near >= 0}
    nodes = sorted({*around, *page.nodes_of(_TABLE), *(tables[node] for node in named)} - {-1})
    elements = page.elements_at(page.ordinals[node] for node in nodes)
    return (node for node in nodes if may_be_code(elements[page.ordinals[node]]))


def _listings_around(page: Page, others: Sequence[int]) -> npt.NDArray[np.intc]:
    """Return, for each node, the listing that it is or is in, -1 for no listing: a PRE, or the outermost of others."""
    around = np.array(page.nearest(_PRE), np.intc)
    for node in others:
        if around[node] < 0:
            end = bisect_left(page.ordinals, page.element_ends[page.ordinals[node]])
            around[node:end][around[node:end] < 0] = node
    return around


def _is_single(page: Page, block: int) -> bool:
    """Return whether a block of a PRE is a single text node, so that no element makes a line of it."""
    pieces, text = page.range_of(block), page.texts[block]
    return pieces.stop - pieces.start == 1 and page.tags[page.nodes[block]] == "pre" and text == text.strip()


def _joined(page: Page, runs: Sequence[tuple[int, int, int]]) -> Page:
    elements = page.elements_of(frozenset(page.tags[listing] for listing, _, _ in runs))
    texts = [(_text_of(elements[listing]) or "").strip("\n") for listing, _, _ in runs]
    changed = [(*run, text) for run, text in zip(runs, texts, strict=True) if text not in ("", page.texts[run[1]])]
    rows = page.rows() if changed else []
    joined: list[Row] = []
    tags, reached = list(page.tags), 0
    for listing, start, end, text in changed:
        row = join_rows(rows[start:end], listing)
        is_code = 2 * row.link_chars <= len(text) and all(len(line.text) <= _LONGEST for line in rows[start:end])
        if is_code:
            text = _without_lead(text, fold(row.text), fold(rows[start - 1].text) if start else "")
            row = row._replace(text=text, key=block_key(fold(text), row.images))
            joined += [*rows[reached:start], row]
            tags[listing] = "code" if tags[listing] == "code" else "pre"  # the judge knows a listing by its tag
            reached = end
    if not joined:
        return page
    page = page.with_blocks([*joined, *rows[reached:]])
    return page if tags == list(page.tags) else replace(page, tags=tuple(tags), find_nearest=None)


def _without_lead(text: str, own: str, before: str) -> str:
    """Return the lines of a CODE that are its own: the block before has the text above the first box."""
    above = fold(text).removesuffix(own).strip()
    if not above or above == fold(text) or not before.endswith(above):
        return text
    lines = text.split("\n")
    left = accumulate((len("".join(line.split())) for line in lines), initial=-len(above.replace(" ", "")))
    return "\n".join(lines[sum(size < 0 for size in left) :])


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
            if len(element):
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
        text = element.text if is_start else element.tail
        is_blank = not text or text.isspace()
        if text and (not is_blank or lines.isdisjoint(element[:1] if is_start else (element, element.getnext()))):
            parts.append(text)
            has_text = has_text or not is_blank
    return "".join(parts)


def boxes_in(element: etree._Element) -> list[etree._Element]:
    """Return the children of an element that a browser shows as boxes."""
    children = list(element.iterchildren(etree.Element))
    boxes = [child for child in children if _is_box(child)]
    if boxes or len(children) < 2 or (element.text or "").strip():
        return boxes
    # SPANs with nothing between them are lines if they alone are in the element, and their class says so.
    classes = {child.get("class", "") if child.tag == "span" and not child.tail else "" for child in children}
    return children if len(classes) == 1 and _LINE.search(classes.pop()) else []


def _is_box(element: etree._Element) -> bool:
    if element.tag != "span":
        return is_structural(str(element.tag))
    return bool((style := element.get("style")) and _SHOWN_AS_BOX.search(style))


def _has_twin(element: etree._Element) -> bool:
    """Return whether an element beside another is alike: an empty element is an empty line then."""
    beside = [one for one in (element.getprevious(), element.getnext()) if one is not None]
    return any((one.tag, one.get("class")) == (element.tag, element.get("class")) for one in beside)


def _text_of(listing: etree._Element) -> str | None:
    return listing_text(listing) if listing.tag in _NAMED else code_in(listing, list(listing.iter()))

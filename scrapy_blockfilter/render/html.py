"""Write a page as HTML without its stripped blocks.

An element with only stripped blocks is removed whole. Elsewhere the text nodes of stripped blocks are removed, and the
rest keeps its markup byte for byte. A SCRIPT with JSON-LD stays with the elements around it, as it is about the page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from types import ModuleType

import numpy as np
from lxml import etree

from scrapy_blockfilter._native import load
from scrapy_blockfilter.html.caches import PageCaches
from scrapy_blockfilter.html.page import TAIL, TEXT, Page
from scrapy_blockfilter.html.parse import DocumentStart, own_copy, parse, start_of
from scrapy_blockfilter.html.reader import segment
from scrapy_blockfilter.html.tags import is_structural
from scrapy_blockfilter.html.tree_fingerprint import renew_changed_tree
from scrapy_blockfilter.render.raw import RAW, hide_raw_text

_SKIPPED = " \t\n\f\r\ufeff"  # at the start of a page
_GONE = "GONE"  # the parser writes names in lower case
_JSON_LD = "application/ld+json"


def render_html(page: Page, keep: Sequence[bool], source: str) -> str:
    """Return the page as HTML with only the blocks that ``keep`` marks.

    Args:
        source: the HTML that the page was parsed from: a document, a fragment, or a HEAD or BODY alone.

    Raises:
        RuntimeError: someone else has changed the tree since it was segmented, and the source gives another tree.
    """
    stripped = stripped_tree(page, keep, source)
    assert page.root is not None
    return _written(stripped, page.root, source, start_of(source))


def stripped_tree(page: Page, keep: Sequence[bool], source: str) -> etree._Element:
    """Return the root of a copy of the page's tree with only the blocks that ``keep`` marks.

    The native module leaves trees with namespaces to Python: no parser of HTML makes one. It raises as
    :func:`render_html` does.
    """
    keep, chunks = page.of_chunks(keep), page.chunks
    renew_changed_tree(page, source)
    stripped = None if _native is None else _stripped_natively(_native, page, chunks, keep, source)
    return _stripped_in_python(page, keep, source) if stripped is None else stripped


def _stripped_natively(
    native: ModuleType, page: Page, chunks: Page, keep: Sequence[bool], source: str
) -> etree._Element | None:
    root = page.root
    assert root is not None, "a page in memory is not written"
    tags = page.tags
    keep = list(keep)
    nodes = chunks.nodes.tolist()
    stays = [kept or tags[node] == "title" for node, kept in zip(nodes, keep, strict=True)]
    pieces, ends = page.pieces, chunks.ends
    if data := _places_of_data(root, source):
        pieces, ends = [*pieces, *(place << 2 | TEXT for place in data)], [*ends, len(pieces) + len(data)]
        stays.append(True)
    tree = native.Tree(root, page.element_parents, pieces, ends, stays)
    dividing = tree.dividing(page.ordinals, nodes, keep, tags, is_structural)
    empty = {ordinal: element.tag for ordinal, element in _empty(page, dividing)} if dividing else {}
    stripped: etree._Element | None = tree.copy(empty)
    return stripped


def _written(stripped: etree._Element, root: etree._Element, source: str, start: DocumentStart) -> str:
    """Write a stripped tree as a document or as a fragment, with the siblings of the root in the page's tree."""
    elements = list(stripped.iter("li", *RAW))
    show_raw_text = hide_raw_text((element for element in elements if element.tag != "li"), source)
    end_empty_items(elements)
    return show_raw_text(_with_siblings(stripped, root, start))


def _with_siblings(stripped: etree._Element, root: etree._Element, start: DocumentStart) -> str:
    outermost, doctype = start
    before = [_outer(node) for node in root.itersiblings(preceding=True)]
    after = [_outer(node) for node in root.itersiblings()]
    if outermost in ("!doctype", "html"):
        return "".join((doctype and f"{doctype}\n", *reversed(before), _outer(stripped), *after))
    written = [_outer(part) if outermost else _inner(part) for part in stripped]
    return "".join((*reversed(before), *written, *after)).lstrip(_SKIPPED)


def _outer(element: etree._Element) -> str:
    return etree.tostring(element, encoding="unicode", method="html")


def _inner(element: etree._Element) -> str:
    if element.tag not in ("head", "body"):
        return _outer(element)
    # Without the end tag, text after BODY would join the text in it.
    end = "</body>" if element.tail and not element.tail.isspace() else ""
    return f"{_escaped(element.text)}{''.join(map(_outer, element))}{end}{_escaped(element.tail)}"


def _escaped(text: str | None) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") if text else ""


def _stripped_in_python(page: Page, keep: Sequence[bool], source: str) -> etree._Element:
    assert page.root is not None, "a page in memory is not written"
    elements = list(own_copy(page.root).iter())
    parents = page.element_parents
    tags = page.tags
    staying = bytearray(len(parents))  # elements that contain something kept
    staying[0] = True
    for place in _places_of_data(elements[0], source):
        _mark_around(place, parents, staying)
    stripped = []
    for block, kept in zip(page.chunks.blocks, keep, strict=True):
        if kept or tags[block.node] == "title":  # a document keeps its TITLE
            for piece in block.pieces:
                _mark_around(parents[piece >> 2] if piece & 3 == TAIL else piece >> 2, parents, staying)
        else:
            stripped.append(block)
    going = bytearray(len(parents))  # elements with only stripped blocks
    outermost = []
    for block in stripped:
        for piece in block.pieces:
            element, kind = piece >> 2, piece & 3
            ordinal = parents[element] if kind == TAIL else element
            if staying[ordinal]:
                if kind == TAIL:
                    elements[element].tail = None
                elif kind == TEXT:
                    elements[element].text = None
            while not (staying[ordinal] or going[ordinal]):
                going[ordinal] = True
                if staying[parents[ordinal]]:
                    outermost.append(ordinal)
                ordinal = parents[ordinal]
    for ordinal, empty in _empty(page, _dividing(page, keep, outermost)):
        elements[ordinal].addprevious(empty)
    for ordinal in outermost:
        if elements[ordinal].getparent() is None or elements[ordinal].tag in ("head", "body"):
            elements[ordinal].clear(keep_tail=True)
        else:
            elements[ordinal].tag = _GONE
    # One call removes all, and leaves the text after each in place. Moving that text would fail on control characters,
    # and would take quadratic time.
    etree.strip_elements(elements[0], _GONE, with_tail=False)
    return elements[0]


def _mark_around(ordinal: int, parents: Sequence[int], marked: bytearray) -> None:
    """Mark an element and all elements around it."""
    while not marked[ordinal]:
        marked[ordinal] = True
        ordinal = parents[ordinal]


def _places_of_data(root: etree._Element, source: str) -> list[int]:
    """Return the places of the SCRIPTs with JSON-LD that may be in stripped elements; in HEAD, all stay anyway."""
    if source.find(_JSON_LD, source.find("<body") + 1) < 0:
        return []
    kinds = ((script, script.get("type", "").partition(";")[0]) for script in root.iter("script"))
    found = {script for script, kind in kinds if kind.strip().lower() == _JSON_LD}
    return [place for place, element in enumerate(root.iter()) if element in found] if found else []


def _dividing(page: Page, keep: Sequence[bool], ordinals: Sequence[int]) -> set[int]:
    """Return those structural elements whose removal would join kept text.

    This can happen in an element with several kept blocks of its own. It can also happen in an inline element, which
    ends a block only as long as it contains a structural element.
    """
    tags = page.tags
    parents = page.element_parents
    nodes = {ordinal: node for node, ordinal in enumerate(page.ordinals)}
    kept = Counter(page.chunks.nodes[np.asarray(keep, np.bool_)].tolist())
    return {
        ordinal
        for ordinal in ordinals
        if ordinal in nodes
        and (around := nodes.get(parents[ordinal], -1)) >= 0
        and (kept[around] > 1 or not is_structural(tags[around]))
    }


def _empty(page: Page, ordinals: Collection[int]) -> Iterator[tuple[int, etree._Element]]:
    """Yield each of some elements with an empty one that has its tag, or that of the first structural element in it."""
    tags, wanted = page.tags, set(ordinals)
    for node, ordinal in enumerate(page.ordinals):
        if ordinal in wanted:
            tag = next(filter(is_structural, map(tags.__getitem__, range(node, len(tags)))))
            try:
                # PLAINTEXT has no end tag, and a name with a namespace would add a prefix.
                yield ordinal, etree.Element("div" if tag == "plaintext" or tag.startswith("{") else tag)
            except ValueError:  # the parser accepts names that lxml refuses for new elements: <a"b-c>
                yield ordinal, etree.Element("div")


def end_empty_items(elements: Iterable[etree._Element]) -> None:
    """Make libxml2 write the end tags of empty LIs. Without one, the text after an LI would move into it."""
    for item in elements:
        if item.tag == "li" and item.text is None and not len(item):
            item.text = ""


def _agrees(native: ModuleType) -> bool:
    """Return whether the native module writes a small page as Python does, and leaves its tree as it is."""
    text = "<p>a<p>b<br>c</p>d<div>e<hr>f</div><ul><li>g</li>h</ul><iframe>1 < 2</iframe><!-- i --><x-y>j</x-y>k"
    for source in (text, f"<!-- 1 --><!doctype html><title>t</title>{text}</html><!-- 2 -->"):
        page = segment(parse(source), PageCaches())
        keep = [number % 3 > 0 for number in range(len(page.blocks))]
        assert page.root is not None
        before = etree.tostring(page.root)
        by_native = _stripped_natively(native, page, page, keep, source)
        copies = [copied for copied in (by_native, _stripped_in_python(page, keep, source)) if copied is not None]
        written = {_written(copied, page.root, source, start_of(source)) for copied in copies}
        if len(copies) != 2 or len(written) != 1 or etree.tostring(page.root) != before:
            return False
    return True


_native = load("render", _agrees)

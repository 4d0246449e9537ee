"""Write a page as HTML without its stripped blocks.

An element with only stripped blocks is removed whole. Elsewhere the text nodes of stripped blocks are removed, and the
rest keeps its markup byte for byte. A SCRIPT with JSON-LD stays with the elements around it, as it is about the page.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import compress
from types import ModuleType
from typing import Any
from urllib.parse import quote

import numpy as np
from lxml import etree

from scrapy_blockfilter._native import load
from scrapy_blockfilter.html.json_ld import MEDIA_TYPE, json_ld_scripts
from scrapy_blockfilter.html.page import IMAGE, TAIL, TEXT, Page, PageCaches
from scrapy_blockfilter.html.parse import DocumentStart, own_copy, parse, start_of
from scrapy_blockfilter.html.reader import segment
from scrapy_blockfilter.html.tags import is_structural
from scrapy_blockfilter.html.tree_fingerprint import renew_changed_tree
from scrapy_blockfilter.render.addresses import CONTROL
from scrapy_blockfilter.storable.hashing import hash64

# Elements whose text libxml2 would escape: <iframe>a & b</iframe>. 108 of 2,073 real pages have markup in an IFRAME.
_RAW = ("iframe", "noembed", "noframes", "xmp", "plaintext", "script")
_ESCAPED = re.compile("[&<>]")
_BEHIND = re.compile(r"\A(?:</[^>]*>|<!--(?:[^-]|-(?!->))*-->|\s)*\Z")
_MARK = re.compile(r"(raw-?[0-9a-f]+_)(\d+)_")
_SKIPPED = " \t\n\f\r\ufeff"  # at the start of a page
_GONE = "GONE"  # the parser writes names in lower case
# Addresses with white space that browsers pass over, and libxml2 would escape: at an end, or a line break.
_SPACED = etree.XPath("(.//@href | .//@src | .//@action | .//a/@name)[. != normalize-space()]")
_BREAKS = str.maketrans("", "", "\t\n\r")
# Elements, attributes with values, and others, each of which some release of libxml2 or of HTML treats as special.
_TAGS = (
    "a area base basefont bgsound br button col command dd embed frame hr iframe img input isindex keygen li link math"
    " meta noembed noframes noscript object option p param pre script source style svg table td template textarea track"
    " wbr xmp"
)
_VALUED = "action background cite class data href id longdesc name poster src srcset style title xlink:href xml:lang"
_BARE = (
    "allowfullscreen async checked compact declare default defer disabled hidden inert ismap loop multiple nohref"
    " noresize noshade nowrap open readonly required reversed selected value"
)


def render_html(page: Page, keep: Sequence[bool], source: str) -> str:
    """Return the page as HTML with only the blocks that ``keep`` marks.

    The ``source`` of the page may be a document, a fragment, or a HEAD or BODY alone.

    Raises:
        RuntimeError: someone else has changed the tree since it was segmented, and the source gives another tree.
    """
    renew_changed_tree(page, source)
    start, chunks, stays = start_of(source), page.chunks, page.of_chunks(keep)
    assert page.root is not None, "a page in memory is not written"
    if _native is not None and _writes and _is_document(start):
        tree, fillers = _native_tree(_native, page, chunks, stays, source)
        written: str | None = tree.write(fillers)
        if written is not None:
            return _with_siblings(written, page.root, start)
    return _written(stripped_tree(page, keep, source), page.root, source, start)


def stripped_tree(page: Page, keep: Sequence[bool], source: str) -> etree._Element:
    """Return the root of a copy of the page's tree with only the blocks that ``keep`` marks.

    The native module leaves trees with namespaces to Python: no parser of HTML makes such trees. It raises as
    :func:`render_html` does.
    """
    renew_changed_tree(page, source)
    chunks, stays = page.chunks, page.of_chunks(keep)
    stripped: etree._Element | None = None
    if _native is not None:
        tree, fillers = _native_tree(_native, page, chunks, stays, source)
        stripped = tree.copy(fillers)
    return _stripped_in_python(page, chunks, stays, source) if stripped is None else stripped


def without_parts(page: Page, keep: Sequence[bool], places: Iterable[int]) -> tuple[Page, list[bool]]:
    """Return a page that HTML can be written from, and which of its blocks stay, so that some of its pieces go."""
    chunks, ends = page.chunks, np.asarray(page.chunks.ends)
    goes = np.zeros(len(page.pieces), np.bool_)
    goes[list(places)] = True
    ends_of_parts = np.union1d(ends, 1 + np.flatnonzero(goes[1:] != goes[:-1]))
    blocks = np.searchsorted(ends, ends_of_parts)
    stays = np.asarray(page.of_chunks(keep), np.bool_)[blocks] & ~goes[ends_of_parts - 1]
    columns = {"keys": chunks.keys[blocks], "nodes": chunks.nodes[blocks], "ends": ends_of_parts.tolist()}
    return replace(chunks, **columns, before_joining=None), stays.tolist()


def noted_elements(page: Page, keep: Sequence[bool], source: str) -> dict[int, etree._Element] | None:
    """Return the elements in the kept blocks that may be spelled out, by their places.

    Python finds them too slowly, and returns None. It raises as :func:`render_html` does.
    """
    renew_changed_tree(page, source)
    if _native is None:
        return None
    return page.elements_at(_tree_without(_native, page, page.chunks, page.of_chunks(keep), ()).noted())


def _native_tree(
    native: ModuleType, page: Page, chunks: Page, stays: Sequence[bool], source: str
) -> tuple[Any, dict[int, bytes]]:
    """Return a page's tree with the chunks that stay, and the tags of elements to put where some of it goes."""
    assert page.root is not None, "a page in memory is not written"
    tree = _tree_without(native, page, chunks, stays, _places_of_data(page.root, source))
    fillers = _fillers(page, chunks, stays, tree.outermost)
    return tree, {place: str(element.tag).encode() for place, element in fillers}


def _tree_without(native: ModuleType, page: Page, chunks: Page, kept: Sequence[bool], data: Sequence[int]) -> Any:
    """Return a page's tree with the kept chunks alone, but with the TITLE and the elements at places of ``data``."""
    stays = np.array(kept, np.uint8)
    if "title" in page.tags:
        stays |= np.array([tag == "title" for tag in page.tags])[chunks.nodes]
    pieces, ends = page.pieces, chunks.ends
    if data:
        pieces, ends = [*pieces, *(place << 2 | TEXT for place in data)], [*ends, len(pieces) + len(data)]
        stays = np.append(stays, np.uint8(1))
    places = (np.asarray(of_places, np.intc) for of_places in (page.element_parents, pieces, ends))
    return native.Tree(page.root, *places, stays)


def _written(stripped: etree._Element, root: etree._Element, source: str, start: DocumentStart) -> str:
    """Write a stripped tree as a document or as a fragment, with the siblings of the root in the page's tree."""
    for address in _SPACED(stripped):
        if (trimmed := address.strip(" \t\n\r").translate(_BREAKS)) != address:
            address.getparent().set(address.attrname, CONTROL.sub(lambda found: quote(found[0]), trimmed))
    show_raw_text = _hide_raw_text(stripped, source)
    end_empty_items(stripped.iter("li"))
    if _is_document(start):
        written = _outer(stripped)
    else:
        written = "".join(_outer(part) if start.outermost else _inner(part) for part in stripped)
    return show_raw_text(_with_siblings(written, root, start))


def _hide_raw_text(stripped: etree._Element, source: str) -> Callable[[str], str]:
    """Replace raw text by marks, and return a function that puts the text back into the written page.

    No end tag closes PLAINTEXT, nor some scripts that only the end of the page closed. The function drops end tags and
    comments after such text, as a browser would read them as part of it. The marks are made from the hash of the
    page's source, as no page contains its own hash.
    """
    elements = list(stripped.iter(*_RAW))
    hidden = [part for part in elements if part.tag != "script" and _ESCAPED.search(part.text or "") and not len(part)]
    # Only of the last one, nothing but end tags may follow.
    last = next((part for part in reversed(elements) if part.tag in ("plaintext", "script")), None)
    if last is not None and (len(last) or (last.tag == "script" and not _is_unended(last.text or ""))):
        last = None
    if last is not None:
        hidden = [last, *(element for element in hidden if element is not last)]
    if not hidden:
        return str
    mark = f"raw{hash64(source.encode('utf-8', 'replace')):x}_"
    texts = [element.text or "" for element in hidden]
    for place, element in enumerate(hidden):
        element.text = f"{mark}{place}_"

    def show(written: str) -> str:
        if last is not None:
            before, own, behind = written.rpartition(f"{mark}0_")
            if own and _BEHIND.match(behind):
                written = before + own
        return _MARK.sub(lambda found: texts[int(found[2])] if found[1] == mark else found[0], written)

    return show


def _is_unended(script: str) -> bool:
    """Return whether a script holds an unclosed comment with a script inside, whose end tag would end only that one."""
    comment = script.rfind("<!--")
    return comment > script.rfind("-->") and "<script" in script[comment:].lower()


def _with_siblings(written: str, root: etree._Element, start: DocumentStart) -> str:
    before = reversed([_outer(node) for node in root.itersiblings(preceding=True)])
    doctype = f"{start.doctype}\n" if start.doctype else ""
    whole = "".join((doctype, *before, written, *map(_outer, root.itersiblings())))
    return whole if _is_document(start) else whole.lstrip(_SKIPPED)


def _is_document(start: DocumentStart) -> bool:
    return start.outermost in ("!doctype", "html")


def _outer(element: etree._Element) -> str:
    return etree.tostring(element, encoding="unicode", method="html")


def _inner(element: etree._Element) -> str:
    if element.tag not in ("head", "body"):
        return _outer(element)
    # Without the end tag, text after BODY would join the text in it.
    end = "</body>" if element.tail and not element.tail.isspace() else ""
    text, tail = (escape(part or "", quote=False) for part in (element.text, element.tail))
    return f"{text}{''.join(map(_outer, element))}{end}{tail}"


def _stripped_in_python(page: Page, chunks: Page, stays: Sequence[bool], source: str) -> etree._Element:
    assert page.root is not None, "a page in memory is not written"
    elements = list(own_copy(page.root).iter())
    parents = page.element_parents
    staying = bytearray(len(parents))  # elements that contain something kept
    staying[0] = True
    for place in _places_of_data(elements[0], source):
        mark_around(place, parents, staying)
    stripped: list[int] = []  # pieces
    for block, is_kept in zip(chunks.blocks, stays, strict=True):
        if is_kept or page.tags[block.node] == "title":  # a document keeps its TITLE
            for piece in block.pieces:
                mark_around(page.holder_of(piece), parents, staying)
        else:
            stripped += block.pieces
    going = bytearray(len(parents))  # elements with only stripped blocks
    outermost = []
    for piece in stripped:
        ordinal, kind = page.holder_of(piece), piece & 3
        if staying[ordinal] and kind != IMAGE:
            setattr(elements[piece >> 2], "tail" if kind == TAIL else "text", None)
        while not (staying[ordinal] or going[ordinal]):
            going[ordinal] = True
            if staying[parents[ordinal]]:
                outermost.append(ordinal)
            ordinal = parents[ordinal]
    for ordinal, filler in _fillers(page, chunks, stays, outermost):
        elements[ordinal].addprevious(filler)
    for ordinal in outermost:
        if elements[ordinal].getparent() is None or elements[ordinal].tag in ("head", "body"):
            elements[ordinal].clear(keep_tail=True)
        else:
            elements[ordinal].tag = _GONE
    # One call removes all, and leaves the text after each in place. Moving that text would fail on control characters,
    # and would take quadratic time.
    etree.strip_elements(elements[0], _GONE, with_tail=False)
    return elements[0]


def mark_around(ordinal: int, parents: Sequence[int], marked: bytearray) -> None:
    """Mark an element and all elements around it."""
    while not marked[ordinal]:
        marked[ordinal] = True
        ordinal = parents[ordinal]


def _places_of_data(root: etree._Element, source: str) -> list[int]:
    """Return the places of the SCRIPTs with JSON-LD that may be in stripped elements; in HEAD, all stay anyway."""
    if source.find(MEDIA_TYPE, source.find("<body") + 1) < 0:
        return []
    found = set(json_ld_scripts(root))
    return [place for place, element in enumerate(root.iter()) if element in found] if found else []


def _fillers(
    page: Page, chunks: Page, stays: Sequence[bool], outermost: Sequence[int]
) -> list[tuple[int, etree._Element]]:
    """Return the place of each element that goes and whose removal would join kept text, with an empty one for it.

    This can happen in an element with several kept blocks of its own. It can also happen in an inline element, which
    ends a block only as long as it contains a structural element. The empty element is structural.
    """
    tags = page.tags
    kept = Counter(compress(chunks.nodes.tolist(), stays) if outermost else ())
    ordinals, parents, fillers = page.ordinals, page.element_parents, []
    nodes = [(node_at(ordinals, place), node_at(ordinals, parents[place])) for place in outermost]
    for ordinal, (node, around) in zip(outermost, nodes, strict=True):
        if node >= 0 and around >= 0 and (kept[around] > 1 or not is_structural(tags[around])):
            tag = next(filter(is_structural, map(tags.__getitem__, range(node, len(tags)))))
            try:
                # PLAINTEXT has no end tag, and a name with a namespace would add a prefix.
                empty = etree.Element("div" if tag == "plaintext" or tag.startswith("{") else tag)
            except ValueError:  # the parser accepts names that lxml refuses for new elements: <a"b-c>
                empty = etree.Element("div")
            fillers.append((ordinal, empty))
    return fillers


def node_at(ordinals: Sequence[int], ordinal: int) -> int:
    """Return the number of an element among the nodes, or -1; nodes are in document order."""
    node = bisect_left(ordinals, ordinal)
    return node if node < len(ordinals) and ordinals[node] == ordinal else -1


def end_empty_items(items: Iterable[etree._Element]) -> None:
    """Make libxml2 write the end tags of empty LIs. Without one, the text after an LI would move into it."""
    for item in items:
        if item.text is None and not len(item):
            item.text = ""


def _agrees(native: ModuleType) -> bool:
    """Return whether the native module strips a small page as Python does, and leaves its tree as it is."""
    text = "<p>a<p>b<br>c</p>d<div>e<hr>f</div><ul><li>g</li>h</ul><iframe>1 < 2</iframe><!-- i --><x-y>j</x-y>k"
    for source in (text, f"<!-- 1 --><!doctype html><title>t</title>{text}</html><!-- 2 -->"):
        page = segment(parse(source), PageCaches())
        stays = [number % 3 > 0 for number in range(len(page.blocks))]
        assert page.root is not None
        before = etree.tostring(page.root)
        tree, fillers = _native_tree(native, page, page, stays, source)
        copies = (tree.copy(fillers), _stripped_in_python(page, page, stays, source))
        written = {_written(copied, page.root, source, start_of(source)) for copied in copies}
        if len(written) != 1 or etree.tostring(page.root) != before:
            return False
    return True


def _writes_alike(native: ModuleType) -> bool:
    """Return whether the native module writes each kind of node as this release of libxml2 does."""
    source = f"<!doctype html><title>t</title>{''.join(_each_kind())}"
    page = segment(parse(source), PageCaches())
    assert page.root is not None
    start, stays = start_of(source), [True] * len(page.blocks)
    written = _native_tree(native, page, page, stays, source)[0].write({})
    by_libxml2 = _written(_stripped_in_python(page, page, stays, source), page.root, source, start)
    return written is not None and _with_siblings(written, page.root, start) == by_libxml2


def _each_kind() -> Iterator[str]:
    """Yield elements and attributes that are written in different ways, with all signs of ASCII and a few others."""
    signs = "".join(map(chr, (*range(1, 128), 0xA0, 0xE9, 0x2028, 0x1F600)))
    yield f"<!-- {signs} -->{escape(signs)}<p {' '.join(f'{name}=1' for name in _BARE.split())}></p><p {_BARE}></p>"
    for tag in _TAGS.split():
        yield f"<div><{tag}></{tag}><{tag} name='a b'>1 &lt; 2 &amp; \xa0</{tag}></div>"
    for value in map(escape, (f" {signs}", signs.replace("'", ""), signs.replace('"', ""))):
        attributes = " ".join(f'{name}="{value}"' for name in _VALUED.split())
        yield f"<p {attributes}></p><a {attributes}></a>"


_native = load("render", _agrees)
_writes = _native is not None and _writes_alike(_native)

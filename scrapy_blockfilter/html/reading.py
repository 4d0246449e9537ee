"""Segment a page given as text, bytes, a selector or a response."""

from __future__ import annotations

from typing import Protocol

import parsel
from lxml import etree

from scrapy_blockfilter.html.boxes import count_boxes, has_boxes, take_boxes, without_boxes
from scrapy_blockfilter.html.charsets import decode
from scrapy_blockfilter.html.foreign import holds_html
from scrapy_blockfilter.html.known import Known
from scrapy_blockfilter.html.limits import DEFAULT_LIMITS, Limits
from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.html.parse import build, check_text, is_document, own_copy, parse
from scrapy_blockfilter.html.segment import segment
from scrapy_blockfilter.html.segmenters import TEXT_CHUNKS, Segmenter
from scrapy_blockfilter.html.shared_trees import fingerprint, is_parsed_alike, shares_trees

HtmlInput = str | bytes | parsel.Selector


class ParsedResponse(Protocol):
    """A response with its text and the parsed tree of it, like Scrapy's."""

    @property
    def text(self) -> str: ...
    @property
    def selector(self) -> parsel.Selector: ...


def read_input(page: HtmlInput) -> tuple[str, etree._Element | None]:
    """Return the source of a page as text, and its tree if it is already parsed."""
    if isinstance(page, bytes):
        return decode(page), None
    if isinstance(page, str):
        return page, None
    if isinstance(page, parsel.Selector) and isinstance(page.root, etree._Element):
        if page.root.prefix:
            page = parsel.Selector(root=_without_prefixes(page.root))
        return page.get(), page.root if page.root.getparent() is None and page.root.tag == "html" else None
    raise TypeError(f"a page must be str, bytes or a parsel.Selector of HTML, not {type(page).__name__}")


def _without_prefixes(root: etree._Element) -> etree._Element:
    """Return a copy of a tree whose elements are named as in HTML: html5lib makes ``html:p`` of ``p``."""
    copied = own_copy(root)
    for element in copied.iter(etree.Element):
        element.tag = etree.QName(element).localname
    etree.cleanup_namespaces(copied)
    return copied


def segment_source(
    source: str,
    root: etree._Element | None,
    known: Known,
    *,
    whole: bool | None = None,
    seen: int | None = None,
    limits: Limits = DEFAULT_LIMITS,
    segmenter: Segmenter = TEXT_CHUNKS,
) -> Page:
    """Segment HTML, from its tree if given.

    Args:
        whole: whether the HTML is a whole page. None takes a tree as whole, and text if it starts like a document.
        seen: fingerprint of the tree, if it was just taken.
        segmenter: makes the blocks.

    Raises:
        UnfitPage: the page is outside the limits.
    """
    if has_boxes(source):
        whole = root is not None or (is_document(source) if whole is None else whole)
        return _segment_rendered(source, root, known, whole=whole, limits=limits, segmenter=segmenter)
    if root is not None:
        check_text(source, limits)
        if seen is None and holds_html(root):
            return segment(build(source), known, limits=limits, segmenter=segmenter)
        return _segment_tree(root, known, limits, segmenter, seen)
    whole = is_document(source) if whole is None else whole
    parsed = parse(source.strip() if whole else source, limits)  # as parsel does
    return segment(parsed, known, whole=whole, limits=limits, segmenter=segmenter)


def segment_response(
    response: ParsedResponse, known: Known, limits: Limits = DEFAULT_LIMITS, segmenter: Segmenter = TEXT_CHUNKS
) -> Page:
    """Segment a response before its callback runs, as :func:`segment_source` segments its text.

    Both share the tree of its selector, so it is parsed once. White space around a page is not in that tree.

    Raises:
        UnfitPage: the page is outside the limits.
    """
    if has_boxes(response.text):
        return _segment_rendered(response.text, None, known, whole=True, limits=limits, segmenter=segmenter)
    check_text(response.text, limits)
    try:
        root = response.selector.root
    except UnicodeEncodeError:  # of lone surrogates, which parsel refuses
        root = None
    if root is not None and is_parsed_alike(response.text, root):
        return _segment_tree(root, known, limits, segmenter)
    return segment(parse(response.text.strip(), limits), known, limits=limits, segmenter=segmenter)


def _segment_rendered(
    source: str, root: etree._Element | None, known: Known, *, whole: bool, limits: Limits, segmenter: Segmenter
) -> Page:
    """Segment a page with boxes, from a tree of its own without them. The limits are for the page itself."""
    plain = without_boxes(source)
    check_text(plain, limits)
    root = build(source.strip() if whole else source) if root is None or holds_html(root) else own_copy(root)
    boxes = take_boxes(root)
    if len(boxes) != count_boxes(source):  # text that looks like tags, as in a TITLE that is not closed
        elements = sum(1 for _ in root.iter())
        root = build(plain.strip() if whole else plain)
        boxes = boxes if sum(1 for _ in root.iter()) == elements else {}
    return segment(root, known, whole=whole, limits=limits, segmenter=segmenter, boxes=boxes)


def _segment_tree(
    root: etree._Element, known: Known, limits: Limits, segmenter: Segmenter, seen: int | None = None
) -> Page:
    """Segment a tree that someone else holds, without changing it.

    Native code reads the tree itself. Python copies it: a copy is quicker to walk, and rendering may change it.
    """
    if not shares_trees():
        return segment(own_copy(root), known, limits=limits, segmenter=segmenter)
    page = segment(root, known, limits=limits, segmenter=segmenter)
    page.fingerprint = fingerprint(root) if seen is None else seen
    return page

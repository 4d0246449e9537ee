"""Segment a page given as text, bytes, a selector or a response."""

from __future__ import annotations

from typing import Protocol

import parsel
from lxml import etree

from scrapy_blockfilter.html.charsets import decode
from scrapy_blockfilter.html.foreign import end_foreign
from scrapy_blockfilter.html.known import Known
from scrapy_blockfilter.html.limits import DEFAULT_LIMITS, Limits
from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.html.parse import build, check_text, is_document, is_whole, own_copy, parse
from scrapy_blockfilter.html.segment import segment
from scrapy_blockfilter.html.segmenters import TEXT_CHUNKS, Segmenter

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
        return page.get(), page.root if page.root.getparent() is None and page.root.tag == "html" else None
    raise TypeError(f"a page must be str, bytes or a parsel.Selector of HTML, not {type(page).__name__}")


def segment_source(
    source: str,
    root: etree._Element | None,
    known: Known,
    *,
    whole: bool | None = None,
    limits: Limits = DEFAULT_LIMITS,
    segmenter: Segmenter = TEXT_CHUNKS,
) -> Page:
    """Segment HTML, from its tree if given.

    Args:
        whole: whether the HTML is a whole page. None takes a tree as whole, and text if it starts like a document.
        segmenter: makes the blocks.

    Raises:
        UnfitPage: the page is outside the limits.
    """
    if root is not None:
        check_text(source, limits)
        tree = own_copy(root) if end_foreign(source) == source else build(source)
        return segment(tree, known, limits=limits, segmenter=segmenter)
    whole = is_document(source) if whole is None else whole
    return segment(parse(source, limits), known, whole=whole, limits=limits, segmenter=segmenter)


def segment_response(
    response: ParsedResponse, known: Known, limits: Limits = DEFAULT_LIMITS, segmenter: Segmenter = TEXT_CHUNKS
) -> Page:
    """Segment a response before its callback runs. Both share the tree of its selector, so it is parsed once.

    Raises:
        UnfitPage: the page is outside the limits.
    """
    check_text(response.text, limits)
    root = response.selector.root
    serves = is_whole(root) and end_foreign(response.text) == response.text
    tree = own_copy(root) if serves else parse(response.text, limits)
    return segment(tree, known, limits=limits, segmenter=segmenter)

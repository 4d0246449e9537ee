"""Read a page: the only way from HTML to its blocks.

A block is the text between two structural tags (Ma et al. 2003, section 3: the text chunk). Every other division of a
page, by tables, by an ordered tag set or by a block tree, groups text chunks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Protocol

import parsel
from lxml import etree

from scrapy_blockfilter._native import warn_of_versions
from scrapy_blockfilter.html import native
from scrapy_blockfilter.html.boxes import WRITTEN, has_boxes, take_boxes
from scrapy_blockfilter.html.charsets import decode
from scrapy_blockfilter.html.listings import with_whole_listings
from scrapy_blockfilter.html.page import Page, PageCaches
from scrapy_blockfilter.html.parse import build, check_text, declared_language, is_document, is_read_otherwise, own_copy
from scrapy_blockfilter.html.tree_fingerprint import SharedTree, is_parsed_alike
from scrapy_blockfilter.html.walk import walk_page
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.options.limits import DEFAULT_LIMITS, Limits
from scrapy_blockfilter.options.segmenter import CHUNKS, TEXT_CHUNKS, Segmenter, segmenter_kind

HtmlInput = str | bytes | parsel.Selector


class TextResponse(Protocol):
    """A response with its text and its URL, like those of Scrapy, requests and httpx."""

    @property
    def text(self) -> str: ...
    @property
    def url(self) -> object: ...


PageInput = HtmlInput | TextResponse


class ParsedResponse(Protocol):
    """A response with its text and the parsed tree of it, like Scrapy's."""

    @property
    def text(self) -> str: ...
    @property
    def selector(self) -> parsel.Selector: ...


class Reader:
    """Reads the pages of a job, all by the same options, with caches that they share."""

    def __init__(self, options: Options) -> None:
        if not isinstance(options, Options):
            raise TypeError(f"options are an Options, as in Options(pages=5), not a {type(options).__name__}")
        self.options = options
        self.known = PageCaches()
        self._limits = options.limits
        self._segmenter = options.segmentation

    def read(
        self, source: HtmlInput, tree: etree._Element | SharedTree | None = None, *, whole: bool | None = None
    ) -> Page:
        """Return the page of some HTML.

        Args:
            tree: the tree of ``source``, if it is parsed. The tree is not changed.
            whole: whether the HTML is a whole page. None takes a tree as whole, and text if it starts like a document.

        Raises:
            UnfitPage: the page is outside the limits.
            TypeError: the source is no HTML.
        """
        if not isinstance(source, str):
            source, tree = read_input(source)
        if whole is None:
            whole = tree is not None or is_document(source)
        root, fingerprint, boxes = self._parsed(source, tree, whole=whole)
        page = segment(root, self.known, whole=whole, limits=self._limits, segmenter=self._segmenter, boxes=boxes)
        page.fingerprint = fingerprint
        return page

    def tree_of(self, response: ParsedResponse) -> SharedTree | None:
        """Return the tree that the selector of a response holds, None if the text must be parsed for the filter alone.

        Call this before the callback of the response, which may change the tree.

        Raises:
            UnfitPage: the page is outside the limits.
        """
        text = response.text
        if has_boxes(text):
            return None
        check_text(text, self._limits)
        try:
            root = response.selector.root
        except UnicodeEncodeError:  # of lone surrogates, which parsel refuses
            return None
        return SharedTree.of(root) if root is not None and is_parsed_alike(text, root) else None

    def _parsed(
        self, source: str, tree: etree._Element | SharedTree | None, *, whole: bool
    ) -> tuple[etree._Element, int | None, Mapping[int, str]]:
        """Parse HTML within limits, or take its tree. Return the tree, its fingerprint if it is shared, and boxes."""
        if not isinstance(tree, SharedTree):  # of tree_of, which has checked the text
            text = source.strip() if whole and tree is None else source  # as parsel does
            if has_boxes(source):
                root, boxes = _tree_with_boxes(text, self._limits, tree)
                return root, None, boxes
            check_text(source, self._limits)
            if tree is None or is_read_otherwise(tree):
                return build(text), None, {}
            tree = SharedTree.of(tree)
        return tree.readable, tree.fingerprint, {}


def _tree_with_boxes(
    source: str, limits: Limits, tree: etree._Element | None
) -> tuple[etree._Element, Mapping[int, str]]:
    """Return a tree of its own without the attribute, and the boxes. The limits are for the page itself."""
    plain, written = WRITTEN.subn("", source)
    check_text(plain, limits)
    root = build(source) if tree is None or is_read_otherwise(tree) else own_copy(tree)
    boxes = take_boxes(root)
    if len(boxes) != written:  # text that looks like tags, as in a TITLE that is not closed
        elements = sum(1 for _ in root.iter())
        root = build(plain)
        boxes = boxes if sum(1 for _ in root.iter()) == elements else {}
    return root, boxes


def segment(
    root: etree._Element,
    known: PageCaches,
    *,
    whole: bool = True,
    limits: Limits = DEFAULT_LIMITS,
    segmenter: Segmenter = TEXT_CHUNKS,
    boxes: Mapping[int, str] | None = None,
) -> Page:
    """Segment the tree under an ``<html>`` element. The page takes it over, and rendering in Python changes it.

    Raises:
        UnfitPage: the tree has more levels, elements or blocks than ``limits`` allow. libxml2 may have dropped the rest
            of a deeper tree.
    """
    if native.WALK is None:
        warn_of_versions()
    walked = native.WALK.walk(root, known, limits) if native.WALK is not None else None
    page = with_whole_listings(walked or walk_page(root, known, limits))
    page.whole, page.boxes, page.declared_language = whole, boxes or {}, declared_language(root)
    if segmenter.name == CHUNKS or not page.blocks:
        return page
    divided: Page = segmenter_kind(segmenter.name).divide(page, segmenter)
    return divided


def read_input(page: HtmlInput) -> tuple[str, etree._Element | None]:
    """Return the source of a page as text, and its tree if it is already parsed."""
    if isinstance(page, bytes | str):
        return page if isinstance(page, str) else decode(page), None
    if isinstance(page, parsel.Selector) and isinstance(page.root, etree._Element):
        if page.root.prefix:
            page = parsel.Selector(root=_without_prefixes(page.root))
        return page.get(), page.root if page.root.getparent() is None and page.root.tag == "html" else None
    root = getattr(page, "root", None)  # of a selector: text of a page, or JSON
    found = type(page).__name__ if root is None else f"one whose root is a {type(root).__name__}"
    raise TypeError(f"a page must be str, bytes, a parsel.Selector or a response of HTML, not {found}")


def read_named(page: PageInput, *, with_tags: bool = False) -> tuple[str, etree._Element | None, str]:
    """Return the same as :func:`read_input`, and the URL of a response, which is taken, too; "" without.

    Args:
        with_tags: whether text must have a tag. The text of a fragment may have none.

    Raises:
        ValueError: the page is a URL, the name of a file, or text that lacks a tag.
        TypeError: the page is of another type.
    """
    if isinstance(page, str):
        if _NAME.fullmatch(page):
            raise ValueError(
                f"{page[:100]!r} names a page, and is not its HTML: fetch the page, or read the file, first"
            )
        if with_tags and "<" not in page and page.strip():
            raise ValueError(f"{page[:100]!r} has no tag, so it is not the HTML of a page: fetch it, or read it, first")
    elif not isinstance(page, bytes | parsel.Selector) and hasattr(page, "url"):
        text = getattr(page, "text", None)  # of bytes alone, as an image, AttributeError is raised
        if not isinstance(text, str):
            raise TypeError(f"the response of {page.url} is a {type(page).__name__} without text, so no page of HTML")
        with suppress(ValueError, RecursionError):
            if isinstance(json.loads(text), dict | list):
                raise TypeError(f"the response of {page.url} is JSON, so no page of HTML: give the text that is one")
        return text, None, str(page.url)
    return *read_input(page), ""  # type: ignore[arg-type]


# A URL, or the name of a file with HTML.
_NAME = re.compile(r"\A(?:[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s<]+|[^\s<]{1,300}\.[xX]?[hH][tT][mM][lL]?)")


def _without_prefixes(root: etree._Element) -> etree._Element:
    """Return a copy of a tree whose elements are named as in HTML: html5lib makes ``html:p`` of ``p``."""
    copied = own_copy(root)
    for element in copied.iter(etree.Element):
        element.tag = etree.QName(element).localname
    etree.cleanup_namespaces(copied)
    return copied

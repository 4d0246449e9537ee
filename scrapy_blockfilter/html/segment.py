"""Cut a page into blocks in one linear walk over its tree.

A block is the text between two structural tags (Ma et al. 2003, section 3: the text chunk). Every other division of a
page, by tables, by an ordered tag set or by a block tree, is a grouping of these blocks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lxml import etree

from scrapy_blockfilter._native import warn_of_versions
from scrapy_blockfilter.html import native
from scrapy_blockfilter.html.limits import DEFAULT_LIMITS, Limits
from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.html.parse import declared_language
from scrapy_blockfilter.html.segmenters import TEXT_CHUNKS, Segmenter
from scrapy_blockfilter.html.walk import walk_page

if TYPE_CHECKING:
    from scrapy_blockfilter.html.known import Known


def segment(
    root: etree._Element,
    known: Known,
    *,
    whole: bool = True,
    limits: Limits = DEFAULT_LIMITS,
    segmenter: Segmenter = TEXT_CHUNKS,
    boxes: Mapping[int, str] | None = None,
) -> Page:
    """Segment the tree under ``root``.

    Args:
        root: the ``<html>`` element. The page takes over the tree, and rendering in Python will change it.
        known: caches shared between pages; its term maker computes the terms of blocks on demand.
        whole: False for a tree made from a fragment of a page.
        segmenter: joins text chunks to blocks.
        boxes: what :func:`scrapy_blockfilter.html.boxes.take_boxes` took off the tree.

    Raises:
        UnfitPage: the tree has more levels, elements or blocks than ``limits`` allow. libxml2 may have dropped the
            rest of a deeper tree.
    """
    page = None
    if native.WALK is None:
        warn_of_versions()
    else:
        page = native.WALK.walk(root, known, limits)
    if page is None:
        page = walk_page(root, known, limits)
    page.whole, page.boxes, page.declared_language = whole, boxes or {}, declared_language(root)
    return segmenter.divide(page)

"""Downloader middleware: have each page of scrapy-playwright write where it shows its elements."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from scrapy_blockfilter.extras.papers.visual import HEIGHT, SCRIPT, WIDTH
from scrapy_blockfilter.options import Options

logger = logging.getLogger(__name__)

_METHODS = "playwright_page_methods"
_KEY = "blockfilter_visual"
_MISSING = (
    "pip install scrapy-playwright, or have another browser run scrapy_blockfilter.extras.papers.visual.SCRIPT: "
    "scrapy-playwright is not installed, so no page is rendered and pages are divided as by the segmenter dom"
)


class BlockFilterVisualMiddleware:
    """Add the page script to the requests that a browser loads, behind the page methods that they have.

    Raises:
        NotConfigured: ``BLOCKFILTER_ENABLED`` is False, or scrapy-playwright is not installed.
    """

    def __init__(self, crawler: Crawler) -> None:
        if not Options.from_settings(crawler.settings).enabled:
            raise NotConfigured  # without a text, which would be logged as a warning
        if find_spec("scrapy_playwright") is None:
            raise NotConfigured(_MISSING)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BlockFilterVisualMiddleware:
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        meta = request.meta
        if not meta.get("playwright") or meta.get("blockfilter") is False:
            return
        methods = meta.get(_METHODS) or ()
        known = methods.values() if isinstance(methods, Mapping) else methods
        known = list(known) if isinstance(known, Iterable) else []
        if any(getattr(method, "method", None) is annotate for method in known):
            return  # of a request made from another one's meta, or sent again
        from scrapy_playwright.page import PageMethod  # installed where this class is enabled

        method = PageMethod(annotate)
        meta[_METHODS] = {**methods, _KEY: method} if isinstance(methods, Mapping) else [*known, method]


async def annotate(page: Any) -> Any:
    """Have a page of Playwright write its boxes. A failure costs the boxes, not the page.

    Returns:
        The number of elements with a box, or what failed.
    """
    try:
        size = {"width": WIDTH, "height": HEIGHT}
        if page.viewport_size != size:
            await page.set_viewport_size(size)
        return await page.evaluate(SCRIPT)
    except Exception as error:  # the page has closed, or is on its way to another one
        logger.debug("No boxes on %s: %s", page.url, error)
        return str(error)

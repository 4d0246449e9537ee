"""Spiders whose pages a browser loads, by scrapy-playwright."""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.support.browser import BROWSER

HANDLER = "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"
MARKS = [
    pytest.mark.browser,
    pytest.mark.skipif(BROWSER is None, reason="no browser: scrapy-playwright wants Chromium (Debian: chromium)"),
    pytest.mark.skipif(
        bool(os.environ.get("BLOCKFILTER_TEST_REACTOR")), reason="scrapy-playwright needs the reactor of asyncio"
    ),
]


def rendered(urls: list[str], body: str, **meta: Any) -> str:
    """Return the source of a spider whose pages a browser loads."""
    return f"""
import scrapy

class Rendered(scrapy.Spider):
    name = "rendered"

    async def start(self):
        for url in {urls!r}:
            yield scrapy.Request(url, meta={{"playwright": True, **{meta!r}}})

    async def parse(self, response):
        {body}
"""

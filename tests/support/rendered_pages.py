"""Spiders whose pages a browser loads, by scrapy-playwright."""

from __future__ import annotations

from typing import Any

HANDLER = "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"


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

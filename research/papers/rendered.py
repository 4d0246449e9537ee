"""Pages as Chromium shows them, with boxes, from their HTML alone: nothing is loaded from anywhere."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from scrapy_blockfilter.html.boxes import has_boxes, without_boxes
from scrapy_blockfilter.visual import HEIGHT, SCRIPT, WIDTH

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_ADDRESS = "http://page.example/"
# Milliseconds until a page that goes on loading is left out.
_LONGEST = 15_000


class Rendered(NamedTuple):
    """A page as the script has left it.

    Attributes:
        html: the page with boxes.
        growth: its characters, as a multiple of those without boxes.
        seconds: what the script took, in the best round.
    """

    html: str
    growth: float
    seconds: float


class NoBrowserError(Exception):
    """Chromium or Playwright is missing."""


@contextmanager
def renderer(rounds: int = 1) -> Iterator[Callable[[str], Rendered | None]]:
    """Start Chromium. Yield what renders a page, or returns None for a page that Chromium cannot show.

    Raises:
        NoBrowserError: Chromium or Playwright is missing.
    """
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        raise NoBrowserError("Playwright is not installed: make .venv/.beside") from None
    if BROWSER is None:
        raise NoBrowserError("there is no Chromium (Debian: chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])

        def render(html: str) -> Rendered | None:
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            try:
                page.route("**/*", lambda route: _answer(route, html))
                page.goto(_ADDRESS, wait_until="load", timeout=_LONGEST)
                times = []
                for _ in range(rounds):
                    start = time.perf_counter()
                    page.evaluate(SCRIPT)
                    times.append(time.perf_counter() - start)
                boxed = page.content()
            except Error:
                return None
            finally:
                page.close()
            return Rendered(boxed, len(boxed) / len(without_boxes(boxed)), min(times)) if has_boxes(boxed) else None

        try:
            yield render
        finally:
            browser.close()


def _answer(route: Any, html: str) -> None:
    if route.request.url == _ADDRESS:
        route.fulfill(status=200, content_type="text/html; charset=utf-8", body=html.encode("utf-8", "replace"))
    else:
        route.abort()

"""Pages as Chromium shows them, with boxes, from their HTML alone: nothing is loaded from anywhere.

As a command, write a part of the corpora anew with boxes. Their pages have neither style sheets nor images, so boxes
are those of plain HTML: mostly one column of the width of the window.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.corpus import CorpusError, Site
from benchmarks.parts import BUILD, PARTS, sites_of
from benchmarks.tables import names, positive
from scrapy_blockfilter.extras.papers.visual import HEIGHT, SCRIPT, WIDTH
from scrapy_blockfilter.html.boxes import has_boxes, without_boxes

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


def render_site(site: Site, output: Path, render: Callable[[str], Rendered | None], first: int) -> int:
    """Write the first pages of a site with boxes to a folder. Return how many Chromium has shown."""
    lines = [
        json.dumps({"html": rendered.html, "gold": page.gold, "lang": page.language})
        for page in site.first_pages(first)
        if (rendered := render(page.html)) is not None
    ]
    if lines:
        folder = output / site.set_name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{site.name}.jsonl").write_text("\n".join(lines) + "\n", encoding="ascii")
    return len(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m research.papers.rendered", description=__doc__)
    parser.add_argument("corpora", type=Path, nargs="+", help="folders of <set>/<site>.jsonl.gz")
    parser.add_argument("--output", type=Path, required=True, metavar="FOLDER", help="where to write")
    parser.add_argument("--part", choices=PARTS, default=BUILD, help="part of the corpora (build)")
    parser.add_argument("--sets", type=names(), default=(), help="comma-separated sets (all)")
    parser.add_argument("--pages", type=positive, default=10, metavar="N", help="first pages of each site (10)")
    options = parser.parse_args(arguments)
    try:
        sites = sites_of(options.part, options.corpora)
        with renderer() as render:
            pages = sum(
                render_site(site, options.output, render, options.pages)
                for site in sites
                if not options.sets or site.set_name in options.sets
            )
    except (CorpusError, NoBrowserError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    print(f"{pages:,} pages are written to {options.output}")
    return 0


def _answer(route: Any, html: str) -> None:
    if route.request.url == _ADDRESS:
        route.fulfill(status=200, content_type="text/html; charset=utf-8", body=html.encode("utf-8", "replace"))
    else:
        route.abort()


if __name__ == "__main__":
    sys.exit(main())

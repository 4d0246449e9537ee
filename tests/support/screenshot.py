"""Write the pictures of a report that README and docs show: ``python -m tests.support.screenshot FILE DARK_FILE``."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import scrapy_blockfilter as bf
from scrapy_blockfilter.report import page_report
from tests.support.browser import Browser, chromium

_STYLE = """
body { margin: 0; font: 16px/1.55 Georgia, serif; color: #222; background: #fff }
header { padding: 14px 28px 0; border-bottom: 3px solid #14324f }
header .name { font-size: 30px; font-weight: bold; color: #14324f }
nav ul { display: flex; gap: 22px; list-style: none; margin: 8px 0; padding: 0; font: 15px sans-serif }
.cookies { background: #fff6da; padding: 9px 28px; font: 14px sans-serif }
.page { display: grid; grid-template-columns: 1fr 210px; gap: 30px; padding: 14px 28px }
h1 { font-size: 29px; line-height: 1.2; margin: 6px 0 10px } h3 { margin: 4px 0; font-size: 17px }
.byline { color: #666; font: 14px sans-serif }
aside { font: 14px/1.5 sans-serif; border-left: 1px solid #ddd; padding-left: 18px }
aside ul { padding-left: 18px } li { margin: 4px 0 }
.comment { border-top: 1px solid #ddd; padding: 8px 0; font: 14px/1.5 sans-serif }
footer { background: #14324f; color: #fff; padding: 14px 28px; font: 14px sans-serif }
footer a { color: #fff }
"""
_PLACES = ("harbour", "mill", "railway", "lighthouse", "orchard", "ferry", "library", "bridge", "market", "quarry")
_WORKS = ("reopens", "gets a new roof", "asks for help", "changes hands", "turns a hundred")
_NAMES = ("Ada Quill", "Tom Reed", "Mina Vale", "Jon Ashby", "Eva Lund", "Sam Orr")


def page(number: int) -> str:
    """Return a page of the Gazette."""
    place, work = _PLACES[number % len(_PLACES)], _WORKS[number % len(_WORKS)]
    related = "".join(
        f"<li><a href='/{other}'>The {_PLACES[other % 10]} {_WORKS[other // 10]}</a></li>"
        for other in ((number * 13 + step * 17 + 3) % 50 for step in range(4))
    )
    comments = "".join(
        f"<div class=comment><b>{_NAMES[(number * step) % 6]}</b> <time>{step} May 2026, 1{step}:0{number}</time>"
        f"<p>{said} the {place} since {1950 + 7 * number + step}.</p></div>"
        for step, said in ((2, "I have walked by"), (3, "My family has worked at"), (5, "Nobody told us about"))
    )
    return f"""<!DOCTYPE html><html lang=en><head><title>The {place} {work} - The Shoreline Gazette</title>
<style>{_STYLE}</style></head><body>
<div class=cookies>We use cookies to remember what you have read. <a href=/cookies>Settings</a></div>
<header><div class=name>The Shoreline Gazette</div>
<nav><ul><li><a href=/>Home</a></li><li><a href=/town>Town</a></li><li><a href=/sea>Sea</a></li>
<li><a href=/weather>Weather</a></li><li><a href=/letters>Letters</a></li></ul></nav></header>
<div class=page><main><h1>The {place} {work}</h1>
<p class=byline>By {_NAMES[number % 6]}, {number + 3} May 2026</p>
<p>After {number + 2} years of work the {place} is open to everybody again. On Monday some {140 + 37 * number} people
came to see it, and most of them stayed until the lamps were lit.</p>
<p>“We had hoped for half as many,” said {_NAMES[(number + 2) % 6]}, who has led the work on the {place} since it began.
The town paid for the stone, and neighbours of the {place} gave the timber and {number + 11} weekends.</p>
<p>What is left to be done before winter is the path from the {place} to the shore. The council will talk about it in
{number + 2} weeks; until then the old way around the {_PLACES[(number + 4) % 10]} stays open.</p>
<div class=comments><h3>Readers’ comments</h3>{comments}</div></main>
<aside><h3>Read next</h3><ul>{related}</ul><h3>Newsletter</h3><p>The week by the sea, every Friday.
<a href=/subscribe>Subscribe</a></p></aside></div>
<footer>© The Shoreline Gazette. All rights reserved. <a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a></footer>
</body></html>"""


def show(browser: Browser, folder: Path, *, dark: bool = False) -> None:
    """Open the report, with the reason for one block shown."""
    pages = [page(number) for number in range(10)]
    path = folder / "report.html"
    report = page_report(bf.learn(pages).clean(pages[0]), name="https://gazette.example/0", site="gazette.example")
    path.write_text(report, encoding="utf-8")
    browser.open(path, width=1280, height=800, dark=dark)
    browser.wait("return document.querySelector('button.shade')")
    browser.run(
        "const shades = [...document.querySelectorAll('button.shade')];"
        "const shade = shades.find((each) => each.getAttribute('aria-label').includes('The lighthouse'));"
        "shade.focus(); shade.click();"  # lists the block, and opens its menu, which would cover the note
        "document.querySelector('.menu').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))"
    )


def main(*files: str) -> None:
    with TemporaryDirectory() as folder, chromium(Path(folder) / "profile") as browser:
        for is_dark, file in zip((False, True), files, strict=True):
            show(browser, Path(folder), dark=is_dark)
            browser.picture(Path(file))


if __name__ == "__main__":
    main(*sys.argv[1:])

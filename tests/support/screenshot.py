"""Write the pictures of a report that README and docs show: ``python -m tests.support.screenshot FILE DARK_FILE``."""

from __future__ import annotations

import sys
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory

import scrapy_blockfilter as bf
from scrapy_blockfilter.report import page_report
from tests.support.browser import Browser, chromium

_PAGE = Template((Path(__file__).parent / "sites" / "gazette.html").read_text(encoding="utf-8").rstrip())
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
    return _PAGE.substitute(
        place=place,
        work=work,
        author=_NAMES[number % 6],
        leader=_NAMES[(number + 2) % 6],
        day=number + 3,
        years=number + 2,
        visitors=140 + 37 * number,
        weekends=number + 11,
        elsewhere=_PLACES[(number + 4) % 10],
        comments=comments,
        related=related,
    )


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

"""The bar above a page in the command ``review``: the pages to look at, and the corrections of their site."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from scrapy_blockfilter.report.document import Served
from scrapy_blockfilter.report.markup import element


def review_bar(site: str, pages: Sequence[str], current: int, made: Sequence[tuple[str, str]]) -> Served:
    """Return the bar, with its style sheet and script.

    Args:
        pages: their names; page ``n``, from 1, is at the address ``/n``.
        current: the number of the page that is shown.
        made: (action, selector) of each correction of the site, the oldest first.
    """
    links = [
        element(
            "li",
            {},
            element(
                "a", {"href": f"/{number}", "aria-current": "page" if number == current else None, "dir": "auto"}, name
            ),
        )
        for number, name in enumerate(pages, 1)
    ]
    rows = [
        element(
            "li",
            {},
            element("b", {}, action),
            element("code", {}, selector),
            element("button", {"type": "button", "data-undo": selector}, "Undo…"),
        )
        for action, selector in reversed(made)
    ]
    none = element("p", {}, "None yet: click a block of the page, choose what to keep or drop, and look at a preview.")
    bar = element(
        "aside",
        {"class": "review", "data-page": current, "aria-label": "Review"},
        element("p", {"class": "brand"}, f"Review of {site}"),
        element("nav", {"aria-label": "Pages"}, element("ol", {}, *links)),
        element("h2", {}, "Corrections"),
        element("ul", {"class": "made"}, *rows) if rows else none,
    )
    return Served(bar, asset("review.css"), asset("review.js"))


def asset(name: str) -> str:
    """Return a file of the folder ``assets``."""
    return (files("scrapy_blockfilter.extras.review") / "assets" / name).read_text(encoding="utf-8")

"""Try a new selector on what the store has of a site: the pages of held items, and the style paths of the sample.

Held items have their HTML. A page record has none, but names on the way to its blocks. Elements inside of lines, and
the names of HTML and BODY, are in no style path.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress

from cssselect import SelectorError
from cssselect import parse as parse_css
from cssselect.parser import Class, CombinedSelector, Element, Hash

from scrapy_blockfilter.commands.base import Call
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.paths import style_label
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.html.tags import is_structural
from scrapy_blockfilter.methods.base import Reason, Verdict
from scrapy_blockfilter.model.selection import Selection
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.options.selectors import is_xpath
from scrapy_blockfilter.sample import SAMPLE_GROWTH
from scrapy_blockfilter.sample.slots import MAX_STEPS, label_names
from scrapy_blockfilter.store import SqliteStore
from scrapy_blockfilter.store.keys import layout_key, stored_key
from scrapy_blockfilter.store.overview import site_summary

# Pages of held items that are tried, each in milliseconds: as many as are learnt from by default.
_MOST_PAGES = 10
_KEPT = Verdict(True, 1.0, Reason("other", "nothing is judged"))


def doubts(call: Call, store: SqliteStore, site: str, selector: str) -> str:
    """Return why a selector may never match on a site, as a sentence, "" if nothing speaks against it."""
    tried = [_matches(html, selector) for html in _held_pages(call, store, site)]
    if any(tried):
        return ""
    if tried:
        return f"It matches nothing on the {len(tried)} pages of the site whose items are held in the store."
    needed = _needed_names(selector)
    pages, names = _names_in(call, store, site)
    missing = [min(of_part - names) for of_part in needed if of_part - names]
    if not names or not needed or len(missing) < len(needed):
        return ""
    return (
        f"None of the {pages} pages in the store shows {' or '.join(missing)}. BODY and elements inside of lines, such "
        "as SPAN, are not stored: the log of the next crawl tells if it matches nothing."
    )


def _matches(html: bytes, selector: str) -> bool:
    with suppress(UnfitPage):
        page = Reader(Options()).read(html)
        page, _ = Selection([selector], []).apply(page, [_KEPT] * len(page.blocks))
        return page.selectors.get(selector, True)
    return False


def _held_pages(call: Call, store: SqliteStore, site: str) -> Iterator[bytes]:
    """Yield the newest pages of a site that are in the store with their HTML."""
    found = 0
    with store.reading() as execute:
        for row, response in execute("SELECT id, response FROM spooled_pages ORDER BY id DESC"):
            with suppress(ValueError, TypeError, AttributeError, RecursionError):
                if found < _MOST_PAGES and call.site_of(json.loads(response)["url"]) == site:
                    found += 1
                    yield from execute("SELECT body FROM spooled_pages WHERE id = ?", (row,)).fetchone()


def _names_in(call: Call, store: SqliteStore, site: str) -> tuple[int, frozenset[str]]:
    """Return the number of pages in the store, and the names on their style paths; none if not all are known."""
    summary = site_summary(store, site, call.options.segmentation)
    pages, names = 0, set[str]()
    for number in range(1, summary.layouts + 1 if summary else 1):
        key = stored_key(layout_key(site, number), call.options.segmentation)
        sample = store.load(key, SAMPLE_GROWTH * call.options.pages)
        if len(sample.steps) >= MAX_STEPS:
            return 0, frozenset()
        pages += len(sample)
        names.update(*(label_names(step.label) for step in sample.steps.values()))
    return pages, frozenset(names)


def _needed_names(selector: str) -> list[frozenset[str]]:
    """Return the classes and ids that each part of a selector cannot match without, digits folded.

    >>> sorted(map(sorted, _needed_names("main .price-12 > b, #top:not(.wide)")))
    [['#top'], ['.price-0']]
    """
    if is_xpath(selector):
        return []
    try:
        return [frozenset(_names_of(part.parsed_tree)) for part in parse_css(selector)]
    except SelectorError:
        return []


def _names_of(tree: object) -> Iterable[str]:
    """Yield the names of elements that style paths have, without the arguments of functions such as :not()."""
    names: list[str] = []
    while not isinstance(tree, Element):
        if isinstance(tree, CombinedSelector):
            yield from _names_of(tree.subselector)
        elif isinstance(tree, Class):
            names.append(style_label("", tree.class_name, ""))
        elif isinstance(tree, Hash):
            names.append(style_label("", "", tree.id))
        tree = tree.selector  # type: ignore[attr-defined]
    if tree.element is None or (is_structural(tree.element) and tree.element not in ("html", "body")):
        yield from names

"""A review: the pages of a site with their models, what a correction would change on them, and making it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from importlib.resources import files
from threading import RLock
from typing import Any

from scrapy_blockfilter.commands.base import CommandError, ExitCode, no_pages
from scrapy_blockfilter.commands.corrections import checked_selector, correct
from scrapy_blockfilter.crawl.sites import Sites
from scrapy_blockfilter.crawl.stats import REASONS, Uncounted
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.options.selectors import Corrections, why_unusable
from scrapy_blockfilter.report import page_report
from scrapy_blockfilter.report.block_corrections import Correcting
from scrapy_blockfilter.report.document import Served
from scrapy_blockfilter.report.markup import element
from scrapy_blockfilter.store import SqliteStore
from scrapy_blockfilter.store.corrections import ACTIONS, corrections_of, effective, undo
from scrapy_blockfilter.store.memory import ReadOnlyStore

# Pages of a preview: as many as a person reads before they decide.
PREVIEWED = 5
# Texts of a page that a preview lists, and characters of each.
_MAX_TEXTS = 12
_MAX_TEXT = 200
_UNDO = "undo"


class _Uncorrected(ReadOnlyStore):
    """A store that nothing is written to, and without corrections: a review applies them itself."""

    def corrections(self) -> Mapping[str, Corrections]:
        return {}


class Review:
    """A review of pages of one site. Its methods may be called from several threads.

    Args:
        pages: names and HTML.
        correcting: where corrections go, for the commands that are shown.

    Raises:
        CommandError: nothing is learnt of the site yet.
    """

    def __init__(
        self, store: SqliteStore, options: Options, correcting: Correcting, pages: Sequence[tuple[str, str]]
    ) -> None:
        self.pages = pages
        self._store = store
        self._correcting = correcting
        self._site = correcting.site
        self._reader = Reader(options)
        self._lock = RLock()
        with closing(Sites(options, _Uncorrected(store), Uncounted())) as sites:
            self._models = [self._model(sites, html) for _, html in pages]

    def report(self, number: int) -> str:
        """Return the report on a page, by its number from 1."""
        with self._lock:
            rows = self._rows()
            made = effective(rows)
            name = self.pages[number - 1][0]
            cleaned = self._cleaned(number, made)
            served = _review_bar(self._site, [name for name, _ in self.pages], number, rows)
            correcting = self._correcting._replace(made=made)
            return page_report(cleaned, name=name, site=self._site, correcting=correcting, served=served)

    def preview(self, action: str, selector: str, first: int) -> dict[str, Any]:
        """Return what a correction would change on some pages, from one of them on. Nothing is stored.

        Args:
            action: "keep", "drop" or "undo".
            first: the number of a page, from 1.
        """
        with self._lock:
            rows = self._rows()
            before, after = effective(rows), effective(self._rows_after(rows, action, selector))
            count = len(self.pages)
            numbers = [(first - 1 + step) % count + 1 for step in range(min(PREVIEWED, count))]
            return {"pages": [self._change(number, before, after) for number in numbers]}

    def apply(self, action: str, selector: str) -> dict[str, Any]:
        """Make a correction as the commands do, and return whether it changed anything in the store."""
        with self._lock:
            self._rows_after([], action, selector)  # raises for an invalid action or selector
            if action == _UNDO:
                return {"changed": undo(self._store, self._site, selector) is not None}
            return {"changed": correct(self._store, self._site, action, selector)}

    def _rows(self) -> list[tuple[str, str]]:
        rows = corrections_of(self._store, self._site)
        # The file may hold text from anyone: whatever is not a selector is left out.
        return [(row.action, row.selector) for row in rows if not why_unusable(row.selector)]

    def _rows_after(self, rows: Sequence[tuple[str, str]], action: str, selector: str) -> list[tuple[str, str]]:
        if action == _UNDO:
            places = [place for place, (_, known) in enumerate(rows) if known == selector]
            return [row for place, row in enumerate(rows) if not places or place != places[-1]]
        if action not in ACTIONS:
            raise CommandError(f"{action[:20]!r} is neither keep nor drop nor undo.", ExitCode.USAGE)
        return [*rows, (action, checked_selector(selector))]

    def _model(self, sites: Sites, html: str) -> SiteModel | None:
        """Return the model that judges a page, None for a page that cannot be judged."""
        try:
            page = self._reader.read(html, whole=True)
        except UnfitPage:
            return None
        model = sites.named(self._site).judge(page)
        if model is None:
            raise no_pages(self._site)
        return model

    def _cleaned(self, number: int, made: Corrections) -> Cleaned:
        html, model = self.pages[number - 1][1], self._models[number - 1]
        try:
            page = self._reader.read(html, whole=True)
        except UnfitPage as unfit:
            return Cleaned(html, None, (), unfit.reason)
        assert model is not None, "the page could be segmented before"
        return model.corrected(made).clean_page(html, page)

    def _change(self, number: int, before: Corrections, after: Corrections) -> dict[str, Any]:
        old, new = self._cleaned(number, before), self._cleaned(number, after)
        both = _chunks(old), _chunks(new)
        pairs = list(zip(*both, strict=True))
        added = [text for (text, was), (_, is_kept) in pairs if is_kept and not was]
        removed = [text for (text, was), (_, is_kept) in pairs if was and not is_kept]
        return {
            "page": self.pages[number - 1][0],
            "blocks": [sum(keep for _, keep in chunks) for chunks in both],
            "characters": [sum(len(text) for text, keep in chunks if keep) for chunks in both],
            "added": list(_shown(added)),
            "removed": list(_shown(removed)),
            "more": max(0, len(added) - _MAX_TEXTS) + max(0, len(removed) - _MAX_TEXTS),
            "unchanged": REASONS.get(new.unchanged, new.unchanged),
        }


def _chunks(cleaned: Cleaned) -> list[tuple[str, bool]]:
    """Return the text of each text chunk of a page, and whether it stays."""
    page = cleaned.page
    judged = zip(page.chunks.blocks, page.of_chunks(cleaned.keep), strict=True) if page else ()
    return [(chunk.text, keep) for chunk, keep in judged if chunk.tag != "title"]


def _shown(texts: Sequence[str]) -> Iterator[str]:
    for text in texts[:_MAX_TEXTS]:
        yield (text if len(text) <= _MAX_TEXT else f"{text[:_MAX_TEXT]}…") or "(an image)"


def _review_bar(site: str, pages: Sequence[str], current: int, made: Sequence[tuple[str, str]]) -> Served:
    """Return the bar above the page with a number, from 1, and its style sheet and script.

    Page ``n`` is at the address ``/n``. Each correction is an action and a selector, the oldest first.
    """
    links, rows = [], []
    for number, name in enumerate(pages, 1):
        is_current = "page" if number == current else None
        link = element("a", {"href": f"/{number}", "aria-current": is_current, "dir": "auto"}, name)
        links.append(element("li", {}, link))
    for action, selector in reversed(made):
        button = element("button", {"type": "button", "data-undo": selector}, "Undo…")
        rows.append(element("li", {}, element("b", {}, action), element("code", {}, selector), button))
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
    return (files("scrapy_blockfilter.extras.review") / "assets" / name).read_text(encoding="utf-8")

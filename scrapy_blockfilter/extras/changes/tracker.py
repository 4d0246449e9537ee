"""Compare the items of a crawl with what their pages have shown before, and remember those that are out.

An item is out when Scrapy has it through all pipelines. Its page is then written soon, as of an unfinished run.
The run is finished after the feeds are: a crawl that is killed, or whose feed fails, has exported nothing for sure.
"""

from __future__ import annotations

import copy
import logging
import secrets
from collections.abc import Callable
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem
from scrapy.extensions.feedexport import FeedExporter

from scrapy_blockfilter.crawl.item_fields import with_values
from scrapy_blockfilter.crawl.item_origins import Source
from scrapy_blockfilter.crawl.session import Session
from scrapy_blockfilter.crawl.stats import FORMS_FAILED, ITEMS_CHANGE, STORE_ERRORS
from scrapy_blockfilter.crawl.stores import BESIDE, in_project
from scrapy_blockfilter.extras.changes.file import MemoryFile
from scrapy_blockfilter.extras.changes.keys import chunks_beyond, shown_of, stripped_lines
from scrapy_blockfilter.extras.changes.memory import Remembered, Shown, place_of
from scrapy_blockfilter.extras.changes.server import MemoryServer
from scrapy_blockfilter.extras.changes.site_news import SiteNews
from scrapy_blockfilter.model import Cleaned
from scrapy_blockfilter.options.converters import scheme_of
from scrapy_blockfilter.store import StoreError
from scrapy_blockfilter.store.opening import refuse_no_file

logger = logging.getLogger(__name__)

NEW, CHANGED, UNCHANGED, MOVED, UNKNOWN = "new", "changed", "unchanged", "moved", "unknown"
# Pages that are out and not yet written: a transaction for each would wait for the disk.
_BATCH = 500
# Of pages that could be judged, why nothing was removed.
_JUDGED = ("", "nothing_to_strip")
# The page of the item that a context takes through the pipelines, in a list that is empty once the item is through.
# Scrapy sends the signals of its end in that context, or in copies of it. Later pipelines may have replaced the item.
_UNDER_WAY: ContextVar[list[_Judged]] = ContextVar("blockfilter_under_way")


class UnchangedPage(DropItem):
    """Raised for an item whose page has not changed, if ``BLOCKFILTER_UNCHANGED`` is "drop"."""


class _Judged(NamedTuple):
    """An item's page, what the item shows of it, and how it compares with what stood before."""

    page: int
    site: str
    shown: Shown
    change: str
    chunks: list[dict[str, Any]]


class Tracker:
    """The memory of a crawl: the pages of earlier crawls, and its own pages whose items are out."""

    def __init__(self, session: Session, memory: MemoryFile | MemoryServer) -> None:
        self._session = session
        self._memory = memory
        self._run = secrets.randbits(62)
        self._finished: dict[int, bool] = {self._run: False}
        self._out: dict[int, Remembered] = {}
        self._news = SiteNews()
        self._feeds = 0  # files of feeds that are closed

    @classmethod
    def start(cls, session: Session) -> None:
        """Track a crawl, once."""
        if session.on_page is not None:
            return
        try:
            tracker = cls(session, _memory_of(session))
        except StoreError as error:
            session.stats.inc_value(STORE_ERRORS)
            logger.error("What has changed is not known in this crawl, and no item is dropped. %s", error)
            session.on_page = lambda source, site, cleaned: partial(_told, session, None)
            return
        session.on_page = tracker.compare
        connect = session.crawler.signals.connect
        connect(tracker.item_scraped, signals.item_scraped)
        connect(tracker.item_through, signals.item_dropped)
        connect(tracker.item_through, signals.item_error)
        connect(tracker.feed_slot_closed, signals.feed_slot_closed)
        connect(tracker.engine_stopped, signals.engine_stopped)

    def compare(self, source: Source, site: str | None, cleaned: Cleaned | None) -> Callable[[Any], Any]:
        """Return a function that fills an item; raise UnchangedPage if nothing has changed and the settings say so."""
        _UNDER_WAY.set(under_way := [])
        judged: _Judged | None = None
        count = self._session.stats.inc_value
        with self._session.guard.making("change", source.url, lambda form: count(f"{FORMS_FAILED}/{form}")):
            judged = self._judged(source, site, cleaned)
        if judged and judged.change == UNCHANGED and self._session.options.unchanged == "drop":
            count(f"{ITEMS_CHANGE}/{UNCHANGED}")
            self._remember(judged)
            raise UnchangedPage(f"{source.url} has not changed", log_level="DEBUG")
        if judged:
            under_way.append(judged)
        return partial(_told, self._session, judged)

    def item_scraped(self) -> None:
        """Remember the page of the item that is out."""
        if judged := self.item_through():
            self._remember(judged)

    def item_through(self) -> _Judged | None:
        """Forget the item, and return its page. If a pipeline drops it or fails, the next crawl reports it again."""
        under_way = _UNDER_WAY.get(None)
        return under_way.pop() if under_way else None

    def feed_slot_closed(self) -> None:
        self._feeds += 1

    def engine_stopped(self) -> None:
        """Finish the run, unless a feed has failed."""
        has_failed = any(name.startswith("feedexport/failed_count/") for name in self._session.stats.get_stats())
        try:
            self._write()
            if not has_failed and self._feeds >= _feeds_of(self._session.crawler):
                self._memory.finish(self._run)
            else:
                logger.warning("A feed was not stored, so the next crawl compares with the crawl before this one.")
        except StoreError as error:
            self._note(error)
        self._memory.close()

    def _judged(self, source: Source, site: str | None, cleaned: Cleaned | None) -> _Judged | None:
        """Return how a page compares; None if it could not be judged, or if the memory fails."""
        page = self._session.page_hash_of(source)
        if page is None or not site or cleaned is None or cleaned.page is None or cleaned.unchanged not in _JUDGED:
            return None
        shown = cleaned.once(shown_of)
        try:
            known = self._known(page)
            before = known and self._standing(known)
            moved = None if before else self._elsewhere(site, shown)
        except StoreError as error:
            self._note(error)
            return None
        if before is not None:
            of_site = self._news.shared(site, page, before.news(shown), cleaned.once(stripped_lines))
            if before.says_the_same(shown, of_site):
                return _Judged(page, site, before.told(shown), UNCHANGED, [])
        new = chunks_beyond((before or moved or Shown()).chunks, cleaned)
        return _Judged(page, site, shown, MOVED if moved else NEW if before is None else CHANGED, new)

    def _elsewhere(self, site: str, shown: Shown) -> Shown | None:
        """Return what a page under another address had shown, if it is the same; a page without text is nowhere."""
        if not shown.chunks:
            return None
        found = map(self._standing, self._memory.pages_at(place_of(site, shown)))
        return next((stood for stood in found if stood and stood.items == shown.items), None)

    def _known(self, page: int) -> Remembered | None:
        return self._out.get(page) or self._memory.page(page)

    def _standing(self, remembered: Remembered) -> Shown | None:
        """Return what a page had shown before this crawl; None if nobody had met it."""
        run = remembered.run
        if run not in self._finished:
            self._finished[run] = self._memory.is_finished(run)
        return remembered.now if self._finished[run] else remembered.before

    def _remember(self, judged: _Judged) -> None:
        try:
            known = self._known(judged.page)
            shown = known.now.merged(judged.shown) if known and known.run == self._run else judged.shown
            before = known and self._standing(known)
            self._out[judged.page] = Remembered(self._run, shown, before, place_of(judged.site, shown))
            if len(self._out) >= _BATCH:
                self._write()
        except StoreError as error:
            self._note(error)

    def _write(self) -> None:
        pages, self._out = self._out, {}
        if pages:
            self._memory.write(pages)

    def _note(self, error: StoreError) -> None:
        self._session.stats.inc_value(STORE_ERRORS)
        message = "What has changed is not known of all pages, or not remembered. %s Further errors are counted."
        self._session.log.error("changes", message, error)


def _feeds_of(crawler: Crawler) -> int:
    """Return how many files of feeds a crawl must have closed. Scrapy counts none that it could not open or end."""
    feeds = crawler.get_extension(FeedExporter)
    if feeds is None:  # Scrapy has none for feeds of an unknown kind
        return len(crawler.settings.getdict("FEEDS"))
    is_empty = [not slot.itemcount and (slot.batch_id > 1 or not slot.store_empty) for slot in feeds.slots]
    return sum(slot.batch_id for slot in feeds.slots) - sum(is_empty)


def _told(session: Session, judged: _Judged | None, item: Any) -> Any:
    """Return an item with how its page compares, and count it; None in its fields if that is unknown."""
    session.stats.inc_value(f"{ITEMS_CHANGE}/{judged.change if judged else UNKNOWN}")
    values = {"change": judged and judged.change, "changed_chunks": judged and judged.chunks}
    adapter = ItemAdapter(item)
    for field, form in session.options.output_fields.items():
        if form in values and field in adapter:  # else the item has no page
            item = with_values(item, {field: copy.deepcopy(values[form])})
    return item


def _memory_of(session: Session) -> MemoryFile | MemoryServer:
    """Return the memory on the server of the store, or in a file beside that of the store; raise StoreError."""
    options = session.options
    link = getattr(session.store, "link", None)
    if link is not None:
        return MemoryServer(link, link.days)
    store = Path(in_project(BESIDE if scheme_of(options.store) else options.store))
    refuse_no_file(store)
    return MemoryFile(store.with_name(f"{store.stem}-changes{store.suffix}"), options.store_max_bytes)

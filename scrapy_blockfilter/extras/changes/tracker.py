"""Compare the items of a crawl with what their pages have shown before, and remember those that are out.

An item is out when Scrapy has it through all pipelines. Its page is then written soon, as of an unfinished run.
The run is finished after the feeds are: a crawl that is killed, or whose feed fails, has exported nothing for sure.
"""

from __future__ import annotations

import copy
import logging
import secrets
from collections import deque
from pathlib import Path
from typing import Any, NamedTuple
from weakref import ref

from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.exceptions import DropItem
from scrapy.http import Response

from scrapy_blockfilter.crawl.item_fields import has_field, with_values
from scrapy_blockfilter.crawl.item_origins import Source
from scrapy_blockfilter.crawl.pages import page_hash_of
from scrapy_blockfilter.crawl.session import Session
from scrapy_blockfilter.crawl.stats import FORMS_FAILED, ITEMS_CHANGE, STORE_ERRORS
from scrapy_blockfilter.crawl.stores import BESIDE, in_project
from scrapy_blockfilter.extras.changes.file import MemoryFile
from scrapy_blockfilter.extras.changes.keys import chunk_key, shown_of
from scrapy_blockfilter.extras.changes.memory import Memory, Remembered, Shown, place_of
from scrapy_blockfilter.extras.changes.server import MemoryServer
from scrapy_blockfilter.extras.changes.site_news import SiteNews
from scrapy_blockfilter.identity.page_ids import page_id
from scrapy_blockfilter.model import Cleaned
from scrapy_blockfilter.options.converters import scheme_of
from scrapy_blockfilter.store import StoreError

logger = logging.getLogger(__name__)

NEW, CHANGED, UNCHANGED, MOVED, UNKNOWN = "new", "changed", "unchanged", "moved", "unknown"
# Pages that are out and not yet written: a transaction for each would wait for the disk.
_BATCH = 500
# Most items between this pipeline and the end. Those beyond are not remembered, and told once more by the next crawl.
_MOST_UNDER_WAY = 10_000
# Of pages that could be judged, why nothing was removed.
_JUDGED = ("", "nothing_to_strip")


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
    """The memory of a crawl of the pages before it, and of those that are out.

    Args:
        memory: keeps pages; None if it cannot be used.
    """

    def __init__(self, session: Session, memory: Memory | None) -> None:
        self._session = session
        self._memory = memory
        self._run = secrets.randbits(62)
        self._finished: dict[int, bool] = {self._run: False}
        self._under_way: deque[tuple[Any, ref[Response] | None, _Judged]] = deque(maxlen=_MOST_UNDER_WAY)
        self._out: dict[int, Remembered] = {}
        self._news = SiteNews()

    @classmethod
    def start(cls, session: Session) -> None:
        """Track a crawl, once."""
        if session.on_item is not None:
            return
        try:
            memory = _memory_of(session)
        except StoreError as error:
            session.stats.inc_value(STORE_ERRORS)
            logger.error("What has changed is not known in this crawl, and no item is dropped. %s", error)
            memory = None
        tracker = cls(session, memory)
        session.on_item = tracker.compare
        for handler, signal in (
            (tracker.item_scraped, signals.item_scraped),
            (tracker.item_lost, signals.item_dropped),
            (tracker.item_lost, signals.item_error),
            (tracker.engine_stopped, signals.engine_stopped),
        ):
            session.crawler.signals.connect(handler, signal)

    def compare(self, item: Any, source: Source, site: str | None, cleaned: Cleaned | None) -> Any:
        """Return an item with what has changed.

        Raises:
            UnchangedPage: nothing has, and the settings drop such items.
        """
        judged: _Judged | None = None
        with self._session.guard.making("change", source.url, self._note_failure):
            judged = self._judged(source, site, cleaned)
        change = judged.change if judged else UNKNOWN
        self._session.stats.inc_value(f"{ITEMS_CHANGE}/{change}")
        if judged and change == UNCHANGED and self._session.options.unchanged == "drop":
            self._remember(judged)
            raise UnchangedPage(f"{source.url} has not changed", log_level="DEBUG")
        values = {"change": judged and change, "changed_chunks": judged and judged.chunks}
        adapter = ItemAdapter(item)
        for field, form in self._session.options.output_fields.items():
            if form in values and has_field(adapter, field):
                item = with_values(item, {field: copy.deepcopy(values[form])})
        if judged:
            of = None if source.response is None else ref(source.response)
            self._under_way.append((item, of, judged))
        return item

    def item_scraped(self, item: Any, response: Response | None) -> None:
        """Remember the page of an item that is out."""
        if judged := self._take(item, response):
            self._remember(judged)

    def item_lost(self, item: Any, response: Response | None) -> None:
        """Forget an item that a later pipeline has dropped, or failed on: the next crawl tells of it again."""
        self._take(item, response)

    def engine_stopped(self) -> None:
        """Finish the run, unless a feed has failed."""
        if self._memory is None:
            return
        stats = self._session.crawler.stats
        has_failed = any(name.startswith("feedexport/failed_count/") for name in (stats.get_stats() if stats else ()))
        try:
            self._write()
            if not has_failed:
                self._memory.finish(self._run)
        except StoreError as error:
            self._note(error)
        self._memory.close()

    def _judged(self, source: Source, site: str | None, cleaned: Cleaned | None) -> _Judged | None:
        """Return how a page compares; None if it could not be judged, or if the memory cannot be asked."""
        page = self._page_of(source)
        if page is None or not site or cleaned is None or cleaned.page is None or cleaned.unchanged not in _JUDGED:
            return None
        chunks = {chunk_key(chunk): chunk for chunk in cleaned.chunks}
        shown = cleaned.once(shown_of)
        try:
            before = self._before(page)
            moved = None if before else self._elsewhere(site, shown, bool(chunks))
        except StoreError as error:
            self._note(error)
            return None
        if before is not None:
            of_site = self._news.shared(site, page, before.news(shown))
            if before.says_the_same(shown, of_site):
                return _Judged(page, site, before.told(shown, of_site), UNCHANGED, [])
        known = before or moved or Shown()
        new = [chunk for key, chunk in chunks.items() if key not in known.chunks]
        return _Judged(page, site, shown, MOVED if moved else NEW if before is None else CHANGED, new)

    def _page_of(self, source: Source) -> int | None:
        request = source.response.request if source.response is not None else None
        if request is not None:
            return page_hash_of(self._session.crawler, request)
        try:
            return page_id(source.url) if source.url else None
        except ValueError:
            return None

    def _before(self, page: int) -> Shown | None:
        """Return what a page had shown before this crawl; None if nobody had met it."""
        remembered = self._known(page)
        return remembered and self._standing(remembered)

    def _elsewhere(self, site: str, shown: Shown, has_text: bool) -> Shown | None:
        """Return what a page under another address had shown, if it is the same; a page without text is nowhere."""
        if self._memory is None or not has_text:
            return None
        found = map(self._standing, self._memory.pages_at(place_of(site, shown)))
        return next((stood for stood in found if stood and stood.items == shown.items), None)

    def _known(self, page: int) -> Remembered | None:
        if self._memory is None:
            raise StoreError("no memory", "away")
        return self._out.get(page) or self._memory.page(page)

    def _standing(self, remembered: Remembered) -> Shown | None:
        run = remembered.run
        if run not in self._finished:
            self._finished[run] = self._memory is not None and self._memory.is_finished(run)
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
        if self._memory is not None and pages:
            self._memory.write(pages)

    def _take(self, item: Any, response: Response | None) -> _Judged | None:
        """Return what is known of an item under way; of one that a later pipeline has replaced, by its response."""
        of_response = None
        for place, (own, of, judged) in enumerate(self._under_way):
            if own is item:
                del self._under_way[place]
                return judged
            if of_response is None and of is not None and of() is response:
                of_response = place
        if of_response is None:
            return None
        _, _, judged = self._under_way[of_response]
        del self._under_way[of_response]
        return judged

    def _note(self, error: StoreError) -> None:
        if self._memory is not None:  # else it is told already
            self._session.stats.inc_value(STORE_ERRORS)
            message = "What has changed is not known of all pages, or not remembered. %s Further errors are counted."
            self._session.log.error("changes", message, error)

    def _note_failure(self, form: str) -> None:
        self._session.stats.inc_value(f"{FORMS_FAILED}/{form}")


def _memory_of(session: Session) -> Memory:
    """Return the memory on the server of the store, or in a file beside that of the store.

    Raises:
        StoreError: the file cannot be used.
    """
    options = session.options
    link = getattr(session.store, "link", None)
    if link is not None:
        return MemoryServer(link, options.store_days)
    store = Path(in_project(BESIDE if scheme_of(options.store) else options.store))
    return MemoryFile(store.with_name(f"{store.stem}-changes{store.suffix}"), options.store_max_bytes)

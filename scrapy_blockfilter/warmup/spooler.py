"""Keep held items on disk while they wait, and give back those that a killed crawl had held.

Items left over wait until the crawl is idle. By then, a page that is fetched again (as start URLs are) has made its
items anew. Each then takes the place of one that was left, so that a kill at any moment loses and doubles none.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.asyncio import call_later

from scrapy_blockfilter.crawl import stats as names
from scrapy_blockfilter.crawl.log_once import LogOnce
from scrapy_blockfilter.store import SqliteStore, StoreError, TemplateStore
from scrapy_blockfilter.store.spool import LeftItem, Spool, SpooledPage
from scrapy_blockfilter.warmup.held_items import HeldItem
from scrapy_blockfilter.warmup.item_json import NotPortableError, dump, dump_response, load, load_response
from scrapy_blockfilter.warmup.request_identity import identity

logger = logging.getLogger(__name__)

# Rows that are deleted in one transaction, and the seconds within which they are. A transaction takes 1.3 ms, a row in
# it 0.015. After a kill, so many items may come twice.
_DONE_AT_ONCE = 50
_DONE_WITHIN = 0.1


class Spooler:
    """The spool of one crawl. If it fails, the error is logged once, and the crawl goes on without it.

    At the end, what it has spooled before is deleted all the same: it is out.
    """

    def __init__(self, crawler: Crawler, store: TemplateStore) -> None:
        assert crawler.stats is not None
        assert crawler.spider is not None
        self._crawler = crawler
        self._stats = crawler.stats
        self._spool: Spool | None = None
        self._log = LogOnce(logger)
        self._done: list[int] = []
        self._has_failed = False
        self._keys: WeakKeyDictionary[Request, str] = WeakKeyDictionary()
        if not isinstance(store, SqliteStore):
            return  # the store's error is logged already
        folder = crawler.settings["JOBDIR"]
        job = f"{crawler.spider.name}\n{Path(folder).absolute() if folder else ''}"
        try:
            self._spool = Spool(store, job, is_ours=bool(folder))
        except StoreError as error:
            self._failed(error)

    @property
    def has_left(self) -> bool:
        """Whether an earlier crawl left items to give back."""
        return self._spool is not None and bool(self._spool.left)

    def enter(self, request: Request) -> None:
        """Identify a request before others change its meta and ``cb_kwargs``, unless that is done.

        Callbacks change them, and so do middlewares and download handlers: they add what they made of the response,
        which is another each time.
        """
        if self._spool is not None and request not in self._keys:
            with suppress(Exception):  # raised again, and reported, with the first item
                self._keys[request] = self._key(request)

    def page(self, response: Response) -> PageSpooler:
        """Return the writer for the items of a response, which are made now."""
        request = response.request
        key = response.url if request is None else self._keys.get(request) or self._key(request)
        return PageSpooler(self, key, response, self._left_of(request, key))

    def _left_of(self, request: Request | None, key: str) -> int | None:
        """Return the row of what an earlier crawl has left of a page, perhaps under the key of release 0.1.0."""
        if self._spool is None or not self._spool.left:
            return None
        row = self._spool.claim(key)
        if row is None and request is not None:
            row = self._spool.claim(f"{self._fingerprint(request).hex()} {getattr(request.callback, '__name__', '')}")
        return row

    def write(
        self, page: SpooledPage, page_row: int | None, item: Any, replaced: int | None
    ) -> tuple[int | None, int | None]:
        """Write an item, and return the rows of its page and of the item; None for what cannot be written.

        Args:
            replaced: the row of what an earlier crawl has left of the page.
        """
        if self._spool is None or self._has_failed:
            return page_row, None
        try:
            rows = self._spool.add(page, page_row, dump(item), replaced)
        except NotPortableError as error:
            self._stats.inc_value(names.WARMUP_UNSPOOLED)
            self._log.warning("hold", "%.200r is held in memory only: %s. Further ones are only counted.", item, error)
            return page_row, None
        except StoreError as error:
            self._failed(error)
            return page_row, None
        self._stats.inc_value(names.WARMUP_SPOOLED)
        return rows

    def done(self, held: HeldItem) -> None:
        """Note that an item is through the pipelines. Rows are deleted in batches."""
        if held.row is not None:
            self._done.append(held.row)
            if len(self._done) == 1:
                call_later(_DONE_WITHIN, self.forget_done)
            elif len(self._done) >= _DONE_AT_ONCE:
                self.forget_done()

    def forget_done(self, *, is_last: bool = False) -> None:
        """Delete the items that are through the pipelines. After a failure this is tried once more, at the end."""
        if self._spool is None or not self._done or (self._has_failed and not is_last):
            return
        try:
            self._spool.remove(self._done)
            self._done = []
        except StoreError as error:
            self._failed(error)

    def made_anew(self, key: str, row: int, *, is_whole: bool) -> None:
        """Delete what is left of a page whose items were made anew; keep it if they were not all made."""
        if self._spool is None:
            return
        if not is_whole:
            self._spool.unclaim(key, row)
            return
        try:
            self._spool.forget(row)
        except StoreError as error:
            self._failed(error)

    def close(self) -> None:
        """Let the next crawl have what is still held."""
        self.forget_done(is_last=True)
        if self._spool is not None:
            try:
                self._spool.close()
            except StoreError as error:
                self._failed(error)

    def left_items(self, most: int) -> Iterator[HeldItem]:
        """Yield items of an earlier crawl, until they and their pages take more than ``most`` bytes."""
        if self._spool is None:
            return
        size = 0
        try:
            for page, items in self._spool.take_left():
                for held in self._restored(page, items):
                    size += held.size
                    yield held
                if size > most:
                    return
        except StoreError as error:
            self._failed(error)
            self._spool.left.clear()  # the next start takes what is left

    def _key(self, request: Request) -> str:
        """Return what identifies a page of this job."""
        return identity(request, self._fingerprint(request))

    def _fingerprint(self, request: Request) -> bytes:
        assert self._crawler.request_fingerprinter is not None
        return self._crawler.request_fingerprinter.fingerprint(request)

    def _restored(self, page: SpooledPage, items: Sequence[LeftItem]) -> Iterator[HeldItem]:
        response = None
        for row, text in items:
            try:
                response = response or load_response(page.response, page.body)
                item = load(text)
            except NotPortableError as error:
                self._stats.inc_value(names.STORE_ERRORS)
                message = "A held item of an earlier crawl cannot be restored, and stays on disk: %s."
                self._log.warning("restore", message, error)
                continue
            self._stats.inc_value(names.WARMUP_RESTORED)
            yield HeldItem(item, response, len(text) + len(page.body), row)

    def _failed(self, error: StoreError) -> None:
        self._has_failed = True
        self._stats.inc_value(names.STORE_ERRORS)
        self._log.error("spool", "From now on, held items are kept in memory only. %s", error)


class PageSpooler:
    """Write the items of one response; its body is written with the first.

    Args:
        key: identifies the request.
        left: the row of what an earlier crawl has left of the same request, None if nothing.
    """

    def __init__(self, spooler: Spooler, key: str, response: Response, left: int | None) -> None:
        self._spooler = spooler
        self._key = key
        self._response = response
        self._left = left
        self._page: SpooledPage | None = None
        self._row: int | None = None

    def write(self, item: Any) -> int | None:
        """Write an item and return its row, None if it cannot be written."""
        if self._page is None:
            self._page = SpooledPage(self._key, dump_response(self._response), self._response.body)
        self._row, row = self._spooler.write(self._page, self._row, item, self._left)
        return row

    def end(self, *, is_whole: bool) -> None:
        """Note that the callback has ended.

        Args:
            is_whole: whether it ended by itself, so that all items were made.
        """
        if self._left is not None:
            self._spooler.made_anew(self._key, self._left, is_whole=is_whole)

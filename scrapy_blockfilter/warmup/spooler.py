"""Keep held items on disk until they are done, and give back those that a killed crawl had held.

Items left over wait until the crawl is idle. By then, a page that is fetched again (as start URLs are) has made its
items anew. An item equal to one left takes the row of that. Others get rows of their own, and replace as many of those
left when their callback has ended. So each item that was held, or another in its place, is in the store until it is
done.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

from scrapy.crawler import Crawler
from scrapy.http import Response

from scrapy_blockfilter.crawl.log_once import LogOnce
from scrapy_blockfilter.crawl.stats import STORE_ERRORS, WARMUP_RESTORED, WARMUP_SPOOLED, WARMUP_UNSPOOLED
from scrapy_blockfilter.crawl.stores import spool_of
from scrapy_blockfilter.store import SqliteStore, StoreError, TemplateStore
from scrapy_blockfilter.store.spool import LeftItem, Spool, SpooledPage
from scrapy_blockfilter.warmup.held_bytes import HeldBytes
from scrapy_blockfilter.warmup.held_page import HeldItem, HeldPage
from scrapy_blockfilter.warmup.item_json import NotPortableError, dump, dump_response, load, load_response
from scrapy_blockfilter.warmup.request_identity import RequestKeys

logger = logging.getLogger(__name__)

_FAILURE = "From now on, held items are kept in memory only. %s"


class Spooler:
    """The spool of one crawl. If it fails, the error is logged once, and the crawl goes on without it.

    At the end, the rows of items that are done are deleted all the same. The file may be that of the store.

    Attributes:
        keys: identifies requests before others change them.
    """

    def __init__(self, crawler: Crawler, spool: Spool, file: SqliteStore) -> None:
        assert crawler.stats is not None
        self._stats = crawler.stats
        self._spool = spool
        self._file = file
        self.keys = RequestKeys(crawler)
        self._log = LogOnce(logger)
        # Id -> an item under way, which keeps its id as long as it is here, and its rows: two if it was yielded twice.
        self._under_way: dict[int, tuple[Any, list[int]]] = {}
        self._done: list[int] = []
        self._has_failed = False

    @classmethod
    def open(cls, crawler: Crawler, store: TemplateStore) -> Spooler | None:
        """Return the spooler of a crawl; None if its file cannot be used, which is logged."""
        assert crawler.stats is not None
        assert crawler.spider is not None
        folder = crawler.settings["JOBDIR"]
        job = f"{crawler.spider.name}\n{Path(folder).absolute() if folder else ''}"
        try:
            file = spool_of(store)
            # The store's error is logged already if there is no file.
            return None if file is None else cls(crawler, Spool(file, job, is_ours=bool(folder)), file)
        except StoreError as error:
            crawler.stats.inc_value(STORE_ERRORS)
            logger.error(_FAILURE, error)
            return None

    @property
    def has_left(self) -> bool:
        """Whether an earlier crawl left items to give back."""
        return bool(self._spool.left)

    def page(self, response: Response) -> PageSpooler:
        """Return the writer for the items of a response, which are made now."""
        keys = iter([response.url]) if response.request is None else self.keys.of(response.request)
        key = next(keys)
        return PageSpooler(self, key, response, self._claim(chain([key], keys)))

    def add(self, page: SpooledPage, page_row: int | None, text: str) -> tuple[int | None, int | None]:
        """Write an item, and return the rows of its page and of the item; None for one that cannot be written."""
        if not self._has_failed:
            with self._failing():
                rows = self._spool.add(page, page_row, text)
                self._stats.inc_value(WARMUP_SPOOLED)
                return rows
        return page_row, None

    def note_not_portable(self, item: Any, error: NotPortableError) -> None:
        """Count and log an item that waits and cannot be written."""
        self._stats.inc_value(WARMUP_UNSPOOLED)
        self._log.warning("hold", "%.200r is held in memory only: %s. Further ones are only counted.", item, error)

    def send(self, item: Any, row: int | None) -> None:
        """Note that an item goes to the pipelines. Its row, if it has one, stays until it is done."""
        if row is not None:
            self._under_way.setdefault(id(item), (item, []))[1].append(row)

    def done(self, item: Any, row: int | None = None) -> None:
        """Delete the row of an item that is through the pipelines, if it is still there.

        This happens at once, as a kill before that doubles the item.
        """
        _, rows = self._under_way.get(id(item), (None, []))
        if rows and (row is None or row in rows):
            row = rows.pop(0 if row is None else rows.index(row))
            if not rows:
                del self._under_way[id(item)]
            self.delete([row])

    def delete(self, rows: Sequence[int]) -> None:
        """Delete items that are done or replaced. After a failure this is tried at the end."""
        self._done.extend(rows)
        if not self._has_failed:
            self._forget_done()

    def unclaim(self, key: str, rows: Sequence[int]) -> None:
        """Give back later the items that are left of a page though its callback has ended."""
        if rows:
            self._spool.unclaim(key, rows)

    def leave(self) -> None:
        """Let the next crawl have the items that are still held."""
        self._forget_done()
        with self._failing():
            self._spool.close()

    def close(self, store: TemplateStore) -> None:
        """Close the file, if it is not that of the store."""
        if self._file is not store:
            self._file.close()

    def left_items(self, most: int, held_bytes: HeldBytes) -> Iterator[HeldItem]:
        """Yield items of an earlier crawl, until they and their pages take more than ``most`` bytes."""
        with self._failing():
            for page, items in self._spool.take_left():
                restored = list(self._restored(page, items, held_bytes))
                yield from restored
                most -= restored[0].page.size if restored else 0
                if most < 0:
                    return
            return
        self._spool.left.clear()  # the next start takes what is left

    def _claim(self, keys: Iterable[str]) -> Sequence[LeftItem]:
        """Return the items that an earlier crawl has left of a page, under the first key that has any."""
        if self._spool.left:
            with self._failing():
                return next(filter(None, map(self._spool.claim, keys)), [])
        return []

    def _forget_done(self) -> None:
        if self._done:
            with self._failing():
                self._spool.remove(self._done)
                self._done = []

    def _restored(self, page: SpooledPage, items: Sequence[LeftItem], held_bytes: HeldBytes) -> Iterator[HeldItem]:
        held = None
        for row, text in items:
            try:
                held = held or HeldPage(load_response(page.response, page.body), held_bytes)
                item = load(text)
            except NotPortableError as error:
                self._stats.inc_value(STORE_ERRORS)
                message = "A held item of an earlier crawl cannot be restored, and stays on disk: %s."
                self._log.warning("restore", message, error)
                continue
            self._stats.inc_value(WARMUP_RESTORED)
            yield held.add(item, len(text) + len(page.body) * (not held.items), row)

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Let the file fail inside."""
        try:
            yield
        except StoreError as error:
            self._has_failed = True
            self._stats.inc_value(STORE_ERRORS)
            self._log.error("spool", _FAILURE, error)


class PageSpooler:
    """Write the items of one response, and with the first its body. An earlier crawl may have ``left`` some of them."""

    def __init__(self, spooler: Spooler, key: str, response: Response, left: Sequence[LeftItem]) -> None:
        self._spooler = spooler
        self._key = key
        self._response = response
        self._is_made_anew = bool(left)
        self._left: dict[str, list[int]] = {}
        for row, text in left:
            self._left.setdefault(text, []).append(row)
        self._row: int | None = None
        self._written = 0

    def hold(self, item: Any) -> int | None:
        """Return the row of an item that waits, None if it cannot be written."""
        try:
            return self._row_of(item)
        except NotPortableError as error:
            self._spooler.note_not_portable(item, error)
            return None

    def send(self, item: Any) -> None:
        """Note that an item goes to the pipelines at once, with a row if an earlier crawl has left some of its page."""
        if self._is_made_anew:
            with suppress(NotPortableError):
                self._spooler.send(item, self._row_of(item))

    def end(self) -> None:
        """Note that the callback has ended, perhaps before all items were made."""
        rest = sorted(row for rows in self._left.values() for row in rows)
        self._spooler.delete(rest[: self._written])
        self._spooler.unclaim(self._key, rest[self._written :])

    def _row_of(self, item: Any) -> int | None:
        text = dump(item)
        if rows := self._left.get(text):
            return rows.pop(0)
        self._row, row = self._spooler.add(self._page, self._row, text)
        self._written += row is not None
        return row

    @cached_property
    def _page(self) -> SpooledPage:
        return SpooledPage(self._key, dump_response(self._response), self._response.body)

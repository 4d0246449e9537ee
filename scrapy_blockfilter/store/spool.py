"""Held items on disk: if a crawl is killed, its next start gives them back.

A row is deleted when its item is through the pipelines. Rows belong to a job: a spider and its JOBDIR. Without a
JOBDIR, several processes may run the same spider. Rows of a process that is still running are then left alone.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from scrapy_blockfilter.store.sqlite import SqliteStore


class SpooledPage(NamedTuple):
    """A response with items that wait.

    Attributes:
        key: identifies the request and its callback.
        response: the response without its body.
    """

    key: str
    response: str
    body: bytes


class LeftItem(NamedTuple):
    """An item that an earlier crawl has left."""

    row: int
    item: str


class Spool:
    """The items of a job in the store. Every method may raise :class:`scrapy_blockfilter.store.StoreError`.

    Args:
        job: name of the job.
        is_ours: whether nobody else has this job, as with a JOBDIR.

    Attributes:
        left: pages that earlier crawls have left: key -> their rows.
    """

    def __init__(self, store: SqliteStore, job: str, *, is_ours: bool) -> None:
        self._store = store
        self._job = job
        self._owner = f"{platform.node()}:{os.getpid()}"
        self.left: dict[str, list[int]] = {}
        with store.transaction() as execute:
            for row, key, owner in execute(
                "SELECT id, key, owner FROM spooled_pages WHERE job = ? ORDER BY id", (job,)
            ):
                if is_ours or self._has_ended(owner):
                    self.left.setdefault(key, []).append(row)

    def add(self, page: SpooledPage, page_row: int | None, item: str) -> tuple[int, int]:
        """Write an item, and its page unless ``page_row`` holds it; return the rows of the page and the item."""
        with self._store.transaction() as execute:
            # The page was deleted with the last of its items if those were released.
            if page_row is None or not execute("SELECT 1 FROM spooled_pages WHERE id = ?", (page_row,)).fetchone():
                page_row = execute(
                    "INSERT INTO spooled_pages (job, owner, key, response, body) VALUES (?, ?, ?, ?, ?)",
                    (self._job, self._owner, *page),
                ).lastrowid
            row = execute("INSERT INTO spooled_items (page_id, item) VALUES (?, ?)", (page_row, item)).lastrowid
        assert page_row is not None
        assert row is not None
        return page_row, row

    def remove(self, rows: Iterable[int]) -> None:
        """Delete items, and each page whose last item was among them."""
        with self._store.transaction() as execute:
            for row in rows:
                found = execute("SELECT page_id FROM spooled_items WHERE id = ?", (row,)).fetchone()
                execute("DELETE FROM spooled_items WHERE id = ?", (row,))
                if found:
                    execute(
                        "DELETE FROM spooled_pages WHERE id = ? "
                        "AND NOT EXISTS (SELECT 1 FROM spooled_items WHERE page_id = spooled_pages.id)",
                        found,
                    )

    def forget_left(self, key: str) -> None:
        """Delete what was left of a page."""
        rows = self.left.pop(key, [])
        with self._store.transaction() as execute:
            for row in rows:
                execute("DELETE FROM spooled_pages WHERE id = ?", (row,))

    def take_left(self) -> Iterator[tuple[SpooledPage, Sequence[LeftItem]]]:
        """Yield the pages that were left with their items, in the order they came, and take them from :attr:`left`.

        Their rows stay until they are removed.
        """
        for key in list(self.left):
            for page_row in self.left.pop(key, []):
                with self._store.transaction() as execute:
                    page = execute("SELECT key, response, body FROM spooled_pages WHERE id = ?", (page_row,)).fetchone()
                    items = execute("SELECT id, item FROM spooled_items WHERE page_id = ? ORDER BY id", (page_row,))
                    left = [LeftItem(*row) for row in items]
                if page:
                    yield SpooledPage(*page), left

    def _has_ended(self, owner: str) -> bool:
        """Whether a process of this machine has ended; False for processes of other machines."""
        host, _, pid = owner.rpartition(":")
        if host != platform.node() or os.name != "posix" or not pid.isdecimal():
            return False
        if int(pid) == os.getpid():
            return True
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            return True
        except (PermissionError, OverflowError):
            return False
        return False

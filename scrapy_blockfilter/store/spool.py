"""Held items on disk: if a crawl is killed, its next start gives them back.

A row is deleted when its item is through the pipelines. Rows belong to a job: a spider and its JOBDIR. Without a
JOBDIR, several processes may run the same spider. Rows of a process that is still running are then left alone, and so
are rows of another crawl of this process until it has closed.
"""

from __future__ import annotations

import os
import platform
import re
import uuid
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from scrapy_blockfilter.store.sqlite import SqliteStore

# The mark of this process. An earlier one may have had the same number, as in a container that was started again.
_PROCESS = uuid.uuid4().hex
# An owner. Release 0.1.0 wrote no mark of the process.
_OWNER = re.compile(r"\A(?P<host>[^:]*):(?P<pid>[0-9]{1,20})(:(?P<mark>[0-9a-f]{32}))?")
# The owner of rows whose crawl has closed.
_NOBODY = ""


class SpooledPage(NamedTuple):
    """A response with items that wait: the identity of its request, the response as text, and its body."""

    key: str
    response: str
    body: bytes


class LeftItem(NamedTuple):
    """An item that an earlier crawl has left, as text."""

    row: int
    item: str


class Spool:
    """The items of a job in the store. Every method may raise :class:`scrapy_blockfilter.store.StoreError`.

    Args:
        job: name of the job.
        is_ours: whether no other process has this job, as with a JOBDIR.

    Attributes:
        left: key -> pages with it that earlier crawls have left, each as the rows of its items. They are ours now.
    """

    def __init__(self, store: SqliteStore, job: str, *, is_ours: bool) -> None:
        self._store = store
        self._job = job
        self._owner = f"{platform.node()}:{os.getpid()}:{_PROCESS}"
        self.left: dict[str, list[list[int]]] = {}
        pages: dict[int, list[int]] = {}
        with store.transaction() as execute:
            for row, page, key, owner in execute(
                "SELECT i.id, page_id, key, owner FROM spooled_items i JOIN spooled_pages p ON p.id = page_id "
                "WHERE job = ? ORDER BY page_id, i.id",
                (job,),
            ):
                if page not in pages:
                    if owner == self._owner or not (is_ours or _has_ended(owner)):
                        continue
                    pages[page] = []
                    self.left.setdefault(key, []).append(pages[page])
                pages[page].append(row)
            for page in pages:
                execute("UPDATE spooled_pages SET owner = ? WHERE id = ?", (self._owner, page))

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

    def claim(self, key: str) -> Sequence[LeftItem]:
        """Take the oldest page with this key from :attr:`left`, and return its items; none if there is no page.

        Their rows stay until they are removed.
        """
        rows, *others = self.left.pop(key, [[]])
        if others:
            self.left[key] = others
        return self._items(rows) if rows else []

    def unclaim(self, key: str, rows: Sequence[int]) -> None:
        """Put rows of a claimed page back into :attr:`left`."""
        self.left.setdefault(key, []).insert(0, list(rows))

    def take_left(self) -> Iterator[tuple[SpooledPage, Sequence[LeftItem]]]:
        """Take all pages from :attr:`left`, and yield each with its items, whose rows stay until they are removed."""
        for key in list(self.left):
            for rows in self.left.pop(key, []):
                with self._store.reading() as execute:
                    page = execute(
                        "SELECT key, response, body FROM spooled_pages "
                        "WHERE id = (SELECT page_id FROM spooled_items WHERE id = ?)",
                        (rows[0],),
                    ).fetchone()
                if page:
                    yield SpooledPage(*page), self._items(rows)

    def close(self) -> None:
        """Let the next crawl of the job, even in this process, have the items that this one could not give back."""
        with self._store.transaction() as execute:
            execute("UPDATE spooled_pages SET owner = ? WHERE job = ? AND owner = ?", (_NOBODY, self._job, self._owner))

    def _items(self, rows: Iterable[int]) -> Sequence[LeftItem]:
        with self._store.reading() as execute:
            found = (execute("SELECT id, item FROM spooled_items WHERE id = ?", (row,)).fetchone() for row in rows)
            return [LeftItem(*item) for item in found if item]


def _has_ended(owner: str) -> bool:
    """Return whether a crawl has closed, or its process has ended; False for processes of other machines."""
    if owner == _NOBODY:
        return True
    found = _OWNER.fullmatch(owner)
    if found is None or found["host"] != platform.node() or os.name != "posix":
        return False
    if int(found["pid"]) == os.getpid():
        return found["mark"] != _PROCESS
    try:
        os.kill(int(found["pid"]), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        pass
    return False

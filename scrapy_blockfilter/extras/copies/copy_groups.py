"""Group pages by their keys: those with the same texts, and those with much the same.

Keys are kept in a temporary file that ends with the process, and are compared where a sort has put equal parts of them
side by side. So memory is a few bytes a page, and time is that of sorting.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from scrapy_blockfilter.extras.copies.keys import NUMBERS, likeness, numbers_of
from scrapy_blockfilter.storable.hashing import hash64
from scrapy_blockfilter.text.normal_form import encodable

# Two pages are compared if their keys agree in at least one part. A part is so many numbers in a row. Pages half alike
# are compared with probability .996, pages with a likeness of .43 with .97, and of .1 with .04.
_PART = 3
_PARTS = NUMBERS // _PART
# Pages with an equal part that are like none of so many others are compared no further: their part is a common text.
_COMPARED = 16
# Kilobytes of the temporary file in memory.
_CACHE = 32_000

_TABLES = """
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    CREATE TABLE pages (id INTEGER PRIMARY KEY, site TEXT, url TEXT, content TEXT, similar TEXT);
    CREATE TABLE parts (part INTEGER, page INTEGER);
    CREATE TABLE members (copies INTEGER, page INTEGER);
"""
_GROUPS = """
    SELECT copies, MIN(page) FROM members JOIN pages ON id = page
    GROUP BY copies HAVING COUNT(DISTINCT url) > 1 AND COUNT(DISTINCT site) >= ?
    ORDER BY COUNT(DISTINCT site) DESC, COUNT(DISTINCT url) DESC, MIN(page)
"""


class Keys(NamedTuple):
    """A page by its address, or where it was read, with its keys, "" for an unknown key."""

    site: str
    url: str
    content: str
    similar: str


class Copy(NamedTuple):
    """A page of a group, with its likeness to the first one: 1 for the same text, None if that is not known."""

    site: str
    url: str
    likeness: float | None


class CopyGroups:
    """Pages, and which of them are copies, as their likeness is at least ``least``."""

    def __init__(self, least: float) -> None:
        self._least = least
        self._file = sqlite3.connect("")  # a temporary file that has no name
        self._file.executescript(_TABLES)
        self._file.execute(f"PRAGMA cache_size = -{_CACHE}")
        self._count = 0

    def close(self) -> None:
        self._file.close()

    def add(self, pages: Iterable[Keys]) -> None:
        """Take pages; raise ValueError for a malformed key."""
        for page in pages:
            self._count += 1
            self._file.execute("INSERT INTO pages VALUES (?, ?, ?, ?, ?)", (self._count, *map(encodable, page)))
            parts = [(part, self._count) for part in _parts(page.similar)]
            self._file.executemany("INSERT INTO parts VALUES (?, ?)", parts)

    def groups(self, *, across: bool = True) -> Iterator[list[Copy]]:
        """Yield the groups, those of most sites and pages first; of several sites alone if ``across``."""
        self._store_members(self._joined())
        for copies, first in self._file.execute(_GROUPS, (2 if across else 1,)):
            yield list(self._copies(copies, first))

    def _copies(self, group: int, first: int) -> Iterator[Copy]:
        of_first = self._similar(first)
        rows = self._file.execute(
            "SELECT site, url, similar, content = (SELECT content FROM pages WHERE id = ?) AND content <> ''"
            " FROM members JOIN pages ON id = page WHERE copies = ? GROUP BY url ORDER BY MIN(id)",
            (first, group),
        )
        for site, url, similar, is_same in rows:
            yield Copy(site, url, 1.0 if is_same else likeness(of_first, similar) if of_first and similar else None)

    def _joined(self) -> array[int]:
        """Return for each page another of its group, for the first of a group itself."""
        others = array("q", range(self._count + 1))
        same = "SELECT MIN(id) OVER (PARTITION BY content), id FROM pages WHERE content <> ''"
        for one, other in self._file.execute(same):
            _join(others, one, other)
        parts = self._file.execute("SELECT part, page FROM parts ORDER BY part, page")
        for _, rows in groupby(parts, lambda row: row[0]):
            self._join_alike(others, (page for _, page in rows))
        return others

    def _join_alike(self, others: array[int], pages: Iterator[int]) -> None:
        """Join the pages, which agree in a part of their keys, that are like one another."""
        different = [next(pages)]
        for page in pages:
            if any(_first(others, page) == _first(others, known) for known in different):
                continue
            own = self._similar(page)
            alike = next((one for one in different if likeness(self._similar(one), own) >= self._least), None)
            if alike is not None:
                _join(others, alike, page)
            elif len(different) < _COMPARED:
                different.append(page)

    def _similar(self, page: int) -> str:
        return str(self._file.execute("SELECT similar FROM pages WHERE id = ?", (page,)).fetchone()[0])

    def _store_members(self, others: array[int]) -> None:
        self._file.execute("DELETE FROM members")
        self._file.execute("DROP INDEX IF EXISTS by_group")
        firsts = ((_first(others, page), page) for page in range(1, self._count + 1))
        self._file.executemany("INSERT INTO members VALUES (?, ?)", firsts)
        self._file.execute("CREATE INDEX by_group ON members (copies)")


def _parts(key: str) -> list[int]:
    if not key:
        return []
    numbers = numbers_of(key).astype("<u4")
    rows = numbers[: _PARTS * _PART].reshape(_PARTS, _PART)
    return [hash64(bytes([number]) + row.tobytes()) for number, row in enumerate(rows)]


def _first(others: array[int], page: int) -> int:
    while others[page] != page:
        others[page] = others[others[page]]
        page = others[page]
    return page


def _join(others: array[int], one: int, other: int) -> None:
    low, high = sorted((_first(others, one), _first(others, other)))
    others[high] = low

"""Page records: the key, place and features of each block of a page."""

from __future__ import annotations

from array import array
from functools import partial
from typing import Any

import numpy as np

from scrapy_blockfilter.html.columns import WIDTH, PageColumns
from scrapy_blockfilter.html.page import Page, Structure
from scrapy_blockfilter.sample.record_body import MAX_BODY, pack, unpack
from scrapy_blockfilter.sample.recorded_page import RecordedPage, Rows
from scrapy_blockfilter.sample.taken_page import TakenPage


class PageRecord:
    """A page as stored. Its bytes are made when they are first asked for: most fits do without.

    Attributes:
        keys: keys of its blocks as little-endian 64-bit integers, which refer to the texts of the site.
        body: everything else, as JSON compressed with zlib.
        time: when the page was fetched, as a whole number of the caller's choice. Learning ignores it.
    """

    __slots__ = ("_body", "_keys", "_taken", "time")

    def __init__(self, keys: bytes, body: bytes, time: int = 0) -> None:
        self.time = time
        self._keys: bytes | None = keys
        self._body: bytes | None = body
        self._taken: TakenPage | None = None

    @classmethod
    def of(cls, taken: TakenPage, time: int = 0) -> PageRecord:
        """Return the record of a page.

        Raises:
            UnfitPage: the record would be too large.
        """
        record = cls.__new__(cls)
        record.time = time
        record._keys = record._body = None
        record._taken = taken
        if taken.most_json > MAX_BODY:
            record.pack()
        return record

    @property
    def keys(self) -> bytes:
        if self._keys is None:
            assert self._taken is not None
            self._keys = self._taken.keys
        return self._keys

    @property
    def body(self) -> bytes:
        if self._body is None:
            assert self._taken is not None
            self._body = pack(self._taken.body())
        return self._body

    @property
    def size(self) -> int:
        """Approximate bytes in memory."""
        packed = len(self._keys or b"") + len(self._body or b"")
        return packed + (self._taken.size if self._taken is not None else 0)

    def pack(self) -> None:
        """Make the bytes, and keep only these: a quarter of the memory or less."""
        if self._taken is not None:
            self._keys, self._body, self._taken = self.keys, self.body, None

    def block_keys(self) -> array[int]:
        return little_endian(array("q", self.keys))

    def decode(self) -> RecordedPage:
        """Return the page. Raise ValueError if this release could not have written the record."""
        if self._taken is not None:
            return self._taken.page()
        keys = self.block_keys()
        body = unpack(self.body, len(keys))
        structure = Structure(body["tags"], body["parents"])
        columns = PageColumns(
            keys=np.array(keys, np.int64),
            nodes=np.array([row[0] for row in body["blocks"]], np.int64),
            numbers=np.array(body["numbers"], np.int64).reshape(len(keys), WIDTH),
            tags=structure.tags,
            parents=structure.parents,
            slots=np.array(body["slots"], np.int64),
            tag_paths=np.array(body["tag_paths"], np.int64),
            hints=body["hints"],
        )
        return RecordedPage(structure, body["language"], columns, partial(_rows_of, body))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PageRecord):
            return NotImplemented
        if self is other:
            return True
        return (self.time, self.keys, self.body) == (other.time, other.keys, other.body)

    def replaces(self, other: PageRecord) -> bool:
        """Return whether this record of a page stays, rather than another one of it: the newest, else the smallest."""
        if self.time != other.time:
            return self.time > other.time
        return (self.keys, self.body) < (other.keys, other.body)

    def __reduce__(self) -> tuple[type[PageRecord], tuple[bytes, bytes, int]]:
        return PageRecord, (self.keys, self.body, self.time)


def _rows_of(body: dict[str, Any]) -> Rows:
    rows: Rows = body["blocks"]
    return rows


def little_endian(keys: array[int]) -> array[int]:
    """Convert integers between the machine's byte order and that of records. Swaps in place."""
    if array("H", b"\x01\x00")[0] != 1:
        keys.byteswap()
    return keys


def record_page(page: Page) -> PageRecord:
    """Return the record of a page, the same for the same page in every process.

    Raises:
        UnfitPage: the record would be too large.
    """
    return PageRecord.of(TakenPage(page))

"""The bytes of held items: their number in memory, and those on disk.

Bytes on disk are in a temporary file of this process, which is gone with the process, however that ends.
"""

from __future__ import annotations

import logging
import sqlite3
import zlib

from scrapy_blockfilter.crawl.stats import STORE_ERRORS, Stats

logger = logging.getLogger(__name__)

# Bytes of the file that SQLite keeps in memory.
_CACHE = 1_000_000
# Bytes of a row beyond its data: SQLite gives out whole pages of 4,096.
_ROW_SIZE = 2_048


class HeldBytes:
    """The bytes that held items take of ``memory`` and ``disk``, with a bounded file that the first write makes."""

    def __init__(self, most_on_disk: int, stats: Stats) -> None:
        self.memory = 0
        self.disk = 0
        self._most_on_disk = most_on_disk
        self._stats = stats
        self._file: sqlite3.Connection | None = None

    def write(self, packed: bytes) -> int | None:
        """Write packed bytes to disk, and return their row; None if there is no room, or the file has failed."""
        size = len(packed) + _ROW_SIZE
        if self.disk + size > self._most_on_disk:
            return None
        try:
            if self._file is None:
                # SQLite deletes the file of a database without a name as soon as it is open, where the system can.
                self._file = sqlite3.connect("", isolation_level=None)
                self._file.execute(f"PRAGMA cache_size = -{_CACHE // 1024}")
                self._file.execute("CREATE TABLE packed (id INTEGER PRIMARY KEY, data BLOB NOT NULL)")
            row = self._file.execute("INSERT INTO packed (data) VALUES (?)", (packed,)).lastrowid
        except sqlite3.Error as error:
            self._most_on_disk = 0
            self._stats.inc_value(STORE_ERRORS)
            message = "Held items go on early from now on when memory is short, as their temporary file has failed: %s"
            logger.error(message, error)
            return None
        self.disk += size
        return row

    def take(self, row: int) -> bytes:
        """Return the bytes of a row, unpacked, and remove the row; raise OSError for a file that cannot be read."""
        assert self._file is not None
        try:
            (packed,) = self._file.execute("SELECT data FROM packed WHERE id = ?", (row,)).fetchone()
            self._file.execute("DELETE FROM packed WHERE id = ?", (row,))
            self.disk -= len(packed) + _ROW_SIZE
            return zlib.decompress(packed)
        except (sqlite3.Error, zlib.error) as error:
            self._stats.inc_value(STORE_ERRORS)
            raise OSError(f"the temporary file of held items cannot be read: {error}") from error

    def close(self) -> None:
        """Delete the file."""
        if self._file is not None:
            self._file.close()

"""Packed pages of held items in a temporary file of this process, which is gone with the process, however that ends."""

from __future__ import annotations

import sqlite3

# Bytes of the file that SQLite keeps in memory.
_CACHE = 1_000_000
# Bytes of a row beyond its data: SQLite gives out whole pages of 4,096.
_ROW_SIZE = 2_048


class PackedFile:
    """A bounded file that is made when it is first written to. Room of what was taken is used again.

    Every method may raise :class:`sqlite3.Error`.

    Args:
        most: bytes that it may take.

    Attributes:
        size: bytes that it takes.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._connection: sqlite3.Connection | None = None
        self.size = 0

    def add(self, data: bytes) -> int | None:
        """Write data, and return their row; None if there is no room."""
        if self.size + len(data) + _ROW_SIZE > self._most:
            return None
        if self._connection is None:
            # A database without a name: a file that SQLite deletes as soon as it is open, where the system can.
            self._connection = sqlite3.connect("", isolation_level=None)
            self._connection.execute(f"PRAGMA cache_size = -{_CACHE // 1024}")
            self._connection.execute("CREATE TABLE packed (id INTEGER PRIMARY KEY, data BLOB NOT NULL)")
        row = self._connection.execute("INSERT INTO packed (data) VALUES (?)", (data,)).lastrowid
        self.size += len(data) + _ROW_SIZE
        return row

    def take(self, row: int) -> bytes:
        """Read the data of a row, and remove them."""
        assert self._connection is not None
        (data,) = self._connection.execute("SELECT data FROM packed WHERE id = ?", (row,)).fetchone()
        self._connection.execute("DELETE FROM packed WHERE id = ?", (row,))
        self.size -= len(data) + _ROW_SIZE
        return bytes(data)

    def close(self) -> None:
        """Delete the file."""
        if self._connection is not None:
            self._connection.close()

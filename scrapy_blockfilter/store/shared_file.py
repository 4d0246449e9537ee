"""Take turns on a SQLite file: the threads of a process, and the processes that share the file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock

from scrapy_blockfilter.store.errors import StoreError, explained
from scrapy_blockfilter.store.opening import immediate, nested

Execute = Callable[..., sqlite3.Cursor]

# Seconds to wait for another process's transaction, which takes milliseconds.
BUSY_TIMEOUT = 10.0
# Seconds to wait after a wait that was in vain, and a tenth of it after each further one, until one succeeds. The other
# process may then hold the file for long. The crawl stands still while it waits, and at its end it writes each site.
IMPATIENT_TIMEOUT = 0.1


class SharedFile:
    """The file of a connection, which one thread of one process at a time writes to."""

    def __init__(self, connection: sqlite3.Connection, path: Path, busy_timeout: float) -> None:
        self._lock = RLock()  # contexts of one thread may be nested
        self._connection = connection
        self._path = path
        self._busy_timeout = busy_timeout
        self._wait(busy_timeout)
        with explained(path):
            self._identity = _identity(path)
            self._opened_at = self._data_version()

    @contextmanager
    def patient(self) -> Iterator[Execute]:
        """Give the function that runs a statement. Wait for other processes, but not repeatedly for one of them."""
        with self._lock:
            try:
                with explained(self._path):
                    yield self._connection.execute
            except StoreError as error:
                if error.kind == "locked":
                    self._wait(min(IMPATIENT_TIMEOUT, self._waits / 10))
                raise
            if self._waits != self._busy_timeout:
                self._wait(self._busy_timeout)

    @contextmanager
    def writing(self) -> Iterator[Execute]:
        """Run a transaction, with the same patience and errors, if the file is still that which was opened.

        SQLite would go on writing to a deleted file, and with its journal damage another file in its place. A
        transaction inside of another is undone by itself if it fails, and written with the outer one.
        """
        with self.patient() as execute:
            is_inner = self._connection.in_transaction
            if not is_inner and _identity(self._path) != self._identity:
                raise StoreError(
                    f"{self._path} was deleted or replaced while it was in use. What is learnt from here on is not "
                    "kept; the next crawl opens what is there, or makes a new file. Let no crawl run when you move it.",
                    "gone",
                )
            with nested(self._connection) if is_inner else immediate(self._connection):
                yield execute

    def has_changed(self) -> bool:
        """Return whether others have written to the file since it was opened. Ask this inside of :meth:`patient`."""
        return self._data_version() != self._opened_at

    def _data_version(self) -> int:
        """Return a number that changes when others write."""
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        return int(version)

    def _wait(self, seconds: float) -> None:
        self._waits = seconds
        self._connection.execute(f"PRAGMA busy_timeout = {int(1000 * seconds):d}")


def _identity(path: Path) -> tuple[int, int] | None:
    """Return numbers that differ for another file at the same path."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino

"""Errors of the store: what is wrong with which file, and what to do about it."""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class StoreError(Exception):
    """Raised if the store cannot be used. The message says why and what to do."""

    def __init__(self, what: str, kind: str = "other", advice: str = "") -> None:
        super().__init__(f"{what} {advice}" if advice else what)
        self.what = what  # the message without the advice
        self.kind = kind  # a word for the cause; errors of one kind have the same remedy


# The remedy for a file that SQLite cannot read. A crawl that opens a damaged store replaces it.
_REPLACED = (
    "A crawl sets a damaged store aside, and takes over its corrections. If it is no store, set BLOCKFILTER_STORE to "
    "another path."
)


def is_begun(path: Path) -> bool:
    """Return whether a file is there and has bytes: SQLite takes an empty one for a new store. May raise StoreError."""
    with explained(path):
        return path.is_file() and path.stat().st_size > 0


def no_store(path: object, argument: str = "--store") -> str:
    """Return a message for a missing file: the commands that make it, and the argument that names another file."""
    return (
        f"There is no store {path}. A crawl with the add-on makes it, and so does `scrapy blockfilter learn PATHS`; "
        f"{argument} and BLOCKFILTER_STORE name another."
    )


def damaged(path: Path, reason: object) -> StoreError:
    """Return the error for a file that SQLite or the filter cannot read."""
    return StoreError(f"{path} is damaged or not a store ({reason}).", "damaged", _REPLACED)


def damaged_site(path: Path, site: str, reason: object) -> StoreError:
    """Return the error for rows of a site that are not what was written."""
    advice = f"`scrapy blockfilter forget {shlex.quote(site)}` removes them; the site is learnt anew then."
    return StoreError(f"{path} is damaged (the site {site!r} has {reason}). {advice}", "damaged")


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and the file system into :class:`StoreError`."""
    try:
        yield
    except sqlite3.OperationalError as error:
        message = " ".join(str(error).split())[:200]  # some quote a whole statement
        kind = next(kind for kind, (words, _) in _ADVICE.items() if any(word in message for word in words))
        raise StoreError(f"{path}: {message}.", kind, _ADVICE[kind][1]) from error
    except (sqlite3.ProgrammingError, sqlite3.NotSupportedError, sqlite3.InterfaceError) as error:
        # Python's module raises these for any content of the file, for instance if the store is closed.
        message = f"{path}: {str(error).rstrip('.')}; the file is not the cause. Please report this."
        raise StoreError(message, "misused") from error
    # SQLite raises MemoryError for a length that none of our values has. The other errors quote damaged text.
    except (sqlite3.DatabaseError, UnicodeDecodeError, MemoryError) as error:
        raise damaged(path, error) from error
    except OSError as error:
        advice = "Set BLOCKFILTER_STORE to a path that can be written."
        raise StoreError(f"{path} cannot be created: {error.strerror or error}. {advice}", "unwritable") from error


# Kind of error -> words of SQLite's message, and what to do. Any message has the last words.
_ADVICE = {
    "locked": (
        ("locked", "busy"),
        "Another process holds it; what is learnt is kept in memory and written, and corrections read, once it ends.",
    ),
    "unwritable": (
        ("readonly", "read-only"),
        "Make the file and its folder writable, or set BLOCKFILTER_STORE to a path that can be written.",
    ),
    "full": (
        ("full", "disk I/O"),
        "Make room on the disk, check that it works, or set BLOCKFILTER_STORE to a path on another disk.",
    ),
    "damaged": (("decode", "no such", "no column", "malformed"), _REPLACED),
    "other": (
        ("",),
        "Make sure that BLOCKFILTER_STORE names a file that can be read and written, in a folder that can be written.",
    ),
}

"""The rows of people's corrections. The last correction of a selector is in effect."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scrapy_blockfilter.options.selectors import MAX_SELECTOR, Corrections
from scrapy_blockfilter.store.shared_file import Execute

ACTIONS = ("keep", "drop")
# Corrections of one site. People make tens; each is looked for on every page of the site.
MAX_OF_SITE = 1_000
# Corrections read from a store. Reading 50,000 takes 0.13 s, for which a crawl waits whenever there are new ones.
MAX_CORRECTIONS = 100_000


class CorrectionRow(NamedTuple):
    """A correction as it is stored.

    Attributes:
        action: "keep" or "drop".
        made: UTC, as SQLite writes it.
        undone: the same, "" as long as it is in effect.
    """

    site: str
    action: str
    selector: str
    made: str
    undone: str


class CorrectionTable:
    """All corrections of a store, read again when another process has written."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._version = -1
        self._revision: tuple[int, int] = (0, 0)
        self._known: Mapping[str, Corrections] = {}

    def current(self) -> Mapping[str, Corrections]:
        """Return the corrections of each site that has any; the same object as long as nothing changes."""
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        if version != self._version:
            revision = self._connection.execute("SELECT count(*), count(undone) FROM corrections").fetchone()
            if revision != self._revision:
                self._known = self._read()
                self._revision = revision
            self._version = version
        return self._known

    def _read(self) -> Mapping[str, Corrections]:
        rows: dict[str, list[tuple[str, str]]] = {}
        statement = (
            "SELECT site, action, substr(selector, 1, ?) FROM corrections WHERE undone IS NULL ORDER BY id LIMIT ?"
        )
        for site, action, selector in self._connection.execute(statement, (MAX_SELECTOR + 1, MAX_CORRECTIONS)):
            rows.setdefault(site, []).append((action, selector))
        return {site: effective(of_site[-MAX_OF_SITE:]) for site, of_site in rows.items()}


def effective(rows: Iterable[tuple[str, str]]) -> Corrections:
    """Return the selectors that are in effect after a series of corrections.

    Args:
        rows: (action, selector) of each correction, the oldest first.

    >>> effective([("drop", ".a"), ("drop", ".b"), ("keep", ".a")])
    Corrections(keep=('.a',), drop=('.b',))
    """
    last = {selector: action for action, selector in rows}
    keep, drop = (tuple(selector for selector in last if last[selector] == action) for action in ACTIONS)
    return Corrections(keep, drop)


def united(rows: Iterable[CorrectionRow]) -> list[CorrectionRow]:
    """Return the rows of several stores in the order in which they were made, each once, whatever the order of stores.

    One that is undone anywhere is undone.
    """
    undone: dict[tuple[str, str, str, str], str] = {}
    for row in rows:
        undone[row[:4]] = max(row.undone, undone.get(row[:4], ""))
    return sorted((CorrectionRow(*row, when) for row, when in undone.items()), key=lambda row: (row.made, *row))


def read_rows(execute: Execute) -> list[CorrectionRow]:
    """Return all rows of a store, those undone among them."""
    rows = execute(
        "SELECT site, action, substr(selector, 1, ?), made, coalesce(undone, '') FROM corrections ORDER BY id LIMIT ?",
        (MAX_SELECTOR + 1, MAX_CORRECTIONS),
    )
    return united(CorrectionRow(*map(str, row)) for row in rows)


def write_rows(execute: Execute, rows: Iterable[CorrectionRow]) -> None:
    """Unite rows with those of a store, in the caller's transaction. Nothing is written if all are there."""
    known = read_rows(execute)
    merged = united([*known, *rows])
    if merged == known:
        return
    execute("DELETE FROM corrections")
    for site, action, selector, made, undone in merged:
        execute(
            "INSERT INTO corrections (site, action, selector, made, undone) VALUES (?, ?, ?, ?, ?)",
            (site, action, selector, made, undone or None),
        )

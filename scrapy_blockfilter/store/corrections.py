"""The corrections that people made, in the order they made them: the last word on a selector holds."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scrapy_blockfilter.model.selection import Corrections
from scrapy_blockfilter.options.converters import css_selectors

if TYPE_CHECKING:
    from scrapy_blockfilter.store.sqlite import SqliteStore

ACTIONS = ("keep", "drop")
# Characters of a selector: longer ones are not written by people.
MAX_SELECTOR = 1_000
# Of a store. To read 50,000 takes 0.13 s, which a crawl waits when there are new ones.
MAX_CORRECTIONS = 100_000


class Correction(NamedTuple):
    """One of them.

    Attributes:
        action: "keep" or "drop".
        made: UTC, as SQLite writes it.
    """

    action: str
    selector: str
    made: str


class CorrectionTable:
    """All corrections of a store, read again when another process has written."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._version = -1
        self._revision: tuple[int, int] = (0, 0)
        self._known: Mapping[str, Corrections] = {}

    def current(self) -> Mapping[str, Corrections]:
        """Those of each site that has any; the same object as long as they are the same."""
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
        return {site: effective(of_site) for site, of_site in rows.items()}


def why_unusable(selector: str) -> str:
    """Why a selector can be no correction, "" where it can."""
    if not selector.strip():
        return "it is empty"
    if len(selector) > MAX_SELECTOR:
        return f"as a selector it has more than {MAX_SELECTOR:,} characters"
    try:
        css_selectors([selector])
    except ValueError as error:
        return str(error)
    return ""


def is_correction(action: str, selector: str) -> bool:
    """Whether a row is one that :func:`add` has written."""
    return action in ACTIONS and not why_unusable(selector)


def effective(rows: Iterable[tuple[str, str]]) -> Corrections:
    """What holds after so many corrections, (action, selector) each.

    >>> effective([("drop", ".a"), ("drop", ".b"), ("keep", ".a")])
    Corrections(keep=('.a',), drop=('.b',))
    """
    last = {selector: action for action, selector in rows}
    keep, drop = (tuple(selector for selector in last if last[selector] == action) for action in ACTIONS)
    return Corrections(keep, drop)


def corrections_of(store: SqliteStore, site: str) -> list[Correction]:
    """The corrections of a site, the oldest first."""
    with store.reading() as execute:
        rows = execute(
            "SELECT action, selector, made FROM corrections WHERE site = ? AND undone IS NULL ORDER BY id", (site,)
        )
        return [Correction(*row) for row in rows]


def add(store: SqliteStore, site: str, rows: Sequence[tuple[str, str]]) -> int:
    """Add corrections, (action, selector) each, to those of a site; how many of them changed anything."""
    added = 0
    with store.transaction() as execute:
        found = execute(
            "SELECT action, selector FROM corrections WHERE site = ? AND undone IS NULL ORDER BY id", (site,)
        )
        last = {selector: action for action, selector in found}
        for action, selector in rows:
            if last.get(selector) != action:
                last[selector] = action
                execute("INSERT INTO corrections (site, action, selector) VALUES (?, ?, ?)", (site, action, selector))
                added += 1
    return added


def undo(store: SqliteStore, site: str) -> Correction | None:
    """Take the last correction of a site back; None if there is none."""
    with store.transaction() as execute:
        row = execute(
            "SELECT id, action, selector, made FROM corrections WHERE site = ? AND undone IS NULL "
            "ORDER BY id DESC LIMIT 1",
            (site,),
        ).fetchone()
        if row is None:
            return None
        execute("UPDATE corrections SET undone = CURRENT_TIMESTAMP WHERE id = ?", row[:1])
    return Correction(*row[1:])


def undo_all(store: SqliteStore, site: str) -> int:
    """Take all corrections of a site back; how many those were."""
    with store.transaction() as execute:
        return execute(
            "UPDATE corrections SET undone = CURRENT_TIMESTAMP WHERE site = ? AND undone IS NULL", (site,)
        ).rowcount

"""People's corrections of sites: edited by commands, read by crawls. The last correction of a selector is in effect."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scrapy_blockfilter.options.selector_limits import why_slow
from scrapy_blockfilter.options.selectors import Corrections, css_selectors

if TYPE_CHECKING:
    from scrapy_blockfilter.store.shared_file import Execute
    from scrapy_blockfilter.store.sqlite import SqliteStore

ACTIONS = ("keep", "drop")
# Characters of a selector. People write no longer ones.
MAX_SELECTOR = 1_000
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


class Correction(NamedTuple):
    """A correction that a person made.

    Attributes:
        action: "keep" or "drop".
        made: UTC, as SQLite writes it.
    """

    action: str
    selector: str
    made: str


def why_unusable(selector: str) -> str:
    """Return why a selector cannot be used in a correction, "" if it can."""
    if not selector.strip():
        return "it is empty"
    if len(selector) > MAX_SELECTOR:
        return f"as a selector it has more than {MAX_SELECTOR:,} characters"
    try:
        css_selectors([selector])
    except ValueError as error:
        return str(error)
    return why_slow(selector)


def is_correction(action: str, selector: str) -> bool:
    """Whether a row may come from :func:`add`."""
    return action in ACTIONS and not why_unusable(selector)


def corrections_of(store: SqliteStore, site: str) -> list[Correction]:
    """Return the corrections of a site, the oldest first."""
    with store.reading() as execute:
        return _in_effect(execute, site)


def _in_effect(execute: Execute, site: str) -> list[Correction]:
    rows = execute(
        "SELECT action, selector, made FROM corrections WHERE site = ? AND undone IS NULL ORDER BY id", (site,)
    )
    return [Correction(*row) for row in rows]


def add(store: SqliteStore, site: str, rows: Sequence[tuple[str, str]]) -> int:
    """Add corrections to a site, and return how many of them changed anything.

    Args:
        rows: (action, selector) of each correction.
    """
    with store.transaction() as execute:
        added = new_of(rows, [correction[:2] for correction in _in_effect(execute, site)])
        for action, selector in added:
            execute("INSERT INTO corrections (site, action, selector) VALUES (?, ?, ?)", (site, action, selector))
    return len(added)


def new_of(rows: Iterable[tuple[str, str]], known: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the corrections that change anything after those that are known, as (action, selector).

    >>> new_of([("drop", ".a"), ("keep", ".a"), ("keep", ".a")], known=[("drop", ".a")])
    [('keep', '.a')]
    """
    last = {selector: action for action, selector in known}
    new = []
    for action, selector in rows:
        if last.get(selector) != action:
            last[selector] = action
            new.append((action, selector))
    return new


def undo(store: SqliteStore, site: str, selector: str | None = None) -> Correction | None:
    """Undo the last correction of a site, and return it; None if there is none.

    Args:
        selector: undo the last one with this selector.
    """
    with store.transaction() as execute:
        row = execute(
            "SELECT id, action, selector, made FROM corrections "
            "WHERE site = ? AND undone IS NULL AND (? IS NULL OR selector = ?) ORDER BY id DESC LIMIT 1",
            (site, selector, selector),
        ).fetchone()
        if row is None:
            return None
        execute("UPDATE corrections SET undone = CURRENT_TIMESTAMP WHERE id = ?", row[:1])
    return Correction(*row[1:])


def undo_all(store: SqliteStore, site: str) -> int:
    """Undo all corrections of a site, and return their number."""
    with store.transaction() as execute:
        return execute(
            "UPDATE corrections SET undone = CURRENT_TIMESTAMP WHERE site = ? AND undone IS NULL", (site,)
        ).rowcount

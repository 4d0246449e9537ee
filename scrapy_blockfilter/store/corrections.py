"""People's corrections: their rows in a store, and the changes that commands make. The last one of a selector holds."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scrapy_blockfilter.options.selectors import MAX_SELECTOR, Corrections
from scrapy_blockfilter.store.shared_file import Execute

if TYPE_CHECKING:
    from scrapy_blockfilter.store.sqlite import SqliteStore

ACTIONS = ("keep", "drop")
# Corrections of one site. People make tens; each is looked for on every page of the site.
MAX_OF_SITE = 1_000
# Corrections read from a store. Reading 50,000 takes 0.13 s, for which a crawl waits whenever there are new ones.
MAX_CORRECTIONS = 100_000
# Milliseconds tell a correction from one that was undone within the same second.
_NOW = "strftime('%Y-%m-%d %H:%M:%f', 'now')"
_INSERT = f"INSERT INTO corrections (site, action, selector, made, by) VALUES (?, ?, ?, {_NOW}, ?)"  # noqa: S608


class CorrectionRow(NamedTuple):
    """A correction as it is stored."""

    site: str
    action: str  # "keep" or "drop"
    selector: str
    made: str  # UTC, as SQLite writes it
    undone: str  # the same, "" as long as it is in effect
    by: str = ""  # the teacher that made it, "" for a person


def by_site(rows: Iterable[tuple[str, ...]]) -> Mapping[str, Corrections]:
    """Return the corrections in effect of each site that has any. The oldest row comes first."""
    of_sites: dict[str, list[tuple[str, ...]]] = {}
    for site, action, selector, _, undone, by in rows:
        if not undone:
            of_sites.setdefault(site, []).append((action, selector, by))
    return {site: effective(of_site[-MAX_OF_SITE:]) for site, of_site in of_sites.items()}


def effective(rows: Iterable[tuple[str, ...]]) -> Corrections:
    """Return the selectors that are in effect after a series of corrections.

    Args:
        rows: (action, selector) of each correction, the oldest first; a third text names the teacher that made it.

    >>> effective([("drop", ".a"), ("drop", ".b", "my:teacher"), ("keep", ".a")])
    Corrections(keep=('.a',), drop=('.b',), by=(('.b', 'my:teacher'),))
    """
    last = {selector: (action, *by) for action, selector, *by in rows}
    keep, drop = (tuple(selector for selector in last if last[selector][0] == action) for action in ACTIONS)
    return Corrections(keep, drop, tuple((selector, by[0]) for selector, (_, *by) in last.items() if any(by)))


def united(rows: Iterable[CorrectionRow]) -> list[CorrectionRow]:
    """Return the rows of several stores in the order in which they were made, each once, for any order of stores."""
    found: dict[tuple[str, str, str, str], tuple[str, ...]] = {}
    for row in rows:  # a correction that is undone in one store is undone
        found[row[:4]] = tuple(map(max, row[4:], found.get(row[:4], ("", ""))))
    return sorted((CorrectionRow(*row, *more) for row, more in found.items()), key=lambda row: (row.made, *row))


def corrections_of(store: SqliteStore, site: str) -> list[CorrectionRow]:
    """Return the corrections of a site, the oldest first."""
    with store.reading() as execute:
        return [CorrectionRow(*row) for row in read_rows(execute, "WHERE site = ? AND undone IS NULL", site)]


def read_rows(execute: Execute, condition: str = "", *values: str) -> sqlite3.Cursor:
    """Return the columns of a :class:`CorrectionRow` of rows of a store, the oldest first."""
    columns = "site, action, substr(selector, 1, ?), made, coalesce(undone, ''), by"
    statement = f"SELECT {columns} FROM corrections {condition} ORDER BY id LIMIT ?"  # noqa: S608 - words of our own
    return execute(statement, (MAX_SELECTOR + 1, *values, MAX_CORRECTIONS))


def add(store: SqliteStore, site: str, rows: Sequence[tuple[str, str]], by: str = "") -> int:
    """Add corrections, as (action, selector), to a site, and return how many of them changed anything."""
    with store.transaction() as execute:
        added = new_of(rows, [(made.action, made.selector) for made in corrections_of(store, site)])
        for row in added:
            execute(_INSERT, (site, *row, by))
    return len(added)


def new_of(rows: Iterable[tuple[str, str]], known: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return those of some corrections, as (action, selector), that change anything after the known ones.

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


def undo(store: SqliteStore, site: str, selector: str | None = None) -> CorrectionRow | None:
    """Undo the last correction of a site, or of a selector there, and return it; None without any."""
    last = "WHERE site = ? AND undone IS NULL AND (? IS NULL OR selector = ?) ORDER BY id DESC LIMIT 1"
    statement = (
        f"UPDATE corrections SET undone = CURRENT_TIMESTAMP WHERE id = (SELECT id FROM corrections {last}) "  # noqa: S608
        "RETURNING site, action, selector, made, '', by"
    )
    with store.transaction() as execute:
        rows = execute(statement, (site, selector, selector)).fetchall()
    return CorrectionRow(*rows[0]) if rows else None


def undo_all(store: SqliteStore, site: str) -> int:
    """Undo all corrections of a site, and return their number."""
    statement = "UPDATE corrections SET undone = CURRENT_TIMESTAMP WHERE site = ? AND undone IS NULL"
    with store.transaction() as execute:
        return execute(statement, (site,)).rowcount

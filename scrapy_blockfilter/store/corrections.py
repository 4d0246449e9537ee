"""People's corrections of a site, as commands make them. Crawls read them as ``correction_rows``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scrapy_blockfilter.store.correction_rows import CorrectionRow
from scrapy_blockfilter.store.shared_file import Execute
from scrapy_blockfilter.store.sqlite import SqliteStore


def corrections_of(store: SqliteStore, site: str) -> list[CorrectionRow]:
    """Return the corrections of a site, the oldest first."""
    with store.reading() as execute:
        return _in_effect(execute, site)


def _in_effect(execute: Execute, site: str) -> list[CorrectionRow]:
    which = "WHERE site = ? AND undone IS NULL ORDER BY id"
    rows = execute(f"SELECT site, action, selector, made, '', by FROM corrections {which}", (site,))  # noqa: S608
    return [CorrectionRow(*row) for row in rows]


def add(store: SqliteStore, site: str, rows: Sequence[tuple[str, str]], by: str = "") -> int:
    """Add corrections to a site, and return how many of them changed anything.

    Args:
        rows: (action, selector) of each correction.
        by: the teacher that makes them in a person's place.
    """
    with store.transaction() as execute:
        added = new_of(rows, [row[1:3] for row in _in_effect(execute, site)])
        for row in added:
            execute("INSERT INTO corrections (site, action, selector, by) VALUES (?, ?, ?, ?)", (site, *row, by))
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


def undo(store: SqliteStore, site: str, selector: str | None = None) -> CorrectionRow | None:
    """Undo the last correction of a site, and return it; None if there is none.

    Args:
        selector: undo the last one with this selector.
    """
    with store.transaction() as execute:
        row = execute(
            "SELECT id, site, action, selector, made, '', by FROM corrections "
            "WHERE site = ? AND undone IS NULL AND (? IS NULL OR selector = ?) ORDER BY id DESC LIMIT 1",
            (site, selector, selector),
        ).fetchone()
        if row is None:
            return None
        execute("UPDATE corrections SET undone = CURRENT_TIMESTAMP WHERE id = ?", row[:1])
    return CorrectionRow(*row[1:])


def undo_all(store: SqliteStore, site: str) -> int:
    """Undo all corrections of a site, and return their number."""
    with store.transaction() as execute:
        return execute(
            "UPDATE corrections SET undone = CURRENT_TIMESTAMP WHERE site = ? AND undone IS NULL", (site,)
        ).rowcount

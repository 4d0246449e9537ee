"""Bound the file of a store: the sites not seen for longest make room for new ones.

A site is bounded by its sample. Its models are removed before any site is. Deleted rows leave free pages, which SQLite
fills first, so the file stays at its bound. It is not compacted: a crawl would have to stand still for that.
"""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path

logger = logging.getLogger(__name__)

# Room for some 8,000 sites of 0.25 MB with their models, or 13,000 without.
DEFAULT_MAX_BYTES = 2_000_000_000
# Sites removed at a time, so that not every new site has to look for the oldest.
_BATCH = 20
# A site of another day, or of a day to come by a clock that was wrong.
_UNTOUCHED = "id = ? AND last_seen NOT BETWEEN datetime('now', '-1 day') AND datetime('now', '+1 day')"
_USED_BYTES = (
    "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
)
_DELETE_SITES = "DELETE FROM sites WHERE id IN (SELECT id FROM sites WHERE id != ? ORDER BY last_seen, id LIMIT ?)"
_DELETE_MODELS = """
    DELETE FROM fitted_models WHERE site_id IN (
        SELECT id FROM sites WHERE id != ? AND EXISTS (SELECT 1 FROM fitted_models WHERE site_id = sites.id)
        ORDER BY last_seen, id LIMIT ?
    )
"""


class Growth:
    """The size of the file behind a connection, inside the transactions of its owner."""

    def __init__(self, connection: sqlite3.Connection, path: Path, max_bytes: int) -> None:
        self._connection = connection
        self._path = path
        self._max_bytes = max_bytes
        self._has_warned = False

    def keep_within_bounds(self, site_id: int) -> None:
        """Make room while the file is over its bound: models go first, as they can be fitted again, then sites."""
        self.drop_models(site_id)
        if self.make_room(_DELETE_SITES, site_id, _BATCH) and not self._has_warned:
            self._has_warned = True
            logger.warning(
                "%s has reached %s bytes: the sites not seen for longest make room for new ones, and are "
                "learnt anew when met again. BLOCKFILTER_STORE_MAX_BYTES sets the bound.",
                self._path,
                f"{self._max_bytes:,}",
            )

    def drop_models(self, site_id: int) -> None:
        """Remove the models of other sites, not seen for longest, while the file is over its bound."""
        self.make_room(_DELETE_MODELS, site_id, _BATCH)

    def make_room(self, statement: str, *values: int) -> bool:
        """Run a statement that deletes a few rows while the file is over its bound; return whether any were there."""
        execute = self._connection.execute
        has_deleted = False
        while execute(_USED_BYTES).fetchone()[0] > self._max_bytes and execute(statement, values).rowcount:
            has_deleted = True
        return has_deleted

    def is_due(self, site_id: int) -> bool:
        """Return whether :meth:`touch` would note anything."""
        return self._connection.execute(f"SELECT 1 FROM sites WHERE {_UNTOUCHED}", (site_id,)).fetchone() is not None  # noqa: S608

    def touch(self, site_id: int) -> None:
        """Note that a site is in use, once a day."""
        self._connection.execute(f"UPDATE sites SET last_seen = CURRENT_TIMESTAMP WHERE {_UNTOUCHED}", (site_id,))  # noqa: S608

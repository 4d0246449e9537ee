"""Store the newest pages of each site that may have lost content."""

from __future__ import annotations

import re
import sqlite3
import string
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from urllib.parse import quote

# Pages remembered per site, the newest: as many as a person looks through.
MAX_SUSPECTS = 20
# Characters of a URL: browsers and servers accept no longer ones.
MAX_URL = 2_000
# Characters of a reason: it is one sentence.
MAX_REASON = 400
_PASSWORD = re.compile(r"(?<=://)[^/?#]*@")


class Suspect(NamedTuple):
    """A page that may have lost content.

    Attributes:
        reason: see :attr:`scrapy_blockfilter.Cleaned.suspicious`.
        noted: when it was noted, UTC, as SQLite writes it; "" until it is written.
    """

    url: str
    reason: str
    noted: str = ""


def read_suspects(connection: sqlite3.Connection, site_id: int) -> list[Suspect]:
    """Return the pages of a site, the newest last."""
    columns = "substr(url, 1, ?), substr(reason, 1, ?), substr(noted, 1, 20)"
    statement = f"SELECT {columns} FROM suspicious_pages WHERE site_id = ? ORDER BY id DESC LIMIT ?"  # noqa: S608
    rows = connection.execute(statement, (MAX_URL, MAX_REASON, site_id, MAX_SUSPECTS))
    return [Suspect(*row) for row in rows][::-1]


def write_suspects(
    connection: sqlite3.Connection, site_id: int, new: Sequence[Suspect], cleared: Iterable[str]
) -> None:
    """Add pages to a site and remove others, in the caller's transaction; the oldest make room."""
    gone = [(site_id, url) for url in (*cleared, *(suspect.url for suspect in new))]
    connection.executemany("DELETE FROM suspicious_pages WHERE site_id = ? AND url = ?", gone)
    connection.executemany(
        "INSERT INTO suspicious_pages (site_id, url, reason, noted) "
        "VALUES (?, ?, ?, coalesce(nullif(?, ''), CURRENT_TIMESTAMP))",
        [(site_id, *suspect) for suspect in new],
    )
    connection.execute(
        "DELETE FROM suspicious_pages WHERE site_id = ? AND id NOT IN "
        "(SELECT id FROM suspicious_pages WHERE site_id = ? ORDER BY id DESC LIMIT ?)",
        (site_id, site_id, MAX_SUSPECTS),
    )


def plain_url(url: str) -> str:
    """Return a URL that is safe to show and store: printable ASCII, bounded, without user name and password.

    >>> plain_url("http://me:secret@a.example/a b\\n?q=é")
    'http://a.example/a%20b%0A?q=%C3%A9'
    """
    return quote(_PASSWORD.sub("", url[:MAX_URL]), safe=string.punctuation, errors="replace")[:MAX_URL]

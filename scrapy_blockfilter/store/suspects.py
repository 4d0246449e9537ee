"""Pages of a site that may have lost content: the newest are remembered."""

from __future__ import annotations

import re
import string
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
    """A page that may have lost content: see :attr:`scrapy_blockfilter.Cleaned.suspicious`."""

    url: str
    reason: str
    noted: str = ""  # UTC, as SQLite writes it; "" until it is written


def plain_url(url: str) -> str:
    """Return a URL that is safe to show and store: printable ASCII, bounded, without user name and password.

    >>> plain_url("http://me:secret@a.example/a b\\n?q=é")
    'http://a.example/a%20b%0A?q=%C3%A9'
    """
    return quote(_PASSWORD.sub("", url[:MAX_URL]), safe=string.punctuation, errors="replace")[:MAX_URL]

"""A page or item that was crawled earlier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

# Bytes of a line or file: more than a page of BLOCKFILTER_MAX_CHARACTERS takes with JSON escapes.
MAX_BYTES = 64 * 2**20


class Record(NamedTuple):
    """One page or item that was crawled earlier.

    Attributes:
        place: file and number, from 1, for people.
        error: why it could not be read, else "".
        url: of the page. Items have theirs in a field.
        folder: the site that the folder of an HTML file names.
        html: the page, from files and archives.
        item: the fields, from feeds.
    """

    place: str
    error: str = ""
    url: str | None = None
    folder: str = ""
    html: str | bytes | None = None
    item: Mapping[str, Any] | None = None

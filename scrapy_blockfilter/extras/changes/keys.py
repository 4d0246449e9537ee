"""Keys of what a page says: of its kept text, of each chunk, and of each line. They are the same in every process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scrapy_blockfilter.extras.changes.memory import Shown
from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.storable.hashing import hash32, hash64

# Bytes from which a text without a figure is more than a value, and says the same wherever a site puts it.
_LONG = 30


def text_key(cleaned: Cleaned) -> int:
    """Return a hash of the kept text. White space, markup and addresses of links do not count; all else does."""
    return hash64(_plain(cleaned.text))


def chunk_key(chunk: Mapping[str, Any]) -> int:
    """Return a hash of a chunk, by its text and the headings around it, wherever it stands on whichever page.

    >>> chunk_key({"text": "To rent", "headings": ["Boats"]}) == chunk_key({"text": "To  rent", "headings": ["Boats"]})
    True
    """
    return hash64(_plain("\0".join([*chunk["headings"], chunk["text"]])))


def line_keys(cleaned: Cleaned) -> tuple[list[int], list[int]]:
    """Return hashes of the blocks that stay, in their order, and of those that go, each by its text.

    A short text or one with a figure counts as another line under another tag path: a price in a list of related
    products is none of the product's own.
    """
    lines: tuple[list[int], list[int]] = [], []
    page = cleaned.page
    if page is not None:
        for node, text, keep in zip(page.nodes.tolist(), page.texts, cleaned.keep, strict=True):
            if text and page.tags[node] != "title":
                plain = _plain(text)
                has_place = len(plain) < _LONG or any(map(str.isdigit, text))
                lines[not keep].append(hash32(b"%d %b" % (page.tag_paths[node], plain) if has_place else plain))
    return lines


def shown_of(cleaned: Cleaned) -> Shown:
    """Return what a page shows in one item."""
    kept, gone = line_keys(cleaned)
    chunks = frozenset(map(chunk_key, cleaned.chunks))
    return Shown(frozenset([text_key(cleaned)]), chunks, tuple(kept), frozenset(gone))


def _plain(text: str) -> bytes:
    return " ".join(text.split()).encode("utf-8", "surrogatepass")

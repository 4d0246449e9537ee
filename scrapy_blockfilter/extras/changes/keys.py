"""Keys of what a clean page says: of its text, each chunk, and each line. Keys are the same in every process.

No key of a stripped line is remembered: a comment of a reader could hide then that the publisher says the same words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.extras.changes.memory import MOST_CHUNKS, MOST_LINES, Shown
from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.storable.hashing import hash64


def text_key(cleaned: Cleaned) -> int:
    """Return a hash of the kept text. White space, addresses of links and markup beside it do not count."""
    return hash64(_plain(cleaned.text))


def chunk_key(chunk: Mapping[str, Any]) -> int:
    """Return a hash of a chunk, by its text and the headings around it, wherever it stands on whichever page.

    >>> chunk_key({"text": "To rent", "headings": ["Boats"]}) == chunk_key({"text": "To  rent", "headings": ["Boats"]})
    True
    """
    return hash64(_plain("\0".join([*chunk["headings"], chunk["text"]])))


def shown_of(cleaned: Cleaned) -> Shown:
    """Return what a page shows in one item."""
    lines = cleaned.lines
    keys = [_line_key(slot, line) for slot, line in lines] if len(lines) <= MOST_LINES else []
    chunks = sorted(map(chunk_key, cleaned.chunks))
    return Shown(frozenset([text_key(cleaned)]), tuple(chunks[:MOST_CHUNKS]), tuple(keys))


def stripped_lines(cleaned: Cleaned) -> npt.NDArray[np.uint64]:
    """Return the keys of the lines that cleaning removed, as numbers from 0 on."""
    slots = cleaned.page.slots if cleaned.page else ()
    keys = [_line_key(int(slots[block.node]), block.text) for block in cleaned.stripped[:MOST_LINES]]
    return np.array(keys, np.int64).view(np.uint64)


def chunks_beyond(known: Sequence[int], cleaned: Cleaned) -> list[dict[str, Any]]:
    """Return the chunks of a page that are not known, or that it has more often than they are."""
    left, beyond = Counter(known), []
    for chunk in cleaned.chunks:
        left[key := chunk_key(chunk)] -= 1
        if left[key] < 0:
            beyond.append(chunk)
    return beyond


def _line_key(slot: int, line: str) -> int:
    return hash64(b"%d %b" % (slot, _plain(line)))


def _plain(text: str) -> bytes:
    return " ".join(text.split()).encode("utf-8", "surrogatepass")

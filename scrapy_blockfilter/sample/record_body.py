"""Pack the body of a page record, all but its keys, to compressed JSON, and check it on reading.

A record may come from a damaged store, or from one that someone else made. Because fitting uses its numbers as indices,
a body of any other form than the one written here raises ValueError.
"""

from __future__ import annotations

import json
import zlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scrapy_blockfilter.html.columns import WIDTH
from scrapy_blockfilter.html.limits import UnfitPage

# Blocks recorded per page. The longest of 3,000 real pages had 1,900.
MAX_BLOCKS = 2_000
# Bytes of JSON. Of 1,267 real pages, the largest had 437,000 and the median 40,000. A page of 7.3 million characters of
# text had 8.8 MB.
MAX_BODY = 4 * 1024 * 1024
# The largest count: BLOCKFILTER_MAX_CHARACTERS allows no more characters.
_MOST = 1_000_000_000
# Characters of a language tag.
_MAX_LANGUAGE = 64
# Fields of a block in the record (node, characters, link characters, counts, terms), and number of counts.
_BLOCK, _COUNTS = 5, 4


def pack(body: Mapping[str, Any]) -> bytes:
    """Return a body as bytes, the same for the same body in every process.

    Raises:
        UnfitPage: the JSON is larger than ``MAX_BODY``.
    """
    # The body is built here and holds no cycle; looking for one takes a tenth of the time.
    data = json.dumps(body, separators=(",", ":"), check_circular=False).encode()
    if len(data) > MAX_BODY:
        raise UnfitPage("record_too_large", f"its record would have {len(data):,} bytes, more than {MAX_BODY:,}")
    return zlib.compress(data, 1)


def unpack(data: bytes, blocks: int) -> dict[str, Any]:
    """Return the body of a page with this many blocks. Never inflates more than ``MAX_BODY`` bytes.

    Raises:
        ValueError: the bytes are not the body of such a page.
    """
    try:
        body = json.loads(_inflate(data))
        _check(body, blocks)
    except (TypeError, KeyError, AttributeError, IndexError, OverflowError, RecursionError, zlib.error) as error:
        raise ValueError(f"not a page record: {error}") from error
    return body  # type: ignore[no-any-return]


def _inflate(data: bytes) -> bytes:
    """Decompress at most ``MAX_BODY`` bytes."""
    inflating = zlib.decompressobj()
    inflated = inflating.decompress(data, MAX_BODY)
    if not inflating.eof or inflating.unused_data:
        raise ValueError(f"the record is cut off, has trailing data, or has more than {MAX_BODY:,} bytes")
    return inflated


def _check(body: Mapping[str, Any], blocks: int) -> None:
    tags, parents = body["tags"], body["parents"]
    nodes = len(tags)
    _require(blocks <= MAX_BLOCKS and nodes > 0)
    _require(isinstance(body["language"], str) and len(body["language"]) <= _MAX_LANGUAGE)
    _require(isinstance(tags, list) and all(isinstance(tag, str) for tag in tags))
    _require(len(parents) == nodes and _integers(parents)[0] == -1)
    _require(all(0 <= parent < node for node, parent in enumerate(parents) if node))
    for column in (body["slots"], body["tag_paths"]):
        _require(len(_integers(column)) == nodes)
    hints = _integers(body["hints"])
    _require(len(hints) == nodes and min(hints) >= 0 and max(hints) < 1 << 32)
    _check_blocks(body, blocks, nodes)


def _check_blocks(body: Mapping[str, Any], blocks: int, nodes: int) -> None:
    rows, numbers = body["blocks"], body["numbers"]
    _require(isinstance(rows, list) and isinstance(numbers, list) and len(rows) == len(numbers) == blocks)
    _require(all(isinstance(row, list) and len(row) == _BLOCK for row in rows))
    _require(all(isinstance(row[3], list) and len(row[3]) == _COUNTS and isinstance(row[4], list) for row in rows))
    _require(all(isinstance(row, list) and len(row) == WIDTH for row in numbers))
    if blocks:
        _require(_within([row[0] for row in rows], nodes - 1))
        counts = [number for row in rows for number in (row[1], row[2], *row[3])]
        _require(_within(counts, _MOST) and _within(_flat(numbers), _MOST))
        _integers(_flat([row[4] for row in rows]))


def _flat(lists: Iterable[Sequence[int]]) -> list[int]:
    return [number for numbers in lists for number in numbers]


def _within(numbers: Sequence[int], most: int) -> bool:
    checked = _integers(numbers)
    return min(checked) >= 0 and max(checked) <= most


def _integers(numbers: Sequence[int]) -> array[int]:
    """Return the numbers as an array. Raise TypeError if any is no whole number, OverflowError beyond 64 bits."""
    if not isinstance(numbers, list):
        raise TypeError("no list")
    return array("q", numbers)


def _require(is_so: bool) -> None:
    if not is_so:
        raise ValueError("not a page record: its parts do not fit each other")

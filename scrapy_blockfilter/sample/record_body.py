"""What a record holds of a page beside its keys, as bytes: JSON, compressed; bounded and checked when it is read again.

A record may come from a store that someone else has made or that a disk has damaged. What is read is either of the form
that is written here, or a ValueError: fitting a model indexes arrays by its numbers.
"""

from __future__ import annotations

import json
import zlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scrapy_blockfilter.html.columns import WIDTH
from scrapy_blockfilter.html.limits import UnfitPage

# Blocks of a page that are remembered. Of 3,000 real pages the longest had 1,900.
MAX_BLOCKS = 2_000
# Bytes of JSON. Of 1,267 real pages the largest had 437,000, the median 40,000; 7.3 million characters of text in one
# page had 8.8 MB.
MAX_BODY = 4 * 1024 * 1024
# Of whatever is counted: characters, of which BLOCKFILTER_MAX_CHARACTERS allows no more.
_MOST = 1_000_000_000
# Letters of a language tag.
_MAX_LANGUAGE = 64
# A block in the record: node, characters, those in links, counts, terms.
_BLOCK, _COUNTS = 5, 4


def pack(body: Mapping[str, Any]) -> bytes:
    """The bytes of a body, the same for the same body in every process.

    Raises:
        UnfitPage: it is larger than ``MAX_BODY``.
    """
    data = json.dumps(body, separators=(",", ":")).encode()
    if len(data) > MAX_BODY:
        raise UnfitPage("record_too_large", f"its record would have {len(data):,} bytes, more than {MAX_BODY:,}")
    return zlib.compress(data, 1)


def unpack(data: bytes, blocks: int) -> dict[str, Any]:
    """The body of a page of so many blocks. Takes no more memory than a body of ``MAX_BODY`` bytes needs.

    Raises:
        ValueError: the bytes are none that :func:`pack` made for a page.
    """
    try:
        body = json.loads(_inflate(data))
        _check(body, blocks)
    except (TypeError, KeyError, AttributeError, IndexError, OverflowError, RecursionError, zlib.error) as error:
        raise ValueError(f"no record of a page: {error}") from error
    return body  # type: ignore[no-any-return]


def _inflate(data: bytes) -> bytes:
    """At most ``MAX_BODY`` bytes, however many there would be."""
    inflating = zlib.decompressobj()
    inflated = inflating.decompress(data, MAX_BODY)
    if not inflating.eof or inflating.unused_data:
        raise ValueError(f"a record that is cut off, has something behind it, or has more than {MAX_BODY:,} bytes")
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
    """TypeError for what is no whole number, not-a-number and infinity among them; OverflowError beyond 64 bits."""
    if not isinstance(numbers, list):
        raise TypeError("no list")
    return array("q", numbers)


def _require(is_so: bool) -> None:
    if not is_so:
        raise ValueError("no record of a page: its parts do not fit each other")

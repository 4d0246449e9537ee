"""Page records: a page as stored, its keys and the rest as compressed JSON.

A record may come from a damaged store, or from one that someone else made. Because fitting uses its numbers as indices,
a body of any other form than the one written here raises ValueError.
"""

from __future__ import annotations

import json
import zlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.columns import CHARS, CONTROLS, IMAGES, LINK_CHARS, LINKS, WIDTH
from scrapy_blockfilter.html.page import Page

# Blocks recorded per page. The longest of 3,000 real pages had 1,900.
MAX_BLOCKS = 2_000
# Bytes of JSON. Of 1,267 real pages, the largest had 437,000 and the median 40,000. A page of 7.3 million characters of
# text had 8.8 MB.
MAX_BODY = 4 * 1024 * 1024
# The largest count: BLOCKFILTER_MAX_CHARACTERS allows no more characters.
_MOST = 1_000_000_000
# Characters of a language tag.
_MAX_LANGUAGE = 64
# Most bytes of JSON for an element of the page, besides its tag (parent, two hashes, hints); for a block (numbers of up
# to ten digits); and for a character: it may make a term of ten digits, or be escaped in twelve bytes in a tag.
_OF_NODE, _OF_BLOCK, _OF_CHARACTER = 80, 280, 12
# Bytes in memory of a block's objects and of an element's, besides arrays.
_BLOCK_IN_MEMORY, _NODE_IN_MEMORY = 120, 24
# Fields of a block in the record (node, characters, link characters, counts, terms), and number of counts.
_BLOCK, _COUNTS = 5, 4


class PageRecord:
    """A page as stored. Its bytes are made when they are first asked for.

    Stemming words and writing JSON take half the time of taking a page in. A fit by the default method needs neither,
    so both wait until the record is stored, or a method asks for terms.

    Attributes:
        keys: keys of its blocks as little-endian 64-bit integers, which refer to the texts of the site.
        body: everything else, as JSON compressed with zlib.
        time: when the page was fetched, as a whole number of the caller's choice. Learning ignores it.
    """

    __slots__ = ("_body", "_keys", "_page", "time")

    def __init__(self, keys: bytes, body: bytes, time: int = 0) -> None:
        self.time = time
        self._keys: bytes | None = keys
        self._body: bytes | None = body
        self._page: Page | None = None

    @classmethod
    def of(cls, page: Page, time: int = 0) -> PageRecord:
        """Return the record of a page, the same for the same page in every process.

        Raises:
            UnfitPage: the record would be too large.
        """
        record = cls.__new__(cls)
        record.time = time
        record._keys = record._body = None
        record._page = page.remembered(MAX_BLOCKS)
        if _most_json(record._page) > MAX_BODY:
            record.pack()
        return record

    @property
    def keys(self) -> bytes:
        if self._keys is None:
            assert self._page is not None
            self._keys = self._page.keys.astype("<i8").tobytes()
        return self._keys

    @property
    def body(self) -> bytes:
        if self._body is None:
            assert self._page is not None
            self._body = pack(_body_of(self._page))
        return self._body

    @property
    def size(self) -> int:
        """Approximate bytes in memory."""
        packed = len(self._keys or b"") + len(self._body or b"")
        return packed + (_size_of(self._page) if self._page is not None else 0)

    def pack(self) -> None:
        """Make the bytes, and keep only these: a quarter of the memory or less."""
        if self._page is not None:
            self._keys, self._body, self._page = self.keys, self.body, None

    def block_keys(self) -> array[int]:
        return little_endian(array("q", self.keys))

    def decode(self) -> Page:
        """Return the page. Raise ValueError if this release could not have written the record.

        It is a new object each time, so that features remembered for it go with it.
        """
        if self._page is None:
            return _page_of(self.block_keys(), self.body)
        page = replace(self._page)
        page.terms = self._page.terms
        return page

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PageRecord):
            return NotImplemented
        if self is other:
            return True
        return (self.time, self.keys, self.body) == (other.time, other.keys, other.body)

    def replaces(self, other: PageRecord) -> bool:
        """Return whether this record of a page stays, rather than another one of it: the newest, else the smallest."""
        if self.time != other.time:
            return self.time > other.time
        return (self.keys, self.body) < (other.keys, other.body)

    def __reduce__(self) -> tuple[type[PageRecord], tuple[bytes, bytes, int]]:
        return PageRecord, (self.keys, self.body, self.time)


def little_endian(keys: array[int]) -> array[int]:
    """Convert integers between the machine's byte order and that of records. Swaps in place."""
    if array("H", b"\x01\x00")[0] != 1:
        keys.byteswap()
    return keys


def _most_json(page: Page) -> int:
    """Return a number of bytes that the body of a page cannot exceed as JSON."""
    blocks, nodes = len(page.keys), len(page.tags)
    characters = _characters_of(page) + sum(map(len, page.tags)) + len(page.language)
    return _OF_NODE * nodes + _OF_BLOCK * blocks + _OF_CHARACTER * characters + 1_000


def _size_of(page: Page) -> int:
    """Return the approximate bytes in memory of a page without a tree."""
    arrays = page.keys, page.nodes, page.numbers, page.slots, page.tag_paths
    objects = _BLOCK_IN_MEMORY * len(page.keys) + _NODE_IN_MEMORY * len(page.tags)
    return sum(array.nbytes for array in arrays) + _characters_of(page) + objects


def _characters_of(page: Page) -> int:
    """Return the number of characters of a page's texts and words of images, with a space before each image."""
    images = sum(len(words) + 1 for of_block in page.images.values() for words in of_block)
    return sum(map(len, page.texts)) + images


def _body_of(page: Page) -> dict[str, Any]:
    """Return all that the record of a page holds besides the keys."""
    page.prepare_terms(range(len(page.keys)))
    numbers = page.numbers
    chars, link_chars, images, links, controls = (
        numbers[:, column].tolist() for column in (CHARS, LINK_CHARS, IMAGES, LINKS, CONTROLS)
    )
    counts = zip(images, links, page.scripts, controls, strict=True)
    terms = map(page.terms.__getitem__, range(len(page.keys)))
    return {
        "language": page.language,
        "tags": page.tags,
        "parents": list(page.parents),
        "slots": page.slots.tolist(),
        "tag_paths": page.tag_paths.tolist(),
        "hints": list(page.hints),
        "numbers": numbers.tolist(),
        "blocks": list(zip(page.nodes.tolist(), chars, link_chars, counts, terms, strict=True)),
    }


def _page_of(keys: array[int], packed: bytes) -> Page:
    body = unpack(packed, len(keys))
    blocks = body["blocks"]
    page = Page(
        keys=np.array(keys, np.int64),
        nodes=np.array([node for node, *_ in blocks], np.int64),
        numbers=np.array(body["numbers"], np.int64).reshape(len(keys), WIDTH),
        tags=tuple(body["tags"]),
        parents=array("q", body["parents"]),
        slots=np.array(body["slots"], np.int64),
        tag_paths=np.array(body["tag_paths"], np.int64),
        hints=array("q", body["hints"]),
        scripts=[scripts for _, _, _, (_, _, scripts, _), _ in blocks],
        declared_language=body["language"],
    )
    page.terms = {block: terms for block, (*_, terms) in enumerate(blocks)}
    return page


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

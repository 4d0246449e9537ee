"""Page records: a page as stored, its keys and the rest as compressed arrays.

A record holds the texts of its blocks, for people to read, and for methods that count terms. Records may come from a
damaged store, or from a store that someone else made. Because fitting uses their numbers as indices, a body of another
form than that written here raises ValueError.
"""

from __future__ import annotations

import zlib
from array import array
from dataclasses import replace
from itertools import accumulate, chain
from struct import Struct

import numpy as np

from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.columns import WIDTH, Integers
from scrapy_blockfilter.html.page import Page, PageCaches

# Blocks recorded per page. The longest of 3,000 real pages had 1,900.
MAX_BLOCKS = 2_000
# Bytes of a body before they are compressed. The median of 600 real pages had 30,000.
MAX_BODY = 4 * 1024 * 1024
# The largest count: BLOCKFILTER_MAX_CHARACTERS allows no more characters.
_MOST = 1_000_000_000
# Characters of a language tag.
MAX_LANGUAGE = 64
# Numbers of elements, and of bytes of their names and of the texts.
_HEAD = Struct("<III")
# Bytes of a body are at most this many times those of the page in memory: a character takes no more.
_MOST_OF_MEMORY = 4
# Bytes in memory of a block's objects and of an element's, besides arrays.
_BLOCK_IN_MEMORY, _NODE_IN_MEMORY = 120, 24
# Separates names, and texts: no text of a page can hold this character.
_BETWEEN = "\0"


class PageRecord:
    """A page as stored. Its bytes are made when they are first asked for.

    Making them takes a tenth of the time of taking a page in. A fit of pages that nobody stores is spared that.

    Attributes:
        keys: keys of its blocks as little-endian 64-bit integers.
        body: everything else, compressed with zlib.
        time: when the page was fetched, as a whole number of the caller's choice. Learning ignores it.
    """

    __slots__ = ("_body", "_keys", "_page", "time")

    def __init__(self, keys: bytes | None, body: bytes | None, time: int = 0, page: Page | None = None) -> None:
        self.time = time
        self._keys = keys
        self._body = body
        self._page = page

    @classmethod
    def of(cls, page: Page, time: int = 0) -> PageRecord:
        """Return the record of a page, the same for the same page in every process.

        Raises:
            UnfitPage: the record would be too large.
        """
        record = cls(None, None, time, page.remembered(MAX_BLOCKS))
        if _MOST_OF_MEMORY * record.size > MAX_BODY:
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
            self._body = zlib.compress(_body_of(self._page), 1)
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

    def block_keys(self) -> Integers:
        return np.frombuffer(self.keys, "<i8").astype(np.int64)

    def decode(self, known: PageCaches | None = None) -> Page:
        """Return the page. Raise ValueError if this release could not have written the record.

        The page is a new object each time, so that features remembered for it go with it.

        Args:
            known: caches of words, for methods that want terms.
        """
        if self._page is None:
            page = _page_of(self.block_keys(), self.body)
            page.known = known
        else:
            page = replace(self._page)
            page.terms = self._page.terms
        page.language = page.declared_language  # guessed once, of the texts without the words of images
        return page

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PageRecord):
            return NotImplemented
        return self is other or (self.time, self.keys, self.body) == (other.time, other.keys, other.body)

    def replaces(self, other: PageRecord) -> bool:
        """Return whether this record of a page stays, rather than another one of it: the newest, else the smallest."""
        if self.time != other.time:
            return self.time > other.time
        return (self.keys, self.body) < (other.keys, other.body)

    def __reduce__(self) -> tuple[type[PageRecord], tuple[bytes, bytes, int]]:
        return PageRecord, (self.keys, self.body, self.time)


def _size_of(page: Page) -> int:
    """Return the approximate bytes in memory of a page without a tree."""
    arrays = page.keys, page.nodes, page.numbers, page.slots, page.tag_paths
    objects = _BLOCK_IN_MEMORY * len(page.keys) + _NODE_IN_MEMORY * len(page.tags)
    lengths = list(map(len, chain(page.texts, page.tags, *page.images.values())))
    return sum(array.nbytes for array in arrays) + sum(lengths) + len(lengths) + objects


def _body_of(page: Page) -> bytes:
    """Return all that the record of a page holds besides the keys, the same in every process."""
    parents = np.array(page.parents, np.int64) + 1
    scripts = np.array(page.scripts, np.int64)
    columns = [parents, np.array(page.hints, np.int64), page.nodes, scripts, page.numbers.T.ravel()]
    integers = np.concatenate(columns).astype("<u4")
    # The first bytes of all numbers, then the second ones: most of the latter are 0, and take next to nothing.
    planes = integers.view(np.uint8).reshape(-1, 4).T
    hashes = np.concatenate([page.slots, page.tag_paths]).astype("<i8")
    names = _BETWEEN.join([page.language, *page.tags]).encode()
    texts = _BETWEEN.join(map(page.words_of, range(len(page.keys)))).encode("utf-8", "replace")
    head = _HEAD.pack(len(page.tags), len(names), len(texts))
    body = b"".join((head, planes.tobytes(), hashes.tobytes(), names, texts))
    if len(body) > MAX_BODY:
        raise UnfitPage("record_too_large", f"its record would have {len(body):,} bytes, more than {MAX_BODY:,}")
    return body


def _page_of(keys: Integers, packed: bytes) -> Page:
    body, blocks = _inflate(packed), len(keys)
    _require(blocks <= MAX_BLOCKS and len(body) >= _HEAD.size)
    nodes, of_names, of_texts = _HEAD.unpack_from(body)
    counts = (nodes, nodes, blocks, blocks, WIDTH * blocks)
    sizes = (_HEAD.size, 4 * sum(counts), 16 * nodes, of_names, of_texts)
    _require(nodes > 0 and sum(sizes) == len(body))
    start, hashed, named, said, end = accumulate(sizes)
    integers = np.frombuffer(body, np.uint8, hashed - start, start).reshape(4, -1).T.copy().view("<u4").ravel()
    parents, hints, of_blocks, scripts, numbers = np.split(integers.astype(np.int64), list(accumulate(counts[:-1])))
    slots, tag_paths = np.frombuffer(body, "<i8", 2 * nodes, hashed).astype(np.int64).reshape(2, -1)
    language, *tags = body[named:said].decode().split(_BETWEEN)
    texts = body[said:end].decode().split(_BETWEEN) if blocks else []
    _check(parents, of_blocks, scripts, numbers)
    _require(len(tags) == nodes and len(texts) == blocks and len(language) <= MAX_LANGUAGE)
    return Page(
        keys=keys,
        nodes=of_blocks,
        numbers=np.ascontiguousarray(numbers.reshape(WIDTH, blocks).T),
        tags=tuple(tags),
        parents=array("q", (parents - 1).tobytes()),
        slots=slots,
        tag_paths=tag_paths,
        hints=array("q", hints.tobytes()),
        scripts=scripts.tolist(),
        texts=texts,
        declared_language=language,
    )


def _check(parents: Integers, of_blocks: Integers, *counts: Integers) -> None:
    """Check that parents, one more than their place, come before their children, and that numbers are in range."""
    _require(parents[0] == 0 and (parents[1:] > 0).all() and (parents[1:] <= np.arange(1, len(parents))).all())
    _require(not len(of_blocks) or of_blocks.max() < len(parents))
    _require(all(not len(numbers) or numbers.max() <= _MOST for numbers in counts))


def _inflate(data: bytes) -> bytes:
    """Decompress at most ``MAX_BODY`` bytes."""
    inflating = zlib.decompressobj()
    try:
        inflated = inflating.decompress(data, MAX_BODY)
    except zlib.error as error:
        raise ValueError(f"not a page record: {error}") from error
    if not inflating.eof or inflating.unused_data:
        raise ValueError(f"the record is cut off, has trailing data, or has more than {MAX_BODY:,} bytes")
    return inflated


def _require(is_so: object) -> None:
    if not is_so:
        raise ValueError("not a page record: its parts do not fit each other")

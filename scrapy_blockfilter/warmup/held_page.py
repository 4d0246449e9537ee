"""The page of held items. Its body, its headers and long texts of its items can be packed, in memory or on disk.

Items stay the objects that they are. Texts are taken out of items that nobody else has, and put back.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple
from weakref import ref

from itemadapter import ItemAdapter
from scrapy import Item
from scrapy.http import Response, TextResponse

from scrapy_blockfilter.warmup.held_bytes import Blocks, HeldBytes
from scrapy_blockfilter.warmup.item_json import dump, load

# Characters of a text that is packed: the note of its place takes as much as a shorter one.
_LONG = 500
# Bytes of a header beside others.
HEADER_SIZE = 240
# Bytes that a page loses at the least to be packed: our notes on it take 300.
_WORTHWHILE = 2_000
# Level 1 packs HTML to a quarter in .6 ms a page of 80 KB. Level 6 takes twice as long for a seventh less.
_LEVEL = 1


class HeldItem(NamedTuple):
    """An item that waits, with its row in the spool; None if it is not spooled."""

    item: Any
    page: HeldPage
    row: int | None = None


class _Place(NamedTuple):
    """The place of a text, in an item or a list, and its number of packed bytes; None for the page's own text."""

    holder: Any
    name: Any
    length: int | None


class HeldPage:
    """A response and its items that wait or are on their way.

    Attributes:
        response: a copy of the callback's response, which shares the body but not the tree.
        items: its items, until they go on.
        size: bytes of memory that they take, about.
    """

    __slots__ = ("_bytes", "_freed", "_left", "_lengths", "_packed", "_places", "_source", "items", "response", "size")

    def __init__(self, response: Response, held_bytes: HeldBytes) -> None:
        # The callback's response holds the page's tree, which must go when the callback is done.
        self._source = ref(response)
        self.response = response.replace()
        self.items: list[HeldItem] = []
        self.size = 0
        self._left = 0
        self._bytes = held_bytes
        self._packed: bytes | Blocks | None = None
        self._places: list[_Place] = []
        self._lengths = (0, 0)
        self._freed = 0

    def add(self, item: Any, size: int, row: int | None) -> HeldItem:
        """Hold an item."""
        held = HeldItem(item, self, row)
        self.items.append(held)
        self._left += 1
        self._grow(size)
        return held

    def done(self) -> None:
        """Note that one of the items is done. With the last, the page takes no memory any more."""
        self._left -= 1
        if not self._left:
            self._grow(-self.size)

    def is_of(self, response: Response) -> bool:
        """Return whether a callback's response is this page, and further items of it can be added."""
        return self._packed is None and self._source() is response

    @property
    def is_in_use(self) -> bool:
        """Whether somebody else has one of the items, such as a callback that goes on."""
        return any(_references(held) > _ALONE for held in self.items)

    def pack(self) -> set[int]:
        """Pack body, headers and long texts; return the ids of objects that go, none if the page stays as it is."""
        response, body = self.response, self.response.body
        texts = list(self._long_texts())
        freed = {id(part): sys.getsizeof(part) for part in (body, *(text for _, _, text in texts))}
        if sum(freed.values()) < _WORTHWHILE:
            return set()
        head = dump([(name, list(values)) for name, values in response.headers.items()]).encode()
        parts = [head, body]
        page_text = response.text if isinstance(response, TextResponse) else None
        places = []
        for holder, name, text in texts:
            part = b"" if text == page_text else text.encode("utf-8", "surrogatepass")
            places.append(_Place(holder, name, None if text == page_text else len(part)))
            parts.append(part)
        packed = zlib.compress(b"".join(parts), _LEVEL)
        if not _are_emptied(texts):
            return set()
        self._places = places
        self._lengths = len(head), len(body)
        self._freed = sum(freed.values()) + HEADER_SIZE * len(response.headers)
        self.response = response.replace(headers={}, body=b"")
        self._hold(packed)
        self._grow(-self._freed)
        return set(freed)

    def write(self) -> bool:
        """Move the packed bytes to disk, and return whether there is room for them."""
        blocks = self._bytes.write(self._packed) if isinstance(self._packed, bytes) else None
        if blocks is not None:
            self._hold(blocks)
        return blocks is not None

    def unpack(self) -> None:
        """Put body, headers and texts back in their places; raise OSError if the file on disk cannot be read."""
        self.items = []  # they hold the page, which would stay until the next collection
        if self._packed is None:
            return
        packed = self._packed
        rest = memoryview(zlib.decompress(packed) if isinstance(packed, bytes) else self._bytes.take(packed))
        head, body = self._lengths
        self.response = self.response.replace(headers=load(str(rest[:head], "utf-8")), body=bytes(rest[head:][:body]))
        rest = rest[head + body :]
        for holder, name, length in self._places:
            if length is None:
                assert isinstance(self.response, TextResponse)
                _put(holder, name, self.response.text)
            else:
                _put(holder, name, str(rest[:length], "utf-8", "surrogatepass"))
                rest = rest[length:]
        self._hold(None)
        self._places = []
        self._grow(self._freed)

    def _hold(self, packed: bytes | Blocks | None) -> None:
        for data, sign in ((self._packed, -1), (packed, 1)):
            self._grow(sign * sys.getsizeof(data) * isinstance(data, bytes))
        self._packed = packed

    def _grow(self, size: int) -> None:
        self.size += size
        self._bytes.memory += size

    def _long_texts(self) -> Iterator[tuple[Any, Any, str]]:
        """Yield the long texts in fields, and in lists in fields, with their places."""
        for held in self.items:
            for name, value in ItemAdapter(held.item).items():
                if isinstance(getattr(type(held.item), str(name), None), property):
                    continue
                if _is_long(value):
                    yield held.item, name, value
                elif type(value) is list and _references((value,)) <= _ALONE + 2:  # the item, the tuple and ``value``
                    yield from ((value, number, text) for number, text in enumerate(value) if _is_long(text))


def _is_long(value: Any) -> bool:
    return type(value) is str and len(value) >= _LONG


def _are_emptied(texts: list[tuple[Any, Any, str]]) -> bool:
    """Empty the texts in their places, or none of them if a descriptor of an item's class refuses that."""
    for number, (holder, name, _) in enumerate(texts):
        try:
            _put(holder, name, "")
        except Exception:
            for emptied in texts[:number]:
                _put(*emptied)
            return False
    return True


def _put(holder: Any, name: Any, text: str) -> None:
    """Set a field, whatever its class allows: it gets the text that it had."""
    if isinstance(holder, list):
        holder[name] = text
    elif isinstance(holder, dict):
        dict.__setitem__(holder, name, text)
    elif isinstance(holder, Item):
        Item.__setitem__(holder, name, text)
    else:
        object.__setattr__(holder, name, text)


def _references(values: tuple[Any, ...]) -> int:
    """Return how often Python counts the first of some values as in use."""
    return sys.getrefcount(values[0])


# The count of a value that is in the tuple alone; releases of Python differ.
_ALONE = _references((object(),))

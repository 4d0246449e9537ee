"""A bound on the memory that the columns of a Parquet file unpack to, by the headers of their pages.

pyarrow unpacks a page to the size in its header, whatever the footer says, and few bytes may be millions of values.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import SEEK_CUR, BytesIO
from typing import IO, Any

from pyarrow import parquet

from scrapy_blockfilter.options.limits import MAX_RECORD_BYTES

# A column may unpack to this many times its bytes in the file: DEFLATE packs up to 1,032 bytes in one.
_MOST_TIMES = 1_000
# Bytes of a value: its levels, and a number, or its place in a list and in a dictionary.
_VALUE_SIZE = 16
# Characters of a column's name in an error.
_MAX_NAME = 40

# A page's header is a struct of Thrift's compact protocol: codes of types, and numbers of fields and kinds of pages.
_TRUE, _FALSE, _BYTE, _INT16, _INT32, _INT64, _DOUBLE, _BINARY, _STRUCT = 1, 2, 3, 4, 5, 6, 7, 8, 12
_KIND, _SIZE, _PACKED_SIZE, _VALUES = (1, _INT32), (2, _INT32), (3, _INT32), (1, _INT32)
_OF_KINDS = ((5, _STRUCT), (7, _STRUCT), (8, _STRUCT))
_DICTIONARY = 2
# Bytes of a number of 64 bits, seven bits a byte.
_NUMBER_BYTES = 10


class CheckedStream:
    """The stream of a Parquet file. Each ``read`` takes all pages of a column in a row group.

    pyarrow reads so if it buffers nothing. Reading raises ValueError for columns that unpack to more than they may.
    """

    def __init__(self, stream: IO[bytes], columns: Sequence[parquet.ColumnSchema]) -> None:
        self._stream = stream
        self._columns = columns
        # Values of a fixed length are repeated in lists.
        self._width = max(_VALUE_SIZE, *(column.length for column in columns))

    def begin(self) -> None:
        """Begin to read a row group, whose columns are in memory together."""
        self._room = MAX_RECORD_BYTES
        self._names = iter([column.path for column in self._columns])

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
        name, unpacked = next(self._names, "")[:_MAX_NAME], unpacked_size(data, self._width)
        self._room -= max(0, unpacked - _MOST_TIMES * len(data))
        if self._room < 0:
            message = (
                f"column {name!r}, {unpacked:,} bytes packed in {len(data):,}, is more than is read of a row group"
            )
            raise ValueError(f"{message}; write it anew with shorter values, or fewer rows in one")
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def unpacked_size(pages: bytes, width: int) -> int:
    """Return the bytes of memory for the pages of a column, whose values have up to ``width``.

    Its dictionary, all its numbers and one page are in memory at a time.
    """
    stream = BytesIO(pages)
    size = largest = 0
    try:
        while stream.tell() < len(pages):
            header = _struct(stream)
            values = max(header[kind][_VALUES] for kind in _OF_KINDS if kind in header)
            if min(values, header[_SIZE], header[_PACKED_SIZE]) < 0:
                raise ValueError("a number is negative")
            size += values * width
            if header[_KIND] == _DICTIONARY:
                size += header[_SIZE]
            else:
                largest = max(largest, header[_SIZE])
            stream.seek(header[_PACKED_SIZE], SEEK_CUR)
    except (LookupError, RecursionError, ValueError) as error:
        raise ValueError(f"the header of a page is damaged: {error}") from error
    return size + largest


def _struct(stream: BytesIO) -> dict[tuple[int, int], Any]:
    """Return the numbers and structs of a struct, by the number and type of their fields."""
    fields: dict[tuple[int, int], Any] = {}
    number = 0
    while head := stream.read(1)[0]:
        further, kind = divmod(head, 16)
        number = number + further if further else _integer(stream)
        if kind in (_INT16, _INT32, _INT64):
            fields[number, kind] = _integer(stream)
        elif kind == _STRUCT:
            fields[number, kind] = _struct(stream)
        elif kind in (_BYTE, _DOUBLE, _BINARY):
            stream.seek({_BYTE: 1, _DOUBLE: 8}.get(kind) or _varint(stream), SEEK_CUR)
        elif kind not in (_TRUE, _FALSE):  # booleans have no bytes, and a header has no lists
            raise ValueError(f"it has a field of type {kind}")
    return fields


def _integer(stream: BytesIO) -> int:
    number = _varint(stream)
    return (number >> 1) ^ -(number & 1)


def _varint(stream: BytesIO) -> int:
    number = 0
    for place in range(_NUMBER_BYTES):
        byte = stream.read(1)[0]
        number |= (byte & 0x7F) << 7 * place
        if byte < 0x80:
            return number
    raise ValueError("a number has too many bytes")

"""Learnt values, as arrays and numbers by name, and as bytes that can be stored.

The bytes may come from a damaged file, or from a file that somebody made. :func:`unpack` checks their form,
and :class:`ArrayReader` hands out values of the expected kind alone. Any other value raises :class:`StateError`.

The bytes are a head (magic, version, checksum, size of the table), the table as JSON, and the arrays. The table maps
each name to a number, a text, or the type and shape of an array. Arrays follow in the order of their names, each at a
multiple of ``_ALIGNED`` bytes, and are read without a copy.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from hashlib import blake2b
from struct import Struct
from typing import Any

import numpy as np
import numpy.typing as npt

# Bytes of the learnt values of one site. Ten pages of real sites take 30 to 300 KB, ten pages of 3,000 slots 1.3 MB.
MAX_BYTES = 4 * 1024 * 1024
# The version of the form of bytes.
VERSION = 1

Value = npt.NDArray[Any] | int | float | str
Values = dict[str, Value]

_MAGIC = b"BFst"
_CHECKSUM = 16
_HEAD = Struct(f"<4sI{_CHECKSUM}sI")
_CHECKED = _HEAD.size - 4  # the checksum is over all that follows it
# Bytes of the table: some 50 names.
_MAX_TABLE = 16_384
_ALIGNED = 8
_TYPES = {name: np.dtype(name) for name in ("<i8", "<f4", "<f8", "|u1")}


class StateError(ValueError):
    """Values are not what was written, or this release does not read them."""


class ArrayReader:
    """Reads learnt values. Every method raises :class:`StateError` for a value of another kind."""

    def __init__(self, values: Mapping[str, Value], prefix: str = "") -> None:
        self._values = values
        self._prefix = prefix

    def part(self, name: str) -> ArrayReader:
        """Return the values that :func:`parts` put together under a name."""
        return ArrayReader(self._values, f"{self._prefix}{name}.")

    def has(self, name: str) -> bool:
        """Return whether there is a value, or a part, of this name."""
        name = self._prefix + name
        return any(known == name or known.startswith(f"{name}.") for known in self._values)

    def integers(self, name: str, *shape: int | None, least: int | None = None) -> npt.NDArray[np.int64]:
        """Return an array of 64-bit integers. None in ``shape`` is any size."""
        array = self._array(name, "<i8", shape)
        if least is not None and array.size and array.min() < least:
            raise self._error(name, f"has a number below {least}")
        return array

    def floats(self, name: str, *shape: int | None, most: float = math.inf) -> npt.NDArray[np.float32]:
        """Return an array of finite 32-bit numbers from ``-most`` to ``most``."""
        return self._bounded(name, self._array(name, "<f4", shape), most)

    def doubles(self, name: str, *shape: int | None, most: float = math.inf) -> npt.NDArray[np.float64]:
        """Return an array of finite 64-bit numbers from ``-most`` to ``most``."""
        return self._bounded(name, self._array(name, "<f8", shape), most)

    def octets(self, name: str, *shape: int | None) -> npt.NDArray[np.uint8]:
        """Return an array of bytes."""
        return self._array(name, "|u1", shape)

    def whole(self, name: str, least: int, most: int) -> int:
        """Return a whole number within bounds."""
        value = self._value(name)
        if not isinstance(value, int) or not least <= value <= most:
            raise self._error(name, f"is no whole number from {least} to {most}")
        return value

    def number(self, name: str, least: float, most: float) -> float:
        """Return a number within bounds, whole or not, as it was given."""
        value = self._value(name)
        if not isinstance(value, int | float) or not least <= value <= most:
            raise self._error(name, f"is no number from {least} to {most}")
        return value

    def text(self, name: str, most: int) -> str:
        """Return a text of at most this many characters."""
        value = self._value(name)
        if not isinstance(value, str) or len(value) > most:
            raise self._error(name, f"is no text of up to {most} characters")
        return value

    def _value(self, name: str) -> Value:
        try:
            return self._values[self._prefix + name]
        except KeyError:
            raise self._error(name, "is missing") from None

    def _array(self, name: str, kind: str, shape: tuple[int | None, ...]) -> npt.NDArray[Any]:
        value = self._value(name)
        if not isinstance(value, np.ndarray) or value.dtype != _TYPES[kind].newbyteorder("="):
            raise self._error(name, f"is no array of {kind}")
        if len(value.shape) != len(shape) or any(
            size not in (None, actual) for size, actual in zip(shape, value.shape, strict=True)
        ):
            raise self._error(name, f"has the shape {value.shape}, not {shape}")
        return value

    def _bounded(self, name: str, array: npt.NDArray[Any], most: float) -> npt.NDArray[Any]:
        # The comparison is False for NaN.
        if array.size and not (np.isfinite(array).all() and -most <= array.min() and array.max() <= most):
            raise self._error(name, f"has a number that is not from {-most} to {most}")
        return array

    def _error(self, name: str, problem: str) -> StateError:
        return StateError(f"{self._prefix}{name} {problem}")


def parts(**named: Mapping[str, Value]) -> Values:
    """Put the values of several parts together.

    >>> parts(one={"size": 1}, other={"size": 2})
    {'one.size': 1, 'other.size': 2}
    """
    return {f"{part}.{name}": value for part, values in named.items() for name, value in values.items()}


def pack(values: Mapping[str, Value], about: bytes, most: int | None = None) -> bytes:
    """Return values as bytes, the same for equal values in every process.

    Args:
        about: what the values belong to; :func:`unpack` must be given the same.
        most: bytes, by default ``MAX_BYTES``.

    Raises:
        StateError: there are more than that.
    """
    most = MAX_BYTES if most is None else most
    table: dict[str, object] = {}
    arrays: list[npt.NDArray[Any]] = []
    for name, value in values.items():
        if isinstance(value, np.ndarray):
            array = np.ascontiguousarray(value, value.dtype.newbyteorder("<"))
            if array.dtype.str not in _TYPES:
                raise StateError(f"{name} is an array of {array.dtype.str}")
            arrays.append(array)
            table[name] = [array.dtype.str, *value.shape]
        else:
            table[name] = value
    line = json.dumps(table, separators=(",", ":"), allow_nan=False).encode()
    body = bytearray(line)
    for array in arrays:
        body += bytes(-(_HEAD.size + len(body)) % _ALIGNED)
        body += array.tobytes()
    if len(line) > _MAX_TABLE or _HEAD.size + len(body) > most:
        raise StateError(f"there are {_HEAD.size + len(body):,} bytes, more than {most:,}")
    size = len(line).to_bytes(4, "little")
    return _HEAD.pack(_MAGIC, VERSION, _checksum(about, size + body), len(line)) + body


def unpack(data: object, about: bytes, most: int | None = None) -> ArrayReader:
    """Return the values that were packed. Arrays are views of ``data``.

    Raises:
        StateError: the bytes are not those that :func:`pack` made of values ``about`` the same.
        TypeError: the data is no bytes.
    """
    most = MAX_BYTES if most is None else most
    if not isinstance(data, bytes | bytearray | memoryview):
        raise TypeError(f"bytes are expected, not a {type(data).__name__}")
    data = bytes(data)
    if not _HEAD.size <= len(data) <= most:
        raise StateError("of a size that none has")
    magic, version, checksum, size = _HEAD.unpack_from(data)
    if magic != _MAGIC or version != VERSION:
        raise StateError("of another version")
    if checksum != _checksum(about, memoryview(data)[_CHECKED:]):
        raise StateError("not what was written")
    if size > min(_MAX_TABLE, len(data) - _HEAD.size):
        raise StateError("a table beyond the end")
    values: Values = {}
    place = _HEAD.size + size
    for name, entry in _table(data[_HEAD.size : place]).items():
        if isinstance(entry, list):
            place += -place % _ALIGNED
            values[name], place = _read_array(name, data, place, entry, most)
        elif isinstance(entry, str | int | float) and not isinstance(entry, bool):
            values[name] = entry
        else:
            raise StateError(f"{name} is of another kind")
    if place != len(data):
        raise StateError("bytes at the end that belong to nothing")
    return ArrayReader(values)


def _checksum(about: bytes, body: bytes | bytearray | memoryview) -> bytes:
    checksum = blake2b(len(about).to_bytes(8, "little") + about, digest_size=_CHECKSUM)
    checksum.update(body)
    return checksum.digest()


def _table(line: bytes) -> dict[str, Any]:
    try:
        table = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise StateError("a table that is no JSON") from error
    if not isinstance(table, dict):
        raise StateError("a table that is none")
    return table


def _read_array(name: str, data: bytes, place: int, entry: list[Any], most: int) -> tuple[npt.NDArray[Any], int]:
    """Return an array, and the place behind it."""
    kind, *shape = entry or [None]
    if not (isinstance(kind, str) and kind in _TYPES and all(type(size) is int and size >= 0 for size in shape)):
        raise StateError(f"{name} is an array of another kind")
    dtype = _TYPES[kind]
    count = math.prod(shape)
    if not 1 <= len(shape) <= 2 or max(shape) > most or place + count * dtype.itemsize > len(data):
        raise StateError(f"{name} has a shape beyond the end")
    array = np.frombuffer(data, dtype, count, place).reshape(shape) if count else np.zeros(shape, dtype)
    return array.astype(dtype.newbyteorder("="), copy=False), place + count * dtype.itemsize

"""Learnt values as bytes: they come back as they were, and no other bytes are taken for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_blockfilter.storable import ArrayReader, StateError, Values, pack, unpack
from scrapy_blockfilter.storable.array_bytes import MAX_BYTES

VALUES: Values = {
    "integers": np.array([1, -(2**63), 2**63 - 1]),
    "floats": np.array([[0.1, -2.5]], np.float32),
    "doubles": np.array([0.1, 1e300]),
    "octets": np.array([[1], [255], [0]], np.uint8),
    "none": np.zeros((0, 3), np.int64),
    "whole": 7,
    "number": 0.1,
    "text": "de-CH",
}
ABOUT = b"news.example"
PACKED = pack(VALUES, ABOUT)


def read(state: ArrayReader) -> Values:
    return {
        "integers": state.integers("integers", 3),
        "floats": state.floats("floats", 1, 2),
        "doubles": state.doubles("doubles", None),
        "octets": state.octets("octets", None, 1),
        "none": state.integers("none", None, 3),
        "whole": state.whole("whole", 0, 10),
        "number": state.number("number", 0, 1),
        "text": state.text("text", 5),
    }


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_values_come_back_as_they_were(kind: Callable[[bytes], object]) -> None:
    found = read(unpack(kind(PACKED), ABOUT))
    for name, value in VALUES.items():
        same = found[name]
        if isinstance(value, np.ndarray):
            assert isinstance(same, np.ndarray)
            assert (same.dtype, same.shape, same.tobytes()) == (value.dtype, value.shape, value.tobytes())
        else:
            assert (type(same), same) == (type(value), value)
    assert pack(found, ABOUT) == PACKED


def test_arrays_are_views_that_nobody_can_change() -> None:
    array = unpack(PACKED, ABOUT).integers("integers", 3)
    assert array.base is not None
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


@given(st.data())
def test_a_changed_byte_a_cut_and_anything_added_are_noticed(data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(PACKED) - 1))
    flipped = bytearray(PACKED)
    flipped[place] ^= data.draw(st.integers(1, 255))
    for damaged in (bytes(flipped), PACKED[:place], PACKED + PACKED[place:], PACKED[place:]):
        if damaged != PACKED:
            with pytest.raises(StateError):
                unpack(damaged, ABOUT)


@pytest.mark.parametrize("other", [b"", b"other.example", b"news.example\0"])
def test_bytes_about_something_else_are_refused(other: bytes) -> None:
    with pytest.raises(StateError, match="not what was written"):
        unpack(PACKED, other)


@pytest.mark.parametrize("other", [None, "text", 1.5, 7, [1], b"", bytes(MAX_BYTES + 1)])
def test_other_values_than_bytes_are_refused(other: object) -> None:
    error, match = StateError, "of a size that none has"
    if not isinstance(other, bytes):
        error, match = TypeError, f"not a {type(other).__name__}"  # type: ignore[assignment]
    with pytest.raises(error, match=match):
        unpack(other, ABOUT)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        *((table, "no JSON") for table in (b"no JSON", b"[" * 10_000)),
        (b"[]", "a table that is none"),
        *((b'{"a":%b}' % value, "of another kind") for value in (b"true", b"null", b"{}")),
        *(
            (b'{"a":[%b]}' % value, "another kind")
            for value in (b"", b'"|O",1', b'"<i8",-1', b'"<i8",1.0', b'"<i8",true')
        ),
        *(
            (b'{"a":["<i8"%b]}' % shape, "beyond the end")
            for shape in (b"", b",1,1,1", b",1000000", b",0,999999999999")
        ),
        (b'{"a":["<i8",4611686018427387904,4]}', "beyond the end"),
        (b"{}", "belong to nothing"),
    ],
)
def test_tables_that_somebody_made_are_refused(monkeypatch: pytest.MonkeyPatch, table: bytes, said: str) -> None:
    """Whoever makes a file can also make its checksum."""
    monkeypatch.setattr("scrapy_blockfilter.storable.array_bytes._checksum", lambda about, body: bytes(16))
    forged = pack({}, ABOUT)[:24] + len(table).to_bytes(4, "little") + table + bytes(64)
    with pytest.raises(StateError, match=said):
        unpack(forged, ABOUT)


@pytest.mark.parametrize(
    "ask",
    [
        lambda state: state.integers("missing", None),
        lambda state: state.integers("floats", None, None),
        lambda state: state.integers("integers", 2),
        lambda state: state.integers("integers", 3, None),
        lambda state: state.integers("integers", 3, least=0),
        lambda state: state.integers("whole", None),
        lambda state: state.floats("floats", 1, 2, most=1),
        lambda state: state.doubles("bad", 1),
        lambda state: state.octets("integers", None),
        lambda state: state.whole("whole", 8, 10),
        lambda state: state.whole("number", 0, 1),
        lambda state: state.number("nan", 0, 1),
        lambda state: state.number("text", 0, 1),
        lambda state: state.text("text", 4),
        lambda state: state.text("whole", 4),
        lambda state: state.whole("integers", 0, 1),
    ],
)
def test_values_of_another_kind_or_beyond_bounds_are_refused(ask: Callable[[ArrayReader], Any]) -> None:
    with pytest.raises(StateError):
        ask(ArrayReader({**VALUES, "bad": np.array([np.nan]), "nan": float("nan")}))


def test_more_than_the_store_takes_is_not_packed() -> None:
    with pytest.raises(StateError, match="more than"):
        pack({"large": np.zeros(MAX_BYTES // 8)}, ABOUT)
    with pytest.raises(StateError, match="an array of <c16"):
        pack({"other": np.zeros(1, np.complex128)}, ABOUT)

"""NumPy: samples and models are arrays as bytes, which every version and machine reads alike."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.mark.parametrize(
    ("kind", "values", "data"),
    [
        ("<i8", [1, -2], "0100000000000000feffffffffffffff"),
        ("<f4", [0.5, -2.0], "0000003f000000c0"),
        ("<f8", [0.5], "000000000000e03f"),
        ("|u1", [0, 255], "00ff"),
        (">u4", [1, 2**32 - 1], "00000001ffffffff"),
    ],
)
def test_arrays_are_these_bytes(kind: str, values: list[float], data: str) -> None:
    array = np.array(values, dtype=kind)
    assert array.tobytes().hex() == data
    assert np.dtype(kind).str == kind
    again = np.frombuffer(bytes.fromhex(data), kind)
    assert again.astype(again.dtype.newbyteorder("="), copy=False).tolist() == values


def test_arrays_of_bytes_cannot_be_written() -> None:
    array = np.frombuffer(bytes(8), "<i8")
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1

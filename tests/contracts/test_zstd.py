"""zstandard, of Python 3.14 or backports.zstd: parts after each other are one file, and damage has known errors."""

from __future__ import annotations

import sys
from io import BytesIO
from typing import Any

import pytest

zstd: Any = pytest.importorskip("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")


def test_parts_after_each_other_are_read_as_one_file() -> None:
    packed = bytes(zstd.compress(b"one\n")) + bytes(zstd.compress(b"two\n"))
    assert zstd.ZstdFile(BytesIO(packed)).read() == b"one\ntwo\n"


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-2], lambda data: b"no" + data, lambda data: data[:9] + b"\xff" * 9]
)
def test_damage_raises_known_errors(damage: Any) -> None:
    packed = damage(bytes(zstd.compress(bytes(range(256)) * 9)))
    with pytest.raises((zstd.ZstdError, EOFError)):
        zstd.ZstdFile(BytesIO(packed)).read()

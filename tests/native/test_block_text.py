"""What native code knows of texts is what hashlib and unicodedata know."""

from __future__ import annotations

import sys
import unicodedata
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_blockfilter.storable import hash64
from tests.support.native import native_module


@pytest.fixture(scope="module")
def module() -> ModuleType:
    return native_module("walk")


@given(st.binary(max_size=600))
def test_hashes_are_those_of_hashlib(module: ModuleType, data: bytes) -> None:
    assert module.hash64(data) == hash64(data)


def test_hashes_of_all_sizes_around_a_block_are_those_of_hashlib(module: ModuleType) -> None:
    data = bytes(range(256)) * 3
    assert [size for size in range(len(data)) if module.hash64(data[:size]) != hash64(data[:size])] == []


def test_characters_taken_as_composed_are_so_beside_any_other(module: ModuleType) -> None:
    """A character changes in form NFC if it decomposes, is moved, or joins the one before it."""
    joining = {
        parts[1]
        for code in range(sys.maxunicode + 1)
        if (parts := unicodedata.decomposition(chr(code)).split()) and len(parts) == 2 and "<" not in parts[0]
    }
    jamos = range(0x1160, 0x1200)
    for code in filter(module.is_composed, range(sys.maxunicode + 1)):
        character = chr(code)
        assert unicodedata.normalize("NFC", character) == character, hex(code)
        assert unicodedata.combining(character) == 0, hex(code)
        assert f"{code:04X}" not in joining, hex(code)
        assert code not in jamos, hex(code)


def test_most_letters_are_taken_as_composed(module: ModuleType) -> None:
    assert all(map(module.is_composed, map(ord, "aZ9éüßøŁжЯώ水あア한نאกẾ–’“…€")))
    assert not any(map(module.is_composed, (0x301, 0x340, 0x1100, 0x1161, 0x11A8, 0x3099, 0x2126, 0xFB1D)))

"""The native modules, for tests that compare them with Python; such a test is skipped where they are not built."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

import pytest

from scrapy_blockfilter.html.native import NativeWalk


def native_module(name: str) -> ModuleType:
    """Return a native module, even where it is switched off."""
    try:
        return import_module(f"scrapy_blockfilter._native.{name}")
    except ModuleNotFoundError:
        pytest.skip("native code is not built")


def native_walk() -> NativeWalk:
    return NativeWalk(native_module("walk"))

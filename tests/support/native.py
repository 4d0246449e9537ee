"""The native modules, for tests that compare them with Python; such a test is skipped where they are not built."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType

import pytest

from scrapy_blockfilter._native import load
from scrapy_blockfilter.consensus import native as consensus
from scrapy_blockfilter.html import native, tree_fingerprint
from scrapy_blockfilter.render import html as rendering


def native_module(name: str) -> ModuleType:
    """Return a native module, even where it is switched off."""
    try:
        return import_module(f"scrapy_blockfilter._native.{name}")
    except ModuleNotFoundError:
        pytest.skip("native code is not built")


def native_walk() -> native.NativeWalk:
    return native.NativeWalk(native_module("walk"))


@pytest.fixture(autouse=True, scope="module")
def on_both(implementation: None) -> None:
    """Run the tests of a folder whose conftest imports this on native code and on Python."""


@contextmanager
def implemented_in(language: str) -> Iterator[None]:
    """Work with native code, or with Python alone."""
    if language == "native":
        if load("walk", lambda module: True) is None:
            pytest.skip("native code is not built, or switched off")
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native, "WALK", None)
        patch.setattr(tree_fingerprint, "_native", None)
        patch.setattr(rendering, "_native", None)
        patch.setattr(consensus, "built", lambda: None)
        yield

"""Whether compiled code is in use, and how to measure without it."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from typing import TypeVar

T = TypeVar("T")

# Set to 0 it makes the package run in Python alone; read when the package is imported.
SWITCH = "BLOCKFILTER_NATIVE"


def is_native() -> bool:
    """Return whether the extension is built, and not switched off by the environment."""
    return os.environ.get(SWITCH) != "0" and find_spec("scrapy_blockfilter._native") is not None


def without_native(work: Callable[..., T], *arguments: object) -> T:
    """Do the work in a process of its own that has the extension switched off."""
    before = os.environ.get(SWITCH)
    os.environ[SWITCH] = "0"
    try:
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            return pool.submit(work, *arguments).result()
    finally:
        if before is None:
            del os.environ[SWITCH]
        else:
            os.environ[SWITCH] = before

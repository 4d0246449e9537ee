"""The path by which settings name the provider of scrapy-poet. The extra of that name has it, and is read on demand."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(import_module(f"{__package__}.extras.poet"), name)

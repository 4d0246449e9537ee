"""A hash of what was learnt, the same in every process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from weakref import WeakKeyDictionary

import numpy as np


def digest_of(value: object) -> str:
    """128 bits in hexadecimal: equal for values that are equal, attribute by attribute, however they came about."""
    return blake2b(_canonical(value).encode(), digest_size=16).hexdigest()


def _canonical(value: object) -> str:
    """Values spelt out in one order, the same in every process."""
    if isinstance(value, WeakKeyDictionary):  # holds nothing that was learnt, only what spares work
        return ""
    if isinstance(value, Mapping):
        return "{" + ",".join(sorted(f"{_canonical(key)}:{_canonical(item)}" for key, item in value.items())) + "}"
    if isinstance(value, set | frozenset):
        return "{" + ",".join(sorted(map(_canonical, value))) + "}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype.str}{value.shape}{blake2b(value.tobytes(), digest_size=16).hexdigest()}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ",".join(map(_canonical, value)) + "]"
    if hasattr(value, "__dict__"):
        return type(value).__name__ + _canonical(vars(value))
    if hasattr(value, "__slots__"):
        return type(value).__name__ + _canonical([getattr(value, name) for name in value.__slots__])
    return repr(value)

"""Stable 64- and 32-bit hashes: what is stored must mean the same in every process."""

from __future__ import annotations

from hashlib import blake2b
from struct import Struct

_SIGNED_64 = Struct(">q")


def hash64(data: bytes) -> int:
    """A signed 64-bit hash of ``data``, as SQLite's INTEGER holds it.

    >>> hash64(b"menu") == hash64(b"menu"), hash64(b"menu") == hash64(b"Menu")
    (True, False)
    """
    hashed: int = _SIGNED_64.unpack(blake2b(data, digest_size=8).digest())[0]
    return hashed


def hash32(data: bytes) -> int:
    """An unsigned 32-bit hash, for terms: 20,000 of them on a site share one .05 times."""
    return int.from_bytes(blake2b(data, digest_size=4).digest(), "big")

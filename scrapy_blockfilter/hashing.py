"""Stable 64- and 32-bit hashes: what is stored must mean the same in every process."""

from __future__ import annotations

from hashlib import blake2b


def hash64(data: bytes) -> int:
    """A signed 64-bit hash of ``data``, as SQLite's INTEGER holds it.

    >>> hash64(b"menu") == hash64(b"menu"), hash64(b"menu") == hash64(b"Menu")
    (True, False)
    """
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big", signed=True)


def hash32(data: bytes) -> int:
    """An unsigned 32-bit hash, for terms: 20,000 of them on a site share one .05 times."""
    return int.from_bytes(blake2b(data, digest_size=4).digest(), "big")

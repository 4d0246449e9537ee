"""datasketch: keys of similar text are compared between machines, so a named scheme gives the same numbers."""

from __future__ import annotations

from hashlib import sha1

import pytest

datasketch = pytest.importorskip("datasketch")


def hash32(data: bytes) -> int:
    return int.from_bytes(sha1(data).digest()[:4], "little")


def test_the_named_scheme_gives_the_same_numbers_for_the_same_set() -> None:
    sketch = datasketch.MinHash(num_perm=4, seed=1, scheme="affine32", hashfunc=hash32)
    sketch.update_batch([b"one", b"two"])
    assert sketch.hashvalues.tolist() == [798017490, 803930535, 1185975693, 2077686062]
    again = datasketch.MinHash(num_perm=4, seed=1, scheme="affine32", hashfunc=hash32)
    again.update_batch([b"two", b"one", b"two"])
    assert (again.hashvalues == sketch.hashvalues).all()

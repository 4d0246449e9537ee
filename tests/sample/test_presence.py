"""On which pages a value occurs, against plain membership."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from scrapy_blockfilter.sample import Presence

_HASH = st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3)


def hashes(values: list[int]) -> NDArray[np.int64]:
    return np.array(values, np.int64)


@given(st.lists(st.lists(_HASH, max_size=6), max_size=11), st.lists(_HASH, max_size=8))
def test_presence_is_membership_by_rows_of_known_hashes(pages: list[list[int]], asked: list[int]) -> None:
    presence = Presence([hashes(page) for page in pages])
    assert presence.of(hashes(asked)).tolist() == [[int(one in page) for page in pages] for one in asked]
    ordered = sorted({one for page in pages for one in page})
    assert len(presence) == len(ordered)
    rows = presence.rows(hashes(asked))
    assert rows.tolist() == [ordered.index(one) if one in ordered else -1 for one in asked]
    assert presence.at(rows).tolist() == presence.of(hashes(asked)).tolist()

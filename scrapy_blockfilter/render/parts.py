"""Divide the blocks of a page at parts that go, to write the page without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scrapy_blockfilter.html import Page


def without_parts(page: Page, keep: Sequence[bool], parts: Sequence[int]) -> tuple[Page, list[bool]]:
    """Return a page that HTML can be written from, and which of its blocks stay, so that some parts of blocks go.

    Args:
        parts: places in ``page.pieces``.
    """
    chunks, ends = page.chunks, np.asarray(page.chunks.ends)
    goes = np.zeros(len(page.pieces), np.bool_)
    goes[list(parts)] = True
    ends_of_parts = np.union1d(ends, 1 + np.flatnonzero(goes[1:] != goes[:-1]))
    blocks = np.searchsorted(ends, ends_of_parts)
    stays = np.asarray(page.of_chunks(keep), np.bool_)[blocks] & ~goes[ends_of_parts - 1]
    columns = {"keys": chunks.keys[blocks], "nodes": chunks.nodes[blocks], "ends": ends_of_parts.tolist()}
    return replace(chunks, **columns, before_joining=None), stays.tolist()

"""Page records: the key, place and features of each block of a page."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from scrapy_blockfilter.html.block import Counts
from scrapy_blockfilter.html.columns import WIDTH, PageColumns
from scrapy_blockfilter.html.page import Page, Structure
from scrapy_blockfilter.sample.record_body import MAX_BLOCKS, pack, unpack


class RecordedBlock(NamedTuple):
    key: int
    slot: int
    tag_path: int
    node: int
    chars: int
    link_chars: int
    counts: Counts
    terms: Sequence[int]


class RecordedPage(NamedTuple):
    blocks: tuple[RecordedBlock, ...]
    structure: Structure
    language: str
    columns: PageColumns

    def prepare_terms(self, indices: Iterable[int]) -> None:
        """Do nothing: the record holds the terms."""


class PageRecord(NamedTuple):
    """A page as stored.

    Attributes:
        keys: keys of its blocks as little-endian 64-bit integers, which refer to the texts of the site.
        body: everything else, as JSON compressed with zlib.
    """

    keys: bytes
    body: bytes

    def block_keys(self) -> array[int]:
        return little_endian(array("q", self.keys))

    def decode(self) -> RecordedPage:
        """Return the page. Raise ValueError if this release could not have written the record."""
        keys = self.block_keys()
        body = unpack(self.body, len(keys))
        slots, tag_paths = body["slots"], body["tag_paths"]
        blocks = tuple(
            RecordedBlock(key, slots[node], tag_paths[node], node, chars, link_chars, Counts(*counts), terms)
            for key, (node, chars, link_chars, counts, terms) in zip(keys, body["blocks"], strict=True)
        )
        structure = Structure(body["tags"], body["parents"])
        columns = PageColumns(
            keys=np.array(keys, np.int64),
            nodes=np.array([block.node for block in blocks], np.int64),
            numbers=np.array(body["numbers"], np.int64).reshape(len(blocks), WIDTH),
            tags=structure.tags,
            parents=structure.parents,
            slots=np.array(slots, np.int64),
            tag_paths=np.array(tag_paths, np.int64),
            hints=body["hints"],
        )
        return RecordedPage(blocks, structure, body["language"], columns)


def little_endian(keys: array[int]) -> array[int]:
    """Convert integers between the machine's byte order and that of records. Swaps in place."""
    if array("H", b"\x01\x00")[0] != 1:
        keys.byteswap()
    return keys


def record_page(page: Page) -> PageRecord:
    """Return the record of a page, the same for the same page in every process.

    Raises:
        UnfitPage: the record would be too large.
    """
    blocks = page.blocks[:MAX_BLOCKS]
    page.prepare_terms(range(len(blocks)))
    body = {
        "language": page.language,
        "tags": page.structure.tags,
        "parents": page.structure.parents,
        "slots": page.slots,
        "tag_paths": page.tag_paths,
        "hints": list(page.columns.hints),
        "numbers": page.columns.numbers[: len(blocks)].tolist(),
        "blocks": [
            (
                block.node,
                block.chars,
                block.link_chars,
                block.counts,
                block.terms,
            )
            for block in blocks
        ],
    }
    keys = little_endian(array("q", (block.key for block in blocks))).tobytes()
    return PageRecord(keys, pack(body))

"""What is remembered of a site: a bounded set of page records.

Not counts but pages, keyed by a hash of the page's identity, of which the smallest stay. Merging two samples is union
and cut, so it is commutative, associative and idempotent: a replayed cache, a resumed job or a store merged twice
changes nothing, and many machines learn what one would have learnt. Counts are derived when a model is fitted.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from scrapy_blockfilter.html.block import Counts
from scrapy_blockfilter.html.columns import WIDTH, PageColumns
from scrapy_blockfilter.html.page import Page, Structure
from scrapy_blockfilter.sample.record_body import MAX_BLOCKS, pack, unpack
from scrapy_blockfilter.sample.slots import SlotStep, bounded, new_steps
from scrapy_blockfilter.text.block_text import fold

# A sample grows to this many times N pages. Four: at 40 pages a text on 10 % of the pages is taken for one on 30 % with
# a probability under .001 (binomial), at 10 pages with .07.
SAMPLE_GROWTH = 4
# Text of a block that is remembered, for people to read.
MAX_TEXT = 240


class BlockFeatures(Protocol):
    """What a method may know of a block: of a live one, or of one in a record."""

    @property
    def key(self) -> int: ...
    @property
    def slot(self) -> int: ...
    @property
    def tag_path(self) -> int: ...
    @property
    def node(self) -> int: ...
    @property
    def chars(self) -> int: ...
    @property
    def link_chars(self) -> int: ...
    @property
    def counts(self) -> Counts: ...
    @property
    def terms(self) -> Sequence[int]: ...


class PageFeatures(Protocol):
    """What a method may know of a page: of a live one, or of one in the sample."""

    @property
    def blocks(self) -> Sequence[BlockFeatures]: ...
    @property
    def structure(self) -> Structure: ...
    @property
    def columns(self) -> PageColumns: ...
    def prepare_terms(self, indices: Iterable[int]) -> None: ...


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
        """They are in the record."""


class PageRecord(NamedTuple):
    """A page as it is remembered and stored.

    Attributes:
        keys: the keys of its blocks, little-endian 64-bit integers: pointers into the site's block repository.
        body: the rest, JSON compressed with zlib.
    """

    keys: bytes
    body: bytes

    def block_keys(self) -> array[int]:
        return little_endian(array("q", self.keys))

    def decode(self) -> RecordedPage:
        """Raises ValueError if the record is not one that was written here."""
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
    """Integers in the order of bytes in which records have them, whatever the machine's."""
    if array("H", b"\x01\x00")[0] != 1:
        keys.byteswap()
    return keys


def record_page(page: Page) -> PageRecord:
    """The record of a page, the same for the same page in every process.

    Raises:
        UnfitPage: it would be larger than records may be.
    """
    blocks = page.blocks[:MAX_BLOCKS]
    page.prepare_terms(range(len(blocks)))
    body = {
        "language": page.language,
        "tags": page.structure.tags,
        "parents": page.structure.parents,
        "slots": page.slots,
        "tag_paths": page.tag_paths,
        "hints": page.columns.hints,
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


class SiteSample:
    """The page records of one site with the smallest hashes, at most ``limit``, and the texts of their blocks.

    Attributes:
        limit: K, the most records that stay.
        records: page hash (signed 64-bit) -> record.
        texts: block key -> the start of its text, once a site.
        steps: slot -> what it is, for people to read; of no matter for what is learnt. Those of pages that were cut may
            stay.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.records: dict[int, PageRecord] = {}
        self.texts: dict[int, str] = {}
        self.steps: dict[int, SlotStep] = {}

    def __len__(self) -> int:
        return len(self.records)

    def wants(self, page_hash: int) -> bool:
        """Whether a page would change the sample: asked before the work of segmenting it."""
        if page_hash in self.records:
            return False
        return len(self.records) < self.limit or page_hash < max(self.records)

    def add(self, page_hash: int, page: Page) -> None:
        """Take a page in. One with the same hash as a page already in changes nothing but ties, settled by content."""
        texts = {
            block.key: fold(" ".join((block.text, *block.images)))[:MAX_TEXT] for block in page.blocks[:MAX_BLOCKS]
        }
        self.add_rows([(page_hash, record_page(page))], texts, new_steps(page, self.steps))

    def merge(self, other: SiteSample) -> SiteSample:
        """The sample of what both have seen."""
        merged = SiteSample(self.limit)
        for sample in (self, other):
            merged.add_rows(sample.records.items(), sample.texts, sample.steps)
        return merged

    def add_rows(
        self,
        records: Iterable[tuple[int, PageRecord]],
        texts: Mapping[int, str],
        steps: Mapping[int, SlotStep] | None = None,
    ) -> None:
        """Take in what :attr:`records`, :attr:`texts` and :attr:`steps` give; texts of no record are dropped."""
        if steps:
            self.steps = bounded(self.steps | dict(steps))
        before = len(self.records)
        arrived = 0
        for page_hash, record in records:
            known = self.records.get(page_hash)
            self.records[page_hash] = record if known is None else min(known, record)
            arrived += known is None or known != record
        self.texts.update(texts)
        if len(self.records) > self.limit:
            self.records = {page_hash: self.records[page_hash] for page_hash in sorted(self.records)[: self.limit]}
        if len(self.records) < before + arrived:  # some were cut or replaced: their texts may have gone with them
            pointed = set().union(*(record.block_keys() for record in self.records.values()))
            self.texts = {key: text for key, text in self.texts.items() if key in pointed}

    def pages(self) -> Iterator[RecordedPage]:
        """The records decoded, in the order of their hashes: the same order however the sample came about."""
        for page_hash in sorted(self.records):
            yield self.records[page_hash].decode()

"""The memory of a site: a bounded set of page records.

A sample keeps pages, not counts: those with the smallest hashes of their identity. Merging is union and cut, so it is
commutative, associative and idempotent. A replayed cache, a resumed job or a store merged twice changes nothing, and
many machines learn what one would have learnt. Counts are derived when a model is fitted.

If a page came with two contents, the one fetched last stays, or else the one with the smaller record. Samples of two
crawls that lie apart do not merge if their epochs differ: half of the pages of a redesigned site would be old.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from itertools import accumulate, pairwise
from struct import Struct
from types import MappingProxyType

import numpy as np

from scrapy_blockfilter.html.page import Page, PageCaches
from scrapy_blockfilter.options.segmenter import CHUNKS, is_segmenter
from scrapy_blockfilter.sample.page_record import MAX_BLOCKS, MAX_BODY, PageRecord
from scrapy_blockfilter.sample.slots import MAX_STEPS, SlotStep, new_steps
from scrapy_blockfilter.storable.array_bytes import ArrayReader, StateError, Values, pack, unpack
from scrapy_blockfilter.text.block_text import composed, fold

# A sample grows to this many times N pages. With 40 pages, a text on 10 % of a site's pages looks like one on 30 % with
# a probability under .001 (binomial); with 10 pages, .07.
SAMPLE_GROWTH = 4
# Pages of a sample: four times the greatest N.
MAX_PAGES = 4_000
# Characters of a block's text that people read.
MAX_TEXT = 240
# Bytes of a sample: twice those of 4,000 pages with records of 31 KB, a size that one of twenty pages has.
MAX_BYTES = 256 * 2**20
_ABOUT = b"sample 2"
_LATEST = 2**63 - 1
# Characters of a segmenter's name with its arguments.
MAX_NAME = 200
_FRAME = Struct("<qqq")


class MergeError(ValueError):
    """Raised for samples that must not be merged: their epochs, limits or segmenters differ."""


class SiteSample:
    """The ``limit`` page records of one site with the smallest hashes.

    Attributes:
        limit: K, the largest number of records.
        epoch: the crawl it belongs to, as a whole number of the caller's choice, such as 20260401. Crawls through
            Scrapy have 0. ValueError is raised for others, which could not be read back from bytes.
        segmenter: name of the segmenter that made the blocks, if the maker of the sample gave it.
        records: page hash (signed 64-bit) -> record.
        steps: slot -> its last step, for people to read. Learning ignores it. Steps of removed pages may stay.
    """

    def __init__(self, limit: int, *, epoch: int = 0, segmenter: str = CHUNKS) -> None:
        if not (hasattr(epoch, "__index__") and 0 <= epoch <= _LATEST):
            raise ValueError(f"an epoch is a whole number such as 20260401, not {epoch!r}")
        self.limit = limit
        self.epoch = int(epoch)
        self.segmenter = segmenter
        self.records: dict[int, PageRecord] = {}
        self.steps: dict[int, SlotStep] = {}

    def __len__(self) -> int:
        return len(self.records)

    def __repr__(self) -> str:
        return f"<SiteSample: {len(self)} of at most {self.limit} pages>"

    def wants(self, page_hash: int, time: int = 0) -> bool:
        """Return whether a page may change the sample. Ask this before segmenting the page.

        A page of the sample may have other content now, and is wanted unless it was fetched before its record.
        """
        known = self.records.get(page_hash)
        if known is not None:
            return time >= known.time
        return len(self.records) < self.limit or page_hash < max(self.records)

    def add(self, page_hash: int, page: Page, time: int = 0) -> None:
        """Add a page, in place of one with the same hash that was fetched before or has a larger record."""
        self.add_rows([(page_hash, PageRecord.of(page, time))], new_steps(page, self.steps))

    def merge(self, other: SiteSample) -> SiteSample:
        """Return the sample that one process would have made of the pages of both.

        Raises:
            MergeError: they belong to different epochs or segmenters.
        """
        for name in ("epoch", "segmenter"):
            one, two = getattr(self, name), getattr(other, name)
            if one != two:
                raise MergeError(f"samples of different {name}s do not merge: {one!r} and {two!r}")
        merged = SiteSample(self.limit, epoch=self.epoch, segmenter=self.segmenter)
        for sample in (self, other):
            merged.add_rows(sample.records.items(), sample.steps)
        return merged

    def add_rows(
        self, records: Iterable[tuple[int, PageRecord]], steps: Mapping[int, SlotStep] = MappingProxyType({})
    ) -> None:
        """Add rows of :attr:`records` and :attr:`steps`."""
        if steps:
            self.steps = {**self.steps, **steps}
        if len(self.steps) > MAX_STEPS:
            self.steps = {slot: self.steps[slot] for slot in sorted(self.steps)[:MAX_STEPS]}
        for page_hash, record in records:
            known = self.records.get(page_hash)
            if known is None or record.replaces(known):
                self.records[page_hash] = record
        if len(self.records) > self.limit:
            self.records = {page_hash: self.records[page_hash] for page_hash in sorted(self.records)[: self.limit]}

    @property
    def size(self) -> int:
        """Approximate bytes in memory."""
        return sum(record.size for record in self.records.values())

    @property
    def texts(self) -> dict[int, str]:
        """Block key -> the start of its text, for people to read. Each call makes it of the records."""
        return {key: shown_text(page, block) for page in self.pages() for block, key in enumerate(page.keys.tolist())}

    def digest(self) -> str:
        """Return a digest of the records: what is learnt from equal ones is equal."""
        return digest_of_records(self.records)

    def to_bytes(self) -> bytes:
        """Return the sample as bytes, equal for equal samples however they came about.

        Style paths of slots, which only reports show, are left out.

        Raises:
            ValueError: there are more than 256 MiB, of a sample of thousands of pages.
        """
        return pack(self.state(), _ABOUT, MAX_BYTES)

    @staticmethod
    def from_bytes(data: bytes | bytearray | memoryview) -> SiteSample:
        """Return the sample that :meth:`to_bytes` made to bytes.

        The bytes may come from anyone: all that fitting relies on is checked, and no code is run.

        Raises:
            ValueError: they are damaged, or no sample, or one of another version.
        """
        return SiteSample.restored(unpack(data, _ABOUT, MAX_BYTES))

    def state(self) -> Values:
        """Return what the sample holds, with pages by hash, so that equal samples have equal bytes."""
        pages = sorted(self.records)
        records = [self.records[page] for page in pages]
        return {
            "limit": self.limit,
            "epoch": self.epoch,
            "segmenter": self.segmenter,
            "pages": np.array(pages, np.int64),
            "times": np.array([record.time for record in records], np.int64),
            "sizes": np.array([(len(record.keys), len(record.body)) for record in records], np.int64).reshape(-1, 2),
            "blocks": np.frombuffer(b"".join(record.keys for record in records), np.uint8),
            "bodies": np.frombuffer(b"".join(record.body for record in records), np.uint8),
        }

    @staticmethod
    def restored(state: ArrayReader) -> SiteSample:
        """Return the sample with this :meth:`state`. Records are decoded one at a time, to check them."""
        segmenter = state.text("segmenter", MAX_NAME)
        _require(is_segmenter(segmenter), "a segmenter that there is not")
        limit, epoch = state.whole("limit", 1, MAX_PAGES), state.whole("epoch", 0, _LATEST)
        sample = SiteSample(limit, epoch=epoch, segmenter=segmenter)
        sample.records = _records(state, limit)
        return sample

    def pages(self, known: PageCaches | None = None) -> Iterator[Page]:
        """Yield the pages in the order of their hashes, however the sample was built."""
        for page_hash in sorted(self.records):
            yield self.records[page_hash].decode(known)

    def pack(self) -> None:
        """Keep only the bytes of the records, as pages taken in since the last time are larger."""
        for record in self.records.values():
            record.pack()


def shown_text(page: Page, block: int) -> str:
    """Return the start of a block's text, for people to read."""
    return fold(composed(page.words_of(block)))[:MAX_TEXT]


def digest_of_records(records: Mapping[int, PageRecord]) -> str:
    """Return the digest of the sample with these records, which are not decoded."""
    digest = blake2b(digest_size=16)
    for page_hash in sorted(records):
        record = records[page_hash]
        digest.update(_FRAME.pack(page_hash, len(record.keys), len(record.body)))
        digest.update(record.keys)
        digest.update(record.body)
    return digest.hexdigest()


def _records(state: ArrayReader, limit: int) -> dict[int, PageRecord]:
    pages = state.integers("pages", None)
    _require(len(pages) <= limit and (pages[1:] > pages[:-1]).all(), "pages that are too many, or in no order")
    times = state.integers("times", len(pages))
    sizes = state.integers("sizes", len(pages), 2, least=0)
    _require(not len(sizes) or (sizes.max(axis=0) <= (8 * MAX_BLOCKS, MAX_BODY + 4096)).all(), "a page too large")
    blocks = _cut(state.octets("blocks", None).tobytes(), sizes[:, 0].tolist())
    bodies = _cut(state.octets("bodies", None).tobytes(), sizes[:, 1].tolist())
    records = {}
    for page, time, keys, body in zip(pages.tolist(), times.tolist(), blocks, bodies, strict=True):
        records[page] = record = PageRecord(keys, body, time)
        try:
            record.decode()
        except ValueError as error:
            raise StateError(str(error)) from error
    return records


def _cut(data: bytes, sizes: list[int]) -> list[bytes]:
    """Cut bytes into parts of the given sizes."""
    ends = [0, *accumulate(sizes)]
    _require(ends[-1] == len(data), "parts of another size than all of them")
    return [data[start:end] for start, end in pairwise(ends)]


def _require(is_so: object, otherwise: str) -> None:
    if not is_so:
        raise StateError(f"a sample with {otherwise}")

"""Turn a sample to bytes, for a file, a queue or a column of a table, and make it again from them.

The form is that of :mod:`scrapy_blockfilter.state`. Pages come in the order of their hashes, and texts in that of their
keys, so equal samples have equal bytes.
"""

from __future__ import annotations

import zlib
from itertools import accumulate, pairwise

import numpy as np

from scrapy_blockfilter.html.segmenters import SEGMENTERS
from scrapy_blockfilter.sample.page_record import MAX_BLOCKS, MAX_BODY, PageRecord
from scrapy_blockfilter.sample.site_sample import MAX_PAGES, MAX_TEXT, SiteSample
from scrapy_blockfilter.state import State, StateError, Values, pack, unpack

# Bytes of a sample: twice what 4,000 pages have, with records of 31 KB as one of twenty pages has.
MAX_BYTES = 256 * 2**20
_ABOUT = b"sample"
_LATEST = 2**63 - 1
# Characters of a segmenter's name.
_MAX_NAME = 32


def to_bytes(sample: SiteSample) -> bytes:
    """Return a sample as bytes.

    Raises:
        StateError: there are more than ``MAX_BYTES``.
    """
    return pack(state_of(sample), _ABOUT, MAX_BYTES)


def from_bytes(data: object) -> SiteSample:
    """Return the sample that :func:`to_bytes` made to bytes.

    Raises:
        StateError: the bytes are no sample.
    """
    return restored(unpack(data, _ABOUT, MAX_BYTES))


def state_of(sample: SiteSample) -> Values:
    """Return what a sample holds."""
    pages = sorted(sample.records)
    records = [sample.records[page] for page in pages]
    keys = sorted(sample.texts)
    texts = [sample.texts[key].encode() for key in keys]
    return {
        "limit": sample.limit,
        "epoch": sample.epoch,
        "segmenter": sample.segmenter,
        "pages": np.array(pages, np.int64),
        "times": np.array([record.time for record in records], np.int64),
        "sizes": np.array([(len(record.keys), len(record.body)) for record in records], np.int64).reshape(-1, 2),
        "blocks": np.frombuffer(b"".join(record.keys for record in records), np.uint8),
        "bodies": np.frombuffer(b"".join(record.body for record in records), np.uint8),
        "keys": np.array(keys, np.int64),
        "lengths": np.array([len(text) for text in texts], np.int64),
        "texts": np.frombuffer(zlib.compress(b"".join(texts), 1), np.uint8),
    }


def restored(state: State) -> SiteSample:
    """Return the sample with this :func:`state_of`. Records are decoded one at a time, to check them.

    Raises:
        StateError: no sample has this state.
    """
    segmenter = state.text("segmenter", _MAX_NAME)
    _require(segmenter.partition(" ")[0] in SEGMENTERS, "a segmenter that there is not")
    limit, epoch = state.whole("limit", 1, MAX_PAGES), state.whole("epoch", 0, _LATEST)
    sample = SiteSample(limit, epoch=epoch, segmenter=segmenter)
    sample.records = _records(state, limit)
    used = set().union(*(record.block_keys() for record in sample.records.values()))
    sample.texts = _texts(state, len(used))
    _require(sample.texts.keys() <= used, "texts that no page has")
    return sample


def _records(state: State, limit: int) -> dict[int, PageRecord]:
    pages = state.integers("pages", None)
    _require(len(pages) <= limit and _ascend(pages.tolist()), "pages that are too many, or in no order")
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


def _texts(state: State, most: int) -> dict[int, str]:
    keys = state.integers("keys", None)
    _require(len(keys) <= most and _ascend(keys.tolist()), "texts that are too many, or in no order")
    lengths = state.integers("lengths", len(keys), least=0)
    _require(not len(lengths) or lengths.max() <= 4 * MAX_TEXT, "a text too long")
    total = int(lengths.sum())
    inflating = zlib.decompressobj()
    try:
        inflated = inflating.decompress(state.octets("texts", None).tobytes(), total + 1)
        texts = [text.decode() for text in _cut(inflated, lengths.tolist())]
    except (zlib.error, UnicodeDecodeError) as error:
        raise StateError("texts that cannot be read") from error
    _require(inflating.eof and not inflating.unused_data, "texts that do not end")
    _require(all(len(text) <= MAX_TEXT for text in texts), "a text too long")
    return dict(zip(keys.tolist(), texts, strict=True))


def _cut(data: bytes, sizes: list[int]) -> list[bytes]:
    """Cut bytes into parts of these sizes."""
    ends = [0, *accumulate(sizes)]
    _require(ends[-1] == len(data), "parts of another size than all of them")
    return [data[start:end] for start, end in pairwise(ends)]


def _ascend(numbers: list[int]) -> bool:
    return all(one < other for one, other in pairwise(numbers))


def _require(is_so: object, otherwise: str) -> None:
    if not is_so:
        raise StateError(f"a sample with {otherwise}")

"""Pages of a site as values of a Redis server: each by itself, with the slots that people read.

A value comes from anyone who may write to the server, and is checked as the rows of a file are.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from struct import Struct

from scrapy_blockfilter.sample import PageRecord, SiteSample
from scrapy_blockfilter.sample.slots import MAX_LABEL, MAX_STEPS, SlotStep, slot_of
from scrapy_blockfilter.store.sample_rows import MAX_KEYS, MAX_RECORD, seal, unseal

_LENGTHS = Struct("<II")
# Bytes of the slots of a page as JSON: 1,000 of the greatest length, escaped.
_MAX_STEPS_BYTES = 4 * 1024 * 1024
# Bytes of a value.
MAX_VALUE = MAX_KEYS + MAX_RECORD + _MAX_STEPS_BYTES
_SIGN = 1 << 63


def member(page: int) -> bytes:
    """Return a page hash as bytes that sort as hashes do.

    >>> member(-(2**63)).hex(), member(0).hex()
    ('0000000000000000', '8000000000000000')
    """
    return (page + _SIGN).to_bytes(8, "big")


def page_of(name: bytes) -> int:
    """Return the page hash of a member; raise ValueError for other bytes."""
    if len(name) != 8:
        raise ValueError("a page of another form")
    return int.from_bytes(name, "big") - _SIGN


def page_value(site: str, page: int, sample: SiteSample) -> bytes:
    """Return a page of a sample as the value that :func:`read_page` reads."""
    record = sample.records[page]
    sealed = seal(site, page, record)
    steps = [[slot, *step] for slot, step in _steps_of(sample, record).items()]
    labels = json.dumps(steps, separators=(",", ":"), check_circular=False).encode()
    return b"".join((_LENGTHS.pack(len(record.keys), len(sealed)), record.keys, sealed, zlib.compress(labels, 1)))


def read_page(
    site: str, page: int, value: object, *, is_decoded: bool = True
) -> tuple[PageRecord, dict[int, SlotStep]]:
    """Check a value and return its page, with the steps to its slots.

    Args:
        value: the bytes; the size alone of a value that is too large, as the server gives it.
        is_decoded: see :func:`scrapy_blockfilter.store.sample_rows.unseal`.

    Raises:
        ValueError: it is not what was written, or this release cannot read it.
    """
    if not isinstance(value, bytes) or not _LENGTHS.size <= len(value) <= MAX_VALUE:
        raise ValueError("a record of a size that none has")
    keys_end, record_end = _LENGTHS.unpack_from(value)
    keys_end += _LENGTHS.size
    record_end += keys_end
    keys, sealed = value[_LENGTHS.size : keys_end], value[keys_end:record_end]
    if len(keys) > MAX_KEYS or len(sealed) > MAX_RECORD:
        raise ValueError("a record that is too large")
    record = unseal(site, page, keys, sealed, is_decoded=is_decoded)
    return record, _steps(value[record_end:], is_decoded=is_decoded)


def _steps_of(sample: SiteSample, record: PageRecord) -> dict[int, SlotStep]:
    """Return the steps to the slots of a page that the sample knows."""
    steps: dict[int, SlotStep] = {}
    todo: Iterable[int] = record.decode().slots.tolist()
    while todo:
        new = {slot: sample.steps[slot] for slot in todo if slot in sample.steps and slot not in steps}
        steps |= new
        todo = [step.parent for step in new.values()]
    return steps


def _steps(packed: bytes, *, is_decoded: bool) -> dict[int, SlotStep]:
    """Return the steps of a page. Whether they lead to their slots is checked with the record."""
    inflating = zlib.decompressobj()
    try:
        rows = json.loads(inflating.decompress(packed, _MAX_STEPS_BYTES))
        steps = {slot: SlotStep(parent, label) for slot, parent, label in rows}
        "".join(step.label for step in steps.values()).encode()  # JSON can name half of a pair of surrogates
        is_right = (
            inflating.eof
            and len(steps) <= MAX_STEPS
            and all(len(step.label) <= MAX_LABEL for step in steps.values())
            and (not is_decoded or all(slot == slot_of(step) for slot, step in steps.items()))
        )
    except (zlib.error, TypeError, OverflowError, RecursionError, AttributeError, UnicodeEncodeError) as error:
        raise ValueError("slots that are not what was written") from error
    if not is_right:
        raise ValueError("slots that are not what was written")
    return steps

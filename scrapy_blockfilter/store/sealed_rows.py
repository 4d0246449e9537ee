"""Page records as table rows: sealed with a checksum when written, checked when read."""

from __future__ import annotations

import zlib

from scrapy_blockfilter.sample import PageRecord
from scrapy_blockfilter.sample.page_record import MAX_BLOCKS, MAX_BODY

__all__ = ["MAX_BLOCKS", "MAX_KEYS", "MAX_RECORD", "record_of", "seal", "unseal"]

_CHECKSUM = 4
# Most bytes of a record and its keys; larger rows are not read.
MAX_RECORD = MAX_BODY + 4096
MAX_KEYS = 8 * MAX_BLOCKS


def seal(site: str, page: int, record: PageRecord) -> bytes:
    """Return a record's body with a checksum over the record, its page and its site.

    SQLite checks the form of its file, not the contents. Without the checksum, a row under the wrong site would be
    taken for that site's.
    """
    return record.body + _checksum(site, page, record)


def unseal(site: str, page: object, keys: object, sealed: object, *, is_decoded: bool = True) -> PageRecord:
    """Check the record of a row and return it. In a damaged file its values may be of any type.

    Args:
        is_decoded: also decode it, as only this tells whether this release could have written it.

    Raises:
        ValueError: it is not the record that was written, or this release cannot read it.
    """
    if keys is None or sealed is None:
        raise ValueError("a record that is too large")
    if not (isinstance(page, int) and isinstance(keys, bytes) and isinstance(sealed, bytes)):
        raise ValueError("a record that is not what was written")
    record = record_of(keys, sealed)
    if sealed[-_CHECKSUM:] != _checksum(site, page, record):
        raise ValueError("a record that is not what was written")
    if is_decoded:
        record.decode()
    return record


def record_of(keys: bytes, sealed: bytes) -> PageRecord:
    """Return the record of a row unchecked."""
    return PageRecord(keys, sealed[:-_CHECKSUM])


def _checksum(site: str, page: int, record: PageRecord) -> bytes:
    checksum = zlib.crc32(f"{site}\0{page}\0".encode())
    checksum = zlib.crc32(record.keys, checksum)
    return zlib.crc32(record.body, checksum).to_bytes(_CHECKSUM, "big")

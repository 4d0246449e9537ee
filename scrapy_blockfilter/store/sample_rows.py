"""The rows of a site's sample: its page records, and the tags of its slots.

Page records are sealed with a checksum when they are written, and checked when they are read. A record in memory is
compared with its row as bytes, and neither decoded nor written again: so adding a page to a site costs about as much as
that page alone.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Mapping
from pathlib import Path

from scrapy_blockfilter.sample import PageRecord, SiteSample
from scrapy_blockfilter.sample.page_record import MAX_BLOCKS, MAX_BODY
from scrapy_blockfilter.sample.slots import MAX_LABEL, MAX_STEPS, SlotStep
from scrapy_blockfilter.store.errors import damaged_site

_CHECKSUM = 4
# Most bytes of a record and of its keys. Larger rows are not read.
MAX_RECORD = MAX_BODY + 4096
MAX_KEYS = 8 * MAX_BLOCKS


def read_sample(
    connection: sqlite3.Connection,
    path: Path,
    site_id: int,
    site: str,
    sample: SiteSample,
    known: Mapping[int, PageRecord],
    *,
    has_steps: bool = True,
) -> None:
    """Add the stored pages and slots of a site to a sample; raise StoreError for a damaged row.

    Rows equal to ``known`` records in memory are not read anew; if all rows are, no slot is read either. With known
    records, others are not decoded: the fit that follows decodes them, and drops damaged ones.
    """
    records: list[tuple[int, PageRecord]] = []
    is_known = True
    try:
        for page, keys, sealed in sealed_records(connection, site_id, sample.limit):
            record = known.get(page)
            if record is None or (record.keys, seal(site, page, record)) != (keys, sealed):
                record = unseal(site, page, keys, sealed, is_decoded=not known)
                is_known = False
            records.append((page, record))
    except ValueError as error:
        raise damaged_site(path, site, error) from error
    if is_known or not has_steps:
        sample.add_rows(records)
        return
    statement = "SELECT slot, parent, substr(label, 1, ?) FROM slots WHERE site_id = ? LIMIT ?"
    steps = connection.execute(statement, (MAX_LABEL, site_id, MAX_STEPS))
    sample.add_rows(records, {slot: SlotStep(parent, label) for slot, parent, label in steps})


def sealed_records(connection: sqlite3.Connection, site_id: int, limit: int) -> sqlite3.Cursor:
    """Return page, keys and sealed record of the first rows of a site; None for keys or records that are too large."""
    return connection.execute(
        "SELECT page, CASE WHEN length(blocks) <= ? THEN blocks END, CASE WHEN length(record) <= ? THEN record END "
        "FROM pages WHERE site_id = ? ORDER BY page LIMIT ?",
        (MAX_KEYS, MAX_RECORD, site_id, limit),
    )


def write_sample(
    connection: sqlite3.Connection, site_id: int, site: str, merged: SiteSample, known: Mapping[int, PageRecord]
) -> None:
    """Change the rows of a site from the known ones to those of ``merged``."""
    execute = connection.executemany
    cut = [(site_id, page) for page in known.keys() - merged.records.keys()]
    execute("DELETE FROM pages WHERE site_id = ? AND page = ?", cut)
    new = {page: record for page, record in merged.records.items() if known.get(page) != record}
    rows = [(site_id, page, record.keys, seal(site, page, record)) for page, record in new.items()]
    execute("INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?)", rows)
    steps = [(site_id, slot, *step) for slot, step in merged.steps.items()]
    execute("INSERT OR IGNORE INTO slots VALUES (?, ?, ?, ?)", steps)
    # The slots with the smallest hashes stay.
    first_to_go = "SELECT slot FROM slots WHERE site_id = ? ORDER BY slot LIMIT 1 OFFSET ?"
    statement = f"DELETE FROM slots WHERE site_id = ? AND slot >= ({first_to_go})"  # noqa: S608
    connection.execute(statement, (site_id, site_id, MAX_STEPS))


def seal(site: str, page: int, record: PageRecord) -> bytes:
    """Return a record's body with a checksum over the record, its page and its site."""
    # SQLite checks the form of its file, not the contents. Without the checksum, a row under the wrong site would count
    # as a page of that site.
    checksum = 0
    for part in (f"{site}\0{page}\0".encode(), record.keys, record.body):
        checksum = zlib.crc32(part, checksum)
    return record.body + checksum.to_bytes(_CHECKSUM, "big")


def unseal(site: str, page: object, keys: object, sealed: object, *, is_decoded: bool = True) -> PageRecord:
    """Return the record of a row; raise ValueError if it is not what was written. Its values may be of any type."""
    if keys is None or sealed is None:
        raise ValueError("a record that is too large")
    if not (isinstance(page, int) and isinstance(keys, bytes) and isinstance(sealed, bytes)):
        raise ValueError("a record that is not what was written")
    record = record_of(keys, sealed)
    if sealed != seal(site, page, record):
        raise ValueError("a record that is not what was written")
    if is_decoded:
        record.decode()  # which alone shows whether this release could have written it
    return record


def record_of(keys: bytes, sealed: bytes) -> PageRecord:
    """Return the record of a row unchecked."""
    return PageRecord(keys, sealed[:-_CHECKSUM])

"""The rows of a site's sample: its pages, the texts of their blocks, and what its slots are."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from scrapy_blockfilter.sample import PageRecord, SiteSample
from scrapy_blockfilter.sample.site_sample import MAX_TEXT
from scrapy_blockfilter.sample.slots import MAX_LABEL, MAX_STEPS, SlotStep
from scrapy_blockfilter.store.errors import damaged
from scrapy_blockfilter.store.sealed_rows import MAX_BLOCKS, MAX_KEYS, MAX_RECORD, seal, unseal


def read_sample(connection: sqlite3.Connection, path: Path, site_id: int, site: str, sample: SiteSample) -> None:
    """Add what is stored of a site to a sample.

    Raises:
        StoreError: a row is damaged.
    """
    execute = connection.execute
    pages = execute(
        "SELECT page, CASE WHEN length(blocks) <= ? THEN blocks END, CASE WHEN length(record) <= ? THEN record END "
        "FROM pages WHERE site_id = ? ORDER BY page LIMIT ?",
        (MAX_KEYS, MAX_RECORD, site_id, sample.limit),
    )
    try:
        records = [(page, unseal(site, page, keys, sealed)) for page, keys, sealed in pages]
    except ValueError as error:
        raise damaged(path, f"the site {site!r} has {error}") from error
    texts = execute(
        "SELECT block, substr(text, 1, ?) FROM blocks WHERE site_id = ? LIMIT ?",
        (MAX_TEXT, site_id, len(records) * MAX_BLOCKS),
    )
    steps = execute(
        "SELECT slot, parent, substr(label, 1, ?) FROM slots WHERE site_id = ? LIMIT ?",
        (MAX_LABEL, site_id, MAX_STEPS),
    )
    sample.add_rows(records, dict(texts), {slot: SlotStep(parent, label) for slot, parent, label in steps})


def write_sample(
    connection: sqlite3.Connection,
    site_id: int,
    site: str,
    merged: SiteSample,
    known: dict[int, PageRecord],
    known_texts: set[int],
) -> bool:
    """Change the rows of a site from the known ones to those of ``merged``, and return whether any page changed."""
    execute = connection.executemany
    cut = [(site_id, page) for page in known.keys() - merged.records.keys()]
    execute("DELETE FROM pages WHERE site_id = ? AND page = ?", cut)
    new = [
        (site_id, page, record.keys, seal(site, page, record))
        for page, record in merged.records.items()
        if known.get(page) != record
    ]
    execute("INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?)", new)
    orphaned = [(site_id, key) for key in known_texts - merged.texts.keys()]
    execute("DELETE FROM blocks WHERE site_id = ? AND block = ?", orphaned)
    new_texts = [(site_id, key, text) for key, text in merged.texts.items() if key not in known_texts]
    execute("INSERT OR IGNORE INTO blocks VALUES (?, ?, ?)", new_texts)
    return bool(cut or new)


def write_steps(connection: sqlite3.Connection, site_id: int, merged: SiteSample, known: set[int]) -> None:
    """Change the rows of the site's slots in the same way."""
    execute = connection.executemany
    cut = [(site_id, slot) for slot in known - merged.steps.keys()]
    execute("DELETE FROM slots WHERE site_id = ? AND slot = ?", cut)
    new = [(site_id, slot, *step) for slot, step in merged.steps.items() if slot not in known]
    execute("INSERT OR IGNORE INTO slots VALUES (?, ?, ?, ?)", new)

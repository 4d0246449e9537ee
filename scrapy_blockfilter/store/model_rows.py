"""The rows of fitted models: kept as bytes, and valid for the very sample that they were fitted to."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Sequence
from typing import NamedTuple

from scrapy_blockfilter.sample import PageRecord
from scrapy_blockfilter.sample.site_sample import digest_of_records
from scrapy_blockfilter.storable.array_bytes import MAX_BYTES, StateError, unpack
from scrapy_blockfilter.store.sample_rows import record_of, sealed_records
from scrapy_blockfilter.store.shared_file import Execute

# Models per site, the newest: projects whose spiders share a store have few different settings.
MAX_MODELS = 4
# Characters of a digest.
_DIGEST = 32


class ModelVersion(NamedTuple):
    """The notes of a store on a fitted model. The model follows from the sample and the options."""

    method: str
    pages: int  # that it was fitted to
    digest: str  # of all that was learnt
    templates: int  # distinct template blocks
    usual_kept: float  # the median share of its text that a page keeps


class StoredModel(NamedTuple):
    """A fitted model as bytes, for :func:`scrapy_blockfilter.model.restoring.from_stored`."""

    sample: str  # the digest of the sample that it was fitted to
    pages: Sequence[int]  # the hashes of the pages of that sample
    data: bytes


def read_model(connection: sqlite3.Connection, site_id: int, limit: int, conditions: str) -> StoredModel | None:
    """Return the model that was fitted under these conditions to the first ``limit`` pages that are stored now."""
    row = connection.execute(
        "SELECT substr(sample, 1, ?), CASE WHEN length(model) <= ? THEN model END FROM fitted_models "
        "WHERE site_id = ? AND conditions = ?",
        (_DIGEST + 1, MAX_BYTES, site_id, conditions),
    ).fetchone()
    if row is None or row[1] is None:
        return None
    digest, pages = _digest(connection, site_id, limit)
    return StoredModel(digest, pages, _inflated(row[1])) if digest and row[0] == digest else None


def write_model(
    connection: sqlite3.Connection, site_id: int, limit: int, conditions: str, sample: str, data: bytes
) -> None:
    """Keep a model in the caller's transaction, unless other pages are stored than it was fitted to."""
    if _digest(connection, site_id, limit)[0] != sample:
        return  # another process has added pages since
    connection.execute(
        "INSERT OR REPLACE INTO fitted_models (site_id, conditions, sample, model) VALUES (?, ?, ?, ?)",
        (site_id, conditions, sample, zlib.compress(data, 1)),
    )
    connection.execute(
        "DELETE FROM fitted_models WHERE site_id = ? AND id NOT IN "
        "(SELECT id FROM fitted_models WHERE site_id = ? ORDER BY id DESC LIMIT ?)",
        (site_id, site_id, MAX_MODELS),
    )


def damaged_models(execute: Execute, site: str) -> int:
    """Return the number of damaged models of a site."""
    rows = execute(
        "SELECT substr(conditions, 1, ?), substr(sample, 1, ?), CASE WHEN length(model) <= ? THEN model END "
        "FROM fitted_models JOIN sites ON sites.id = site_id WHERE site = ? LIMIT ?",
        (_DIGEST + 1, _DIGEST + 1, MAX_BYTES, site, MAX_MODELS),
    )
    damaged = 0
    for conditions, sample, data in rows:
        try:
            unpack(_inflated(data), about(site, str(conditions), str(sample)))
        except StateError:
            damaged += 1
    return damaged


def _inflated(packed: object) -> bytes:
    """Return the bytes of a model as they were before compression, b"" for a damaged value."""
    inflating = zlib.decompressobj()
    try:
        return inflating.decompress(packed, MAX_BYTES) if isinstance(packed, bytes) else b""
    except zlib.error:
        return b""


def about(site: str, conditions: str, sample: str) -> bytes:
    """Return the mark of the row that the bytes of a model belong to: bytes of another row are no model of it."""
    return "\0".join((site, conditions, sample)).encode()


def _digest(connection: sqlite3.Connection, site_id: int, limit: int) -> tuple[str, list[int]]:
    """Return the digest of the stored sample, without decoding it, and its pages."""
    records: dict[int, PageRecord] = {}
    for page, keys, sealed in sealed_records(connection, site_id, limit):
        if not (isinstance(keys, bytes) and isinstance(sealed, bytes)):
            return "", []  # too large, or damaged: loading the sample raises the error
        records[page] = record_of(keys, sealed)
    return digest_of_records(records), list(records)

"""Open the store of a crawl."""

from __future__ import annotations

import logging
from pathlib import Path

from scrapy.utils.conf import closest_scrapy_cfg

from scrapy_blockfilter.crawl.stats import STORE_ERRORS, Stats
from scrapy_blockfilter.methods import get_method
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.options.converters import STORES, scheme_of
from scrapy_blockfilter.store import DEFAULT_MAX_BYTES, MemoryStore, SqliteStore, StoreError, StoreKind, TemplateStore

logger = logging.getLogger(__name__)

# Beside the default store: held items of crawls whose store is no file. They are of this machine's crawls.
SPOOL = ".scrapy/blockfilter/held.db"


def store_of(options: Options, stats: Stats) -> TemplateStore:
    """Return the store of a crawl.

    A method that learns nothing creates no file. An existing file is opened, as it may hold corrections and held items.
    A server may be away now: it is asked when it is needed, and again later.
    """
    if scheme := scheme_of(options.store):
        kind: StoreKind = STORES.load(scheme)
        return kind.open(options.store, options)
    path = in_project(options.store)
    if get_method(options.method).single_page and not Path(path).exists():
        return MemoryStore()
    return open_store(path, stats, options.store_max_bytes)


def in_project(path: str) -> str:
    """Return a path. A relative one starts at the folder of scrapy.cfg, outside of a project at the current folder."""
    config = closest_scrapy_cfg()
    return str((Path(config).parent if config else Path()) / path)


def spool_of(store: TemplateStore) -> SqliteStore | None:
    """Return the file for held items: the store's, or one of this machine. None if the store's file has failed."""
    if isinstance(store, SqliteStore):
        return store
    return None if isinstance(store, MemoryStore) else SqliteStore(in_project(SPOOL))


def open_store(path: str, stats: Stats, max_bytes: int = DEFAULT_MAX_BYTES) -> TemplateStore:
    """Open the SQLite store at ``path``. If that fails, log what to do, and return a store in memory."""
    try:
        return SqliteStore(path, max_bytes=max_bytes)
    except StoreError as error:
        stats.inc_value(STORE_ERRORS)
        logger.error("The template store cannot be used, so nothing learnt in this crawl will be kept. %s", error)
        return MemoryStore()

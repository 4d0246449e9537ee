"""The store of a crawl."""

from __future__ import annotations

import logging
from pathlib import Path

from scrapy.utils.conf import closest_scrapy_cfg

from scrapy_blockfilter.crawl import stats as names
from scrapy_blockfilter.crawl.stats import Stats
from scrapy_blockfilter.methods import get_method
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.store import (
    DEFAULT_MAX_BYTES,
    MemoryStore,
    SqliteStore,
    StoreError,
    TemplateStore,
)

logger = logging.getLogger(__name__)


def store_of(options: Options, stats: Stats) -> TemplateStore:
    """The store. A method that learns nothing makes no file; one that is there may have corrections and left items."""
    path = store_path(options)
    if get_method(options.method).single_page and not Path(path).exists():
        return MemoryStore()
    return open_store(path, stats, options.store_max_bytes)


def store_path(options: Options) -> str:
    """The store's path; a relative one starts at the folder of scrapy.cfg, outside a project at the current one."""
    config = closest_scrapy_cfg()
    return str((Path(config).parent if config else Path()) / options.store)


def open_store(path: str, stats: Stats, max_bytes: int = DEFAULT_MAX_BYTES) -> TemplateStore:
    """The SQLite store at ``path``; where it cannot be used, an error line that says what to do, and memory instead."""
    try:
        return SqliteStore(path, max_bytes=max_bytes)
    except StoreError as error:
        stats.inc_value(names.STORE_ERRORS)
        logger.error("The template store cannot be used, so nothing learnt in this crawl will be kept. %s", error)
        return MemoryStore()

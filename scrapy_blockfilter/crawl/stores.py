"""Open the store of a crawl."""

from __future__ import annotations

import logging
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, cast

from scrapy.utils.conf import closest_scrapy_cfg

from scrapy_blockfilter.crawl.stats import STORE_ERRORS, Stats
from scrapy_blockfilter.methods import get_method
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.options.converters import STORES, scheme_of
from scrapy_blockfilter.store import MemoryStore, SqliteStore, StoreError, StoreKind, TemplateStore
from scrapy_blockfilter.store.errors import is_begun

logger = logging.getLogger(__name__)

# Beside the default store: what crawls of this machine keep in a file although their store is a server.
BESIDE = ".scrapy/blockfilter/held.db"


def store_of(options: Options, stats: Stats) -> TemplateStore:
    """Return the store of a crawl.

    A method that learns nothing creates no file. An existing file is opened, as it may hold corrections. A file that
    cannot be opened is logged, and what is learnt stays in memory. A server that is away now, and a file that another
    process holds, are asked when needed.
    """
    if scheme := scheme_of(options.store):
        kind: StoreKind = STORES.load(scheme)
        return kind.open(options.store, options)
    path = in_project(options.store)
    open_file = partial(SqliteStore, path, max_bytes=options.store_max_bytes)
    try:
        return open_file() if is_begun(Path(path)) or not get_method(options.method).single_page else MemoryStore()
    except StoreError as error:
        if error.kind == "locked":
            return cast("TemplateStore", _HeldStore(open_file))
        stats.inc_value(STORE_ERRORS)
        message = "The template store cannot be used: this crawl has no corrections, and keeps nothing it learns. %s"
        logger.error(message, error)
        return MemoryStore()


class _HeldStore:
    """A file that another process holds: each use tries to open it, and fails at once as long as it is held."""

    def __init__(self, open_file: partial[SqliteStore]) -> None:
        self._open_file = open_file
        self._store: SqliteStore | None = None

    def __getattr__(self, name: str) -> Any:
        member = getattr(SqliteStore, name)
        return partial(self._call, name) if callable(member) else member

    def _call(self, name: str, *arguments: object) -> Any:
        patience = {} if name == "retry" else {"opening_timeout": 0}  # which may be the last chance
        self._store = self._store or self._open_file(**patience)
        return getattr(self._store, name)(*arguments)


def in_project(path: str) -> str:
    """Return a path. A relative one starts at the folder of scrapy.cfg, outside of a project at the current folder."""
    config = closest_scrapy_cfg()
    return str((Path(config).parent if config else Path()) / path)


def warn_of_left_items(store: TemplateStore) -> None:
    """Log how many items earlier releases have left in a store's file, or in the one beside a store that is no file."""
    beside = Path(in_project(BESIDE))
    if isinstance(store, SqliteStore):
        for job, count in store.left_items().items():
            spider, _, folder = job.partition("\n")
            of_job = f"{spider!r} with JOBDIR {folder!r}" if folder else f"{spider!r} without JOBDIR"
            message = "%s has %d items that a crawl of %s by an earlier release held when it ended. They stay there: %s"
            advice = "run that crawl once more with release 0.3 to export them."
            logger.warning(message, store.path, count, of_job, advice)
    elif not isinstance(store, MemoryStore) and is_begun(beside):
        with closing(SqliteStore(beside, replaces=False)) as file:
            warn_of_left_items(file)

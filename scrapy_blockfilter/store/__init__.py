"""Keep site samples between crawls, in a SQLite file, or elsewhere by a store of another package.

``template_store`` says what a store does. ``opening`` opens and checks the file (``schema``), ``shared_file`` lets
processes take turns on it, and ``sqlite`` is the store in it. ``keys`` and ``sample_rows`` say how samples are written,
``model_rows`` how models are. ``memory`` has stores that write no file, and ``errors`` says what to do when a store
fails.

A store also holds versions of models, ``suspects`` and people's ``corrections``. ``size_limit`` bounds the file, and
``set_aside`` begins a new one. ``merging`` says what a store needs to be merged. ``overview`` is for people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy_blockfilter.options.removed import replacement
from scrapy_blockfilter.store.errors import StoreError
from scrapy_blockfilter.store.memory import MemoryStore, ReadOnlyStore
from scrapy_blockfilter.store.model_rows import ModelVersion
from scrapy_blockfilter.store.size_limit import DEFAULT_MAX_BYTES
from scrapy_blockfilter.store.sqlite import SqliteStore
from scrapy_blockfilter.store.suspects import Suspect
from scrapy_blockfilter.store.template_store import Mergeable, StoreKind, TemplateStore

__all__ = ["DEFAULT_MAX_BYTES", "MemoryStore", "Mergeable", "ModelVersion", "ReadOnlyStore"]
__all__ += ["SqliteStore", "StoreError", "StoreKind", "Suspect", "TemplateStore"]

if not TYPE_CHECKING:  # to checkers of types, unknown attributes stay unknown

    def __getattr__(name: str) -> Any:
        if told := replacement(f"{__name__}.{name}"):
            raise ImportError(told)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

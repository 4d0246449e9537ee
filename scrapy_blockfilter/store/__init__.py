"""Keep site samples between crawls, in a SQLite file, or elsewhere by a store of another package.

``template_store`` says what a store does, and ``sqlite`` is the one in a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy_blockfilter.options.removed import replacement
from scrapy_blockfilter.store.errors import StoreError
from scrapy_blockfilter.store.memory import MemoryStore, ReadOnlyStore
from scrapy_blockfilter.store.model_rows import ModelVersion
from scrapy_blockfilter.store.size_limit import DEFAULT_MAX_BYTES
from scrapy_blockfilter.store.sqlite import SqliteStore
from scrapy_blockfilter.store.template_store import Mergeable, StoreKind, Suspect, TemplateStore

__all__ = ["DEFAULT_MAX_BYTES", "MemoryStore", "Mergeable", "ModelVersion", "ReadOnlyStore"]
__all__ += ["SqliteStore", "StoreError", "StoreKind", "Suspect", "TemplateStore"]

if not TYPE_CHECKING:  # to checkers of types, unknown attributes stay unknown

    def __getattr__(name: str) -> Any:
        if told := replacement(f"{__name__}.{name}"):
            raise ImportError(told)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

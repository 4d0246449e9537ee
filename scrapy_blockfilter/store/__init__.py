"""Where site samples are kept between crawls: a protocol, and SQLite behind it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from scrapy_blockfilter.options.selectors import Corrections
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store.errors import StoreError
from scrapy_blockfilter.store.memory import MemoryStore
from scrapy_blockfilter.store.model_versions import ModelVersion
from scrapy_blockfilter.store.size_limit import DEFAULT_MAX_BYTES
from scrapy_blockfilter.store.sqlite import SqliteStore
from scrapy_blockfilter.store.suspects import Suspect

__all__ = ["DEFAULT_MAX_BYTES", "MemoryStore", "ModelVersion", "SqliteStore", "StoreError", "TemplateStore"]


class TemplateStore(Protocol):
    """Keeps the sample of each site. All of it may raise :class:`StoreError`."""

    def load(self, site: str, limit: int) -> SiteSample:
        """The sample of a site, at most ``limit`` pages; an empty one for an unknown site."""
        ...

    def save(self, site: str, sample: SiteSample) -> SiteSample:
        """Merge a sample into what is kept of the site, and return the merged sample."""
        ...

    def note(self, site: str, version: ModelVersion) -> None:
        """Note that a model was fitted, unless the newest version noted says the same."""
        ...

    def suspects(self, site: str) -> Sequence[Suspect]:
        """The newest pages of a site that may have lost content, the newest last."""
        ...

    def note_suspects(self, site: str, new: Sequence[Suspect], cleared: Iterable[str]) -> None:
        """Add some to them, and take away those with the URLs in ``cleared``; nothing for an unknown site."""
        ...

    def corrections(self) -> Mapping[str, Corrections]:
        """What people decided about sites, by site; the same object as long as it is the same."""
        ...

    def close(self) -> None: ...

"""A store for commands that look: nothing learnt while looking is kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from scrapy_blockfilter.options.selectors import Corrections
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store.errors import StoreError
from scrapy_blockfilter.store.model_rows import ModelVersion, StoredModel
from scrapy_blockfilter.store.sqlite import SqliteStore
from scrapy_blockfilter.store.suspects import Suspect


class ReadOnlyStore:
    """A :class:`scrapy_blockfilter.store.TemplateStore` that reads another store, and leaves what is learnt as it is.

    Args:
        keeps_models: keep models that had to be fitted, for other processes; nothing happens where that fails.
    """

    def __init__(self, store: SqliteStore, *, keeps_models: bool = False) -> None:
        self._store = store
        self.keeps_models = keeps_models

    def load(self, site: str, limit: int) -> SiteSample:
        return self._store.load(site, limit)

    def news(self, site: str, sample: SiteSample) -> SiteSample:
        return self._store.news(site, sample)

    def save(self, site: str, sample: SiteSample) -> SiteSample:
        return self._store.load(site, sample.limit).merge(sample)

    def count(self, site: str) -> int:
        return self._store.count(site)

    def load_model(self, site: str, limit: int, conditions: str, fitted_to: str = "") -> StoredModel | None:
        return self._store.load_model(site, limit, conditions, fitted_to)

    def save_model(self, site: str, limit: int, conditions: str, sample: str, data: bytes) -> None:
        if self.keeps_models:
            with suppress(StoreError):
                self._store.save_model(site, limit, conditions, sample, data)

    def touch(self, site: str) -> None:
        pass

    def note(self, site: str, version: ModelVersion) -> None:
        pass

    def suspects(self, site: str) -> Sequence[Suspect]:
        return self._store.suspects(site)

    def note_suspects(self, site: str, new: Sequence[Suspect], cleared: Iterable[str]) -> None:
        pass

    def corrections(self) -> Mapping[str, Corrections]:
        return self._store.corrections()

    def is_shared(self) -> bool:
        return False

    def retry(self) -> None:
        pass

    def close(self) -> None:
        pass

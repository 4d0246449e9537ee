"""A read-only store: nothing learnt while looking is kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scrapy_blockfilter.options.selectors import Corrections
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store.model_versions import ModelVersion
from scrapy_blockfilter.store.sqlite import SqliteStore
from scrapy_blockfilter.store.suspects import Suspect


class FrozenStore:
    """A :class:`scrapy_blockfilter.store.TemplateStore` that reads another store and writes nothing."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store

    def load(self, site: str, limit: int) -> SiteSample:
        return self._store.load(site, limit)

    def save(self, site: str, sample: SiteSample) -> SiteSample:
        return sample

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

    def close(self) -> None:
        pass

"""Stores that write no file: one for when the file cannot be used, and one for commands that look."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress

from scrapy_blockfilter.options.selectors import Corrections
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store.errors import StoreError
from scrapy_blockfilter.store.model_rows import StoredModel
from scrapy_blockfilter.store.template_store import Suspect, TemplateStore

# Sites, beside those that the learner has in memory. Each takes 0.1 MB, all 100 MB.
MAX_SITES = 1_000


class MemoryStore(TemplateStore):
    """Keep the samples of the sites saved last, as long as the crawl lasts."""

    def __init__(self, max_sites: int = MAX_SITES) -> None:
        self._max_sites = max_sites
        self._samples: OrderedDict[str, SiteSample] = OrderedDict()

    def load(self, site: str, limit: int) -> SiteSample:
        return self._samples.get(site, SiteSample(limit))

    def save(self, site: str, sample: SiteSample) -> SiteSample:
        self._samples[site] = sample
        self._samples.move_to_end(site)
        if len(self._samples) > self._max_sites:
            self._samples.popitem(last=False)
        return sample

    def count(self, site: str) -> int:
        return len(self._samples.get(site, ()))


class ReadOnlyStore(TemplateStore):
    """Read another store, and leave its samples as they are."""

    # Whether models that had to be fitted are kept, for other processes. A failure of that is ignored.
    keeps_models: bool = False

    def __init__(self, store: TemplateStore, *, keeps_models: bool = False) -> None:
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

    def load_model(self, site: str, limit: int, conditions: str) -> StoredModel | None:
        return self._store.load_model(site, limit, conditions)

    def save_model(self, site: str, limit: int, conditions: str, sample: str, data: bytes) -> None:
        if self.keeps_models:
            with suppress(StoreError):
                self._store.save_model(site, limit, conditions, sample, data)

    def suspects(self, site: str) -> Sequence[Suspect]:
        return self._store.suspects(site)

    def corrections(self) -> Mapping[str, Corrections]:
        return self._store.corrections()

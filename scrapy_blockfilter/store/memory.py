"""A store that lasts as long as the crawl, for when the file cannot be used."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from scrapy_blockfilter.options.selectors import Corrections
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store.suspects import Suspect

if TYPE_CHECKING:
    from scrapy_blockfilter.store.model_rows import ModelVersion

# Sites, besides those that the learner has in memory. Each takes 0.23 MB, all 230 MB.
MAX_SITES = 1_000


class MemoryStore:
    """Keep the samples of the sites saved last."""

    keeps_models = False

    def __init__(self, max_sites: int = MAX_SITES) -> None:
        self._max_sites = max_sites
        self._samples: OrderedDict[str, SiteSample] = OrderedDict()
        self._corrections: dict[str, Corrections] = {}

    def load(self, site: str, limit: int) -> SiteSample:
        return self._samples.get(site, SiteSample(limit))

    def news(self, site: str, sample: SiteSample) -> SiteSample:
        return sample

    def save(self, site: str, sample: SiteSample) -> SiteSample:
        self._samples[site] = sample
        self._samples.move_to_end(site)
        if len(self._samples) > self._max_sites:
            self._samples.popitem(last=False)
        return sample

    def count(self, site: str) -> int:
        return len(self._samples.get(site, ()))

    def load_model(self, site: str, limit: int, conditions: str, fitted_to: str = "") -> None:
        return None  # the learner has the models of the sites met last

    def save_model(self, site: str, limit: int, conditions: str, sample: str, data: bytes) -> None:
        pass

    def touch(self, site: str) -> None:
        pass

    def note(self, site: str, version: ModelVersion) -> None:
        pass

    def suspects(self, site: str) -> Sequence[Suspect]:
        return ()  # nobody could ask after the crawl, and during it the learner has them

    def note_suspects(self, site: str, new: Sequence[Suspect], cleared: Iterable[str]) -> None:
        pass

    def corrections(self) -> Mapping[str, Corrections]:
        return self._corrections

    def is_shared(self) -> bool:
        return False

    def retry(self) -> None:
        pass

    def close(self) -> None:
        pass

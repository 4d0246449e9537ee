"""The models of a store that were fitted under the same options, by the same release."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.model import SiteModel, fit
from scrapy_blockfilter.model.restoring import conditions_of, from_stored, stored_bytes
from scrapy_blockfilter.options.selectors import Corrections, why_unusable
from scrapy_blockfilter.sample import SAMPLE_GROWTH, SiteSample
from scrapy_blockfilter.storable.array_bytes import StateError
from scrapy_blockfilter.store import ModelVersion, TemplateStore
from scrapy_blockfilter.store.model_rows import about

logger = logging.getLogger(__name__)


class LoadedModel(NamedTuple):
    """A model from the store, and the hashes of the pages there. The model may be fitted to fewer."""

    model: SiteModel
    pages: Sequence[int]


class FittedModels:
    """The fitted models of a store. Every method may raise :class:`scrapy_blockfilter.store.StoreError`."""

    def __init__(self, store: TemplateStore, reader: Reader) -> None:
        self._store = store
        self._reader = reader
        self._limit = SAMPLE_GROWTH * reader.options.pages
        self._conditions = conditions_of(reader.options)

    def load(self, site: str) -> LoadedModel | None:
        """Return the model of a site's sample as it is now, or None. Damaged bytes raise StateError."""
        stored = self._store.load_model(site, self._limit, self._conditions)
        if stored is None:
            return None
        owner = about(site, self._conditions, stored.sample)
        return LoadedModel(from_stored(stored.data, owner, self._reader, len(stored.pages)), stored.pages)

    def load_or_fit(self, site: str, sample: SiteSample) -> SiteModel:
        """Return the model of a site from the store, or else fit it to the sample."""
        with suppress(StateError):
            loaded = self.load(site)
            if loaded is not None and loaded.model.pages == len(loaded.pages):
                return loaded.model
        return fit(sample, self._reader)

    def keep(self, site: str, sample: SiteSample, model: SiteModel) -> None:
        """Keep a model with the sample in the store, which may have grown since the fit. Note one of N pages."""
        if model.pages >= model.options.pages:
            version = model.options.method, model.pages, model.digest, len(model.templates), model.usual_kept
            self._store.note(site, ModelVersion(*version))
        if not self._store.keeps_models:
            return
        digest = sample.digest()
        data = stored_bytes(model, about(site, self._conditions, digest))
        if data is not None:
            self._store.save_model(site, self._limit, self._conditions, digest, data)


def usable_corrections(site: str, corrections: Corrections) -> Corrections:
    """Return the corrections that can be applied, and log the others. A store may hold text from anyone."""
    keep, drop = (tuple(_usable(site, selectors)) for selectors in corrections[:2])
    return Corrections(keep, drop, corrections.by)


def _usable(site: str, selectors: Iterable[str]) -> Iterator[str]:
    message = "The correction %.200r of %s is not applied: %s. Undo it by `scrapy blockfilter undo`."
    for selector in selectors:
        if reason := why_unusable(selector):
            logger.warning(message, selector, site, reason)
        else:
            yield selector

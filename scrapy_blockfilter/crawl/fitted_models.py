"""Load models as they were fitted before, and keep new ones for other processes and later crawls."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from scrapy_blockfilter.hashing import digest_of
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.model import SiteModel, fit
from scrapy_blockfilter.model.restoring import conditions_of, from_bytes, to_bytes
from scrapy_blockfilter.release import __version__
from scrapy_blockfilter.sample import SAMPLE_GROWTH, SiteSample
from scrapy_blockfilter.state import StateError
from scrapy_blockfilter.store import ModelVersion, TemplateStore
from scrapy_blockfilter.store.model_rows import about


def version_of(model: SiteModel) -> ModelVersion:
    """Return what a store notes of a model."""
    return ModelVersion(model.options.method, model.pages, model.digest, len(model.templates), model.usual_kept)


class FittedTo(NamedTuple):
    """What a kept model was fitted to: the digest of a sample, and the number of its pages."""

    sample: str
    pages: int


class LoadedModel(NamedTuple):
    """A model from the store.

    Attributes:
        pages: hashes of the pages that are stored now.
        is_outdated: whether these are others than it was fitted to.
    """

    model: SiteModel
    pages: Sequence[int]
    fitted_to: FittedTo
    is_outdated: bool


class FittedModels:
    """The models of a store that were fitted under the same options, by the same release.

    Every method may raise :class:`scrapy_blockfilter.store.StoreError`.
    """

    def __init__(self, store: TemplateStore, reader: Reader) -> None:
        self._store = store
        self._reader = reader
        options = reader.options
        self._limit = SAMPLE_GROWTH * options.pages
        self._conditions = digest_of((__version__, conditions_of(options)))

    def load(self, site: str, before: FittedTo | None = None) -> LoadedModel | None:
        """Return the model of a site; None if there is none that was fitted to the sample as it is now.

        Args:
            before: what the model was fitted to that will do, too.

        Raises:
            StateError: what is stored is no model.
        """
        stored = self._store.load_model(site, self._limit, self._conditions, before.sample if before else "")
        if stored is None:
            return None
        owner = about(site, self._conditions, stored.sample)
        count = before.pages if before and not stored.is_of_these else len(stored.pages)
        model = from_bytes(stored.data, owner, self._reader, count)
        return LoadedModel(model, stored.pages, FittedTo(stored.sample, count), not stored.is_of_these)

    def load_or_fit(self, site: str, sample: SiteSample) -> SiteModel:
        """Return the model of a site, fitted to its sample if there is none in the store."""
        with suppress(StateError):
            loaded = self.load(site)
            if loaded is not None:
                return loaded.model
        return fit(sample, self._reader)

    def keep(self, site: str, sample: SiteSample, model: SiteModel) -> FittedTo | None:
        """Keep a model that was fitted to a sample, if that is the one in the store; None if it cannot be kept."""
        if not self._store.keeps_models:
            return None
        digest = sample.digest()
        data = to_bytes(model, about(site, self._conditions, digest))
        if data is None:
            return None
        self._store.save_model(site, self._limit, self._conditions, digest, data)
        return FittedTo(digest, len(sample))

    def keeps(self, model: SiteModel) -> bool:
        """Whether models like this one can be kept."""
        return self._store.keeps_models and model.fitted.state() is not None

"""The store of a crawl, whose failures cost the crawl nothing: it goes on with the sites in memory."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TypeVar

from scrapy_blockfilter.crawl.log_once import LogOnce
from scrapy_blockfilter.crawl.stats import STORE_ERRORS, Stats
from scrapy_blockfilter.crawl.stored_models import FittedModels
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.options.selectors import Corrections
from scrapy_blockfilter.sample import SAMPLE_GROWTH, SiteSample
from scrapy_blockfilter.storable.array_bytes import StateError
from scrapy_blockfilter.store import StoreError, Suspect, TemplateStore
from scrapy_blockfilter.store.keys import main_site, stored_key

logger = logging.getLogger(__name__)
T = TypeVar("T")

# Seconds between checks of the corrections. A check takes 12 µs if nobody has written, so the interval suits people: a
# correction shows on the next page or the one after.
LOOK_EVERY = 1.0


class SoftStore:
    """The store under the keys of layouts and segmenters. Each kind of error is logged once, and all are counted."""

    def __init__(
        self, store: TemplateStore, reader: Reader, stats: Stats, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.reader = reader
        self.stats = stats
        self._store = store
        self._segmenter = reader.options.segmentation
        self._limit = SAMPLE_GROWTH * reader.options.pages
        self._models = FittedModels(store, reader)
        self._clock = clock
        self._log = LogOnce(logger)
        self._corrections: Mapping[str, Corrections] = {}
        self._look_at = clock()
        self._has_written = False

    @contextmanager
    def failing(self) -> Iterator[None]:
        """Let the store fail inside."""
        try:
            yield
        except StoreError as error:
            self.report(error)

    def report(self, error: StoreError) -> None:
        """Count an error of the store, and log the first of its kind."""
        self.stats.inc_value(STORE_ERRORS)
        message = "The template store failed; the crawl goes on with what is in memory. %s"
        self._log.error(error.kind, message, error)

    def together(self) -> AbstractContextManager[object]:
        """Return a context whose changes are kept all at once at its end. Failures raise StoreError."""
        return self._store.together()

    def load(self, key: str) -> SiteSample:
        """Load a sample, empty for an unknown site."""
        return self._asked(self._store.load, key, self._limit, otherwise=SiteSample(self._limit))

    def hashes(self, key: str) -> Collection[int] | None:
        """Return the hashes of the pages of a sample, None if the sample is as cheaply loaded."""
        with self.failing():
            return self._store.hashes(self._stored(key), self._limit)
        return ()

    def news(self, key: str, sample: SiteSample) -> SiteSample:
        """Return a sample with the pages that others have added to the store."""
        return self._asked(self._store.news, key, sample, otherwise=sample)

    def count(self, key: str) -> int:
        return self._asked(self._store.count, key, otherwise=0)

    def suspects(self, site: str) -> Collection[Suspect]:
        return self._asked(self._store.suspects, site, otherwise=())

    def model(self, key: str) -> tuple[SiteModel, Collection[int]] | None:
        """Load a model that was fitted before to the stored sample, with its pages, and note that the site is used."""
        try:
            loaded = self._asked(self._models.load, key, otherwise=None)
        except StateError as error:
            message = "The stored model of %s cannot be used (%s): it is fitted anew, as are others like it."
            self._log.warning("model", message, main_site(key), error)
            return None
        if loaded is not None:
            self._asked(self._store.touch, key, otherwise=None)
        return loaded

    def look(self) -> None:
        """Read the corrections of all sites again, once in a while; those read last stay if the store fails."""
        now = self._clock()
        if now >= self._look_at:
            self._look_at = now + LOOK_EVERY
            with self.failing():
                self._corrections = self._store.corrections()

    def corrections(self, site: str) -> Corrections | None:
        """Return the corrections of a site or None: the same object as long as no correction changes."""
        return self._corrections.get(site)

    def save(self, key: str, sample: SiteSample) -> SiteSample:
        """Merge a sample into the store, and return the result. Failures raise StoreError."""
        return self._store.save(self._stored(key), sample)

    def save_suspects(self, site: str, new: Collection[Suspect], cleared: Collection[str]) -> None:
        """Add and remove pages of a site that may have lost content. Failures raise StoreError."""
        self._store.note_suspects(self._stored(site), list(new), cleared)

    def save_model(self, key: str, sample: SiteSample, model: SiteModel) -> None:
        """Save a model that was fitted to pages of a sample. Failures raise StoreError."""
        self._models.keep(self._stored(key), sample, model)

    def is_shared(self) -> bool:
        """Return whether others use the store, and it can be used."""
        with suppress(StoreError):  # reported when it is read or written
            return self._store.is_shared()
        return False

    def wants_each_page(self) -> bool:
        """Return whether to write a page of a site that has fewer than N at once, and to read those of others."""
        is_first = not self._has_written  # which is written, so that other processes notice this one
        self._has_written = True
        return is_first or self.is_shared()

    def retry(self) -> None:
        """Use the store at the next call, even if it has just failed."""
        with self.failing():
            self._store.retry()

    def close(self) -> None:
        with self.failing():
            self._store.close()

    def _asked(self, ask: Callable[..., T], key: str, *more: object, otherwise: T) -> T:
        with self.failing():
            return ask(self._stored(key), *more)
        return otherwise

    def _stored(self, key: str) -> str:
        return stored_key(key, self._segmenter)

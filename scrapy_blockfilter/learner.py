"""What is known of each site in a crawl: learning until it has shown N pages, ready from then on.

The model of a site is fitted at N pages, and again whenever its sample has doubled. It stays in memory; the store is
touched when a site is first met, when it gets a model, and at the end.
"""

from __future__ import annotations

import logging
from typing import Any, Protocol

from scrapy_blockfilter import stats as names
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.model import SiteModel, fit
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.residents import MAX_SITES, Residents
from scrapy_blockfilter.sample import SAMPLE_GROWTH, SiteSample
from scrapy_blockfilter.store import (
    DEFAULT_MAX_BYTES,
    MemoryStore,
    ModelVersion,
    SqliteStore,
    StoreError,
    TemplateStore,
)
from scrapy_blockfilter.terms import TermMaker

logger = logging.getLogger(__name__)


class Stats(Protocol):
    def inc_value(self, key: str, count: int = 1) -> Any: ...


class _Site:
    """Sample and model of one site."""

    __slots__ = ("fit_at", "is_unsaved", "model", "sample")

    def __init__(self, sample: SiteSample, fit_at: int) -> None:
        self.sample = sample
        self.fit_at = fit_at
        self.model: SiteModel | None = None
        self.is_unsaved = False


class Learner:
    """Learns sites from their pages and gives their models.

    Args:
        store: where samples come from and go to; one that fails is reported once, and the crawl goes on without it.
    """

    def __init__(self, options: Options, store: TemplateStore, stats: Stats, *, max_sites: int = MAX_SITES) -> None:
        self.options = options
        self.terms = TermMaker()
        self._store = store
        self._stats = stats
        self._sites: Residents[_Site] = Residents(max_sites)
        self._ready: set[str] = set()
        self._told: set[str] = set()

    def wants(self, site: str, page_hash: int) -> bool:
        """Whether a page would add to what is known of its site: asked before the work of segmenting it."""
        return self._site(site).sample.wants(page_hash)

    def learn(self, site: str, page_hash: int, page: Page) -> None:
        """Take in a page; a page taken in before changes nothing."""
        state = self._site(site)
        if not state.sample.wants(page_hash):
            return
        state.sample.add(page_hash, page)
        state.is_unsaved = True
        self._sites.resize(site, state.sample)
        self._stats.inc_value(names.PAGES_LEARNT)
        if len(state.sample) >= state.fit_at:
            self._save(site, state)
            self._fit(site, state)

    def model(self, site: str) -> SiteModel | None:
        """The model of a site, None while it has shown fewer than N pages."""
        return self._site(site).model

    def close(self) -> None:
        """Write what is not written yet, and close the store."""
        for site, state in self._sites.items():
            self._save(site, state)
        self._store.close()

    def _site(self, site: str) -> _Site:
        state = self._sites.get(site)
        if state is None:
            state = self._load(site)
            self._sites.put(site, state)
            self._sites.resize(site, state.sample)
            self._make_room()
        return state

    def _load(self, site: str) -> _Site:
        limit = SAMPLE_GROWTH * self.options.pages
        try:
            sample = self._store.load(site, limit)
        except StoreError as error:
            self._report(error)
            sample = SiteSample(limit)
        state = _Site(sample, self.options.pages)
        if len(sample) >= self.options.pages:
            if site not in self._ready:
                self._stats.inc_value(names.SITES_KNOWN)
            self._fit(site, state)
        return state

    def _fit(self, site: str, state: _Site) -> None:
        state.model = model = fit(state.sample, self.options, self.terms)
        while state.fit_at <= len(state.sample):
            state.fit_at *= 2
        self._stats.inc_value(names.MODELS_FITTED)
        if site not in self._ready:
            self._ready.add(site)
            self._stats.inc_value(names.SITES_READY)
            logger.info(
                "%s is ready: %d pages learnt, %d template blocks, %.0f %% of a page's text is kept",
                site,
                model.pages,
                len(model.templates),
                100 * model.usual_kept,
            )
        try:
            self._store.note(site, ModelVersion.of(model))
        except StoreError as error:
            self._report(error)

    def _save(self, site: str, state: _Site) -> None:
        if not state.is_unsaved:
            return
        try:
            state.sample = self._store.save(site, state.sample)
            state.is_unsaved = False
        except StoreError as error:
            self._report(error)

    def _make_room(self) -> None:
        """Let the least recently met sites go to the store, from which they come back."""
        while (excess := self._sites.excess()) is not None:
            site, state = excess
            self._save(site, state)
            if state.is_unsaved and self._sites.excess(with_grace=True) is None:  # the store does not take it
                return
            if state.is_unsaved:
                self._stats.inc_value(names.SITES_FORGOTTEN)
            self._sites.remove(site)

    def _report(self, error: StoreError) -> None:
        self._stats.inc_value(names.STORE_ERRORS)
        if error.kind not in self._told:
            self._told.add(error.kind)
            logger.error("The template store failed, the crawl goes on with what is in memory. %s", error)


def open_store(path: str, stats: Stats, max_bytes: int = DEFAULT_MAX_BYTES) -> TemplateStore:
    """The SQLite store at ``path``; where it cannot be used, an error line that says what to do, and memory instead."""
    try:
        return SqliteStore(path, max_bytes=max_bytes)
    except StoreError as error:
        stats.inc_value(names.STORE_ERRORS)
        logger.error("The template store cannot be used, so nothing learnt in this crawl will be kept. %s", error)
        return MemoryStore()

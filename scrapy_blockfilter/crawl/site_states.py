"""Keep what is known of sites: those met last in memory, all of them in the store."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Mapping

from scrapy_blockfilter.crawl.fitted_models import FittedModels, FittedTo, LoadedModel, version_of
from scrapy_blockfilter.crawl.layout_state import LayoutState
from scrapy_blockfilter.crawl.log_once import LogOnce
from scrapy_blockfilter.crawl.peer_sync import PeerSync
from scrapy_blockfilter.crawl.site_cache import MAX_SITES, SiteCache
from scrapy_blockfilter.crawl.site_pages import SitePages
from scrapy_blockfilter.crawl.stats import SITES_FORGOTTEN, STORE_ERRORS, Stats
from scrapy_blockfilter.crawl.suspects import Suspects
from scrapy_blockfilter.html.segmenters import TEXT_CHUNKS, Segmenter
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.options.selectors import Corrections
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.state import StateError
from scrapy_blockfilter.store import StoreError, TemplateStore
from scrapy_blockfilter.store.keys import main_site, misfits_key, stored_key

logger = logging.getLogger(__name__)

# Sites of which it is remembered what their models were fitted to: 300 bytes each.
_MAX_LEFT = 100_000


class SiteStates:
    """The states of all layouts, by key.

    Samples of different segmenters are stored apart. If the store fails, each kind of error is logged once, and the
    crawl goes on with what is in memory.
    """

    def __init__(
        self,
        store: TemplateStore,
        models: FittedModels,
        stats: Stats,
        *,
        segmenter: Segmenter = TEXT_CHUNKS,
        max_sites: int = MAX_SITES,
    ) -> None:
        self.sharing = PeerSync(store)
        self._store = store
        self._models = models
        self._segmenter = segmenter
        self._stats = stats
        self._residents: SiteCache[LayoutState] = SiteCache(max_sites)
        # What the models of sites that have left memory were fitted to, where these have more pages by now.
        self._left: OrderedDict[str, FittedTo] = OrderedDict()
        self._log = LogOnce(logger)
        self._corrections: Mapping[str, Corrections] = {}

    def get(self, key: str) -> LayoutState | None:
        """Return a state that is in memory, else None."""
        return self._residents.get(key)

    def put(self, key: str, state: LayoutState) -> None:
        """Add a state to memory. The least recently met sites move to the store if there are too many."""
        self._residents.put(key, state)
        self._residents.resize(key, state.pages.in_memory)
        self._make_room()

    def load(self, key: str, limit: int) -> SiteSample:
        """Load a sample from the store."""
        try:
            return self._store.load(self._stored(key), limit)
        except StoreError as error:
            self._report(error)
            return SiteSample(limit)

    def take_news(self, key: str, state: LayoutState) -> None:
        """Take in the pages that others have added to the stored sample."""
        try:
            state.pages.replace(self._store.news(self._stored(key), state.pages.sample))
            self._residents.resize(key, state.pages.in_memory)
        except StoreError as error:
            self._report(error)

    def load_model(self, key: str, limit: int) -> tuple[LoadedModel, SitePages] | None:
        """Load a model that was fitted before to the sample in the store, with its pages, which are not read yet.

        Of a site that has left memory in this crawl it may be older, as it was there.
        """
        try:
            loaded = self._models.load(self._stored(key), self._left.pop(key, None))
        except StoreError as error:
            self._report(error)
            return None
        except StateError as error:
            message = "The stored model of %s cannot be used (%s): it is fitted anew, as are others like it."
            self._log.warning("model", message, main_site(key), error)
            return None
        if loaded is None:
            return None
        self._touch(key)
        return loaded, SitePages(SiteSample(limit), loaded.pages, lambda: self.load(key, limit))

    def count(self, key: str) -> int:
        """Return the number of pages in the store."""
        try:
            return self._store.count(self._stored(key))
        except StoreError as error:
            self._report(error)
            return 0

    def suspects(self, site: str) -> Suspects:
        """Load the pages of a site that may have lost content from the store."""
        try:
            return Suspects(self._store.suspects(self._stored(site)))
        except StoreError as error:
            self._report(error)
            return Suspects()

    def note_change(self, key: str, state: LayoutState) -> None:
        """Note that the sample of a state differs from the one in the store."""
        state.is_unsaved = state.is_outdated = True
        self._residents.resize(key, state.pages.in_memory)

    def note_model(self, key: str, state: LayoutState, model: SiteModel) -> None:
        """Note in the store that a model was fitted, and keep it there.

        Pages are decoded until their fit, in several times the memory of their records. Only these stay.
        """
        state.is_outdated = False
        state.fitted_to = None
        state.pages.sample.pack()
        self._residents.resize(key, state.pages.in_memory)
        try:
            self._store.note(self._stored(key), version_of(model))
            state.fitted_to = self._models.keep(self._stored(key), state.pages.sample, model)
        except StoreError as error:
            self._report(error)

    def log_quoted(self, site: str, sample: SiteSample, quoted: Mapping[int, int]) -> None:
        """Log the long texts that stay although many pages have them, at level DEBUG only."""
        for key, count in sorted(quoted.items()):
            logger.debug(
                "%s keeps a text as content that is on %d of %d pages, unless BLOCKFILTER_DROP strips it: %r",
                site,
                count,
                len(sample),
                sample.texts.get(key, ""),
            )

    def tell_unreadable(self, key: str, pages: int) -> None:
        """Count and log pages of other processes that cannot be decoded."""
        message = (
            f"{pages} pages of {main_site(key)!r} in the store are not what a crawl has written: they are left out."
        )
        self._report(StoreError(message, "damaged"))

    def tell_ready(self, site: str, model: SiteModel) -> None:
        """Log that the first model of a site was fitted."""
        logger.info(
            "%s is ready: %d pages learnt, %d template blocks, %.0f %% of a page's text is kept",
            site,
            model.pages,
            len(model.templates),
            100 * model.usual_kept,
        )

    def tell_layout(self, site: str, state: LayoutState) -> None:
        """Log that a further layout of a site was learnt."""
        logger.info(
            "%s has changed: layout %d was learnt from %d pages. Pages that fit an older layout are judged by that one",
            site,
            state.number,
            len(state.pages),
        )

    def corrections(self) -> Mapping[str, Corrections]:
        """Return the corrections of all sites; those read last if the store cannot be read."""
        try:
            self._corrections = self._store.corrections()
        except StoreError as error:
            self._report(error)
        return self._corrections

    def retry(self) -> None:
        """Use the store at the next call, even if it has just failed."""
        self._store.retry()

    def save_all(self) -> None:
        """Save the unsaved changes of all sites in memory."""
        for key, state in self._residents.items():
            self.save(key, state)

    def outdated(self) -> list[tuple[str, LayoutState]]:
        """Return the sites whose stored models do not know all of their pages, those met last first."""
        known = [(key, state) for key, state in self._residents.items() if state.is_outdated and not state.is_unsaved]
        return [(key, state) for key, state in known[::-1] if state.model and self._models.keeps(state.model)]

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    def save(self, key: str, state: LayoutState) -> None:
        """Save the unsaved changes of a site."""
        misfits = state.layouts.misfits
        try:
            if state.is_unsaved:
                state.pages.replace(self._store.save(self._stored(key), state.pages.in_memory))
                state.is_unsaved = False
                self._residents.resize(key, state.pages.in_memory)
            if misfits is not None and misfits.is_unsaved:
                self._store.save(self._stored(misfits_key(key)), misfits.sample)
                misfits.is_unsaved = False
            if state.suspects.is_unsaved:
                self._store.note_suspects(self._stored(key), state.suspects.unwritten(), state.suspects.cleared())
                state.suspects.written()
        except StoreError as error:
            self._report(error)

    def _stored(self, key: str) -> str:
        return stored_key(key, self._segmenter)

    def _touch(self, key: str) -> None:
        try:
            self._store.touch(self._stored(key))
        except StoreError as error:
            self._report(error)

    def _make_room(self) -> None:
        """Move the least recently met sites from memory to the store."""
        while (excess := self._residents.excess()) is not None:
            key, state = excess
            self.save(key, state)
            if state.is_unsaved and self._residents.excess(with_grace=True) is None:  # the store cannot save it
                return
            if state.is_unsaved:
                self._stats.inc_value(SITES_FORGOTTEN)
            self._residents.remove(key)
            if state.is_outdated and state.fitted_to is not None:
                self._left[key] = state.fitted_to
                if len(self._left) > _MAX_LEFT:
                    self._left.popitem(last=False)

    def _report(self, error: StoreError) -> None:
        self._stats.inc_value(STORE_ERRORS)
        message = "The template store failed; the crawl goes on with what is in memory. %s"
        self._log.error(error.kind, message, error)

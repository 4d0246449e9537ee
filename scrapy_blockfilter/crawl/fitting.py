"""Give sites their models: those of the store, those fitted to their pages, and provisional ones; with corrections."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple
from weakref import WeakKeyDictionary

from scrapy_blockfilter.crawl.layouts import LayoutState
from scrapy_blockfilter.crawl.log_once import LogOnce
from scrapy_blockfilter.crawl.site_cache import SiteStates
from scrapy_blockfilter.crawl.stats import MODELS_FITTED, MODELS_LOADED, MODELS_PROVISIONAL, TEXTS_QUOTED, Stats
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.methods import get_method
from scrapy_blockfilter.model import SiteModel, fit
from scrapy_blockfilter.model.restoring import conditions_of, from_stored, stored_bytes
from scrapy_blockfilter.options.selectors import Corrections, why_unusable
from scrapy_blockfilter.release import __version__
from scrapy_blockfilter.sample import SAMPLE_GROWTH, SiteSample
from scrapy_blockfilter.storable.array_bytes import StateError
from scrapy_blockfilter.storable.hashing import digest_of
from scrapy_blockfilter.store import ModelVersion, StoreError, TemplateStore
from scrapy_blockfilter.store.keys import main_site
from scrapy_blockfilter.store.model_rows import about

logger = logging.getLogger(__name__)

# A provisional model is fitted again when its site's pages have grown by more than this factor: at 1, 2, 4 and 7 pages.
# Models of a page or two less have an F1 of .002 less at the most on sites of part "choose", at half of the fits.
_WARMUP_GROWTH = 1.5
# A layout needs this share of N different pages, else it is fitted again at twice as many pages: a site may show N
# copies of a wall first. On sites of part "choose", models of 7 and of 20 pages have the F1 of models of 10.
_ENOUGH = 2 / 3
# Sites whose provisional models stay in memory: as many as items go through the pipelines at a time by default.
_PROVISIONAL_SITES = 100
# Seconds between checks of the store. A check takes 12 µs if nobody has written, so the interval suits people: a
# correction shows on the next page or the one after.
LOOK_EVERY = 1.0


class LoadedModel(NamedTuple):
    """A model from the store, and the hashes of the pages that it was fitted to."""

    model: SiteModel
    pages: Sequence[int]


class FittedModels:
    """The models of a store that were fitted under the same options, by the same release.

    Every method may raise :class:`scrapy_blockfilter.store.StoreError`.
    """

    def __init__(self, store: TemplateStore, reader: Reader) -> None:
        self._store = store
        self._reader = reader
        self._limit = SAMPLE_GROWTH * reader.options.pages
        self._conditions = digest_of((__version__, conditions_of(reader.options)))

    def load(self, site: str) -> LoadedModel | None:
        """Return the model of a site's sample as it is now, None if there is none. Damaged bytes raise StateError."""
        stored = self._store.load_model(site, self._limit, self._conditions)
        if stored is None:
            return None
        owner = about(site, self._conditions, stored.sample)
        return LoadedModel(from_stored(stored.data, owner, self._reader, len(stored.pages)), stored.pages)

    def load_or_fit(self, site: str, sample: SiteSample) -> SiteModel:
        """Return the model of a site, fitted to its sample if there is none in the store."""
        with suppress(StateError):
            if loaded := self.load(site):
                return loaded.model
        return fit(sample, self._reader)

    def keep(self, site: str, sample: SiteSample, model: SiteModel) -> None:
        """Note a model that was fitted to the sample in the store, and keep it if it can be kept."""
        version = model.options.method, model.pages, model.digest, len(model.templates), model.usual_kept
        self._store.note(site, ModelVersion(*version))
        if not self._store.keeps_models:
            return
        digest = sample.digest()
        data = stored_bytes(model, about(site, self._conditions, digest))
        if data is not None:
            self._store.save_model(site, self._limit, self._conditions, digest, data)


class Fitting:
    """Fits models to the pages of sites, counts them, and exchanges them with the store."""

    def __init__(self, reader: Reader, store: TemplateStore, states: SiteStates, stats: Stats) -> None:
        self._options = reader.options
        self._reader = reader
        self._models = FittedModels(store, reader)
        self._states = states
        self._stats = stats
        self._log = LogOnce(logger)
        self._provisional: OrderedDict[str, LayoutState] = OrderedDict()

    def model_of_all_sites(self) -> SiteModel | None:
        """Return the one model of all sites, for a method that looks at each page by itself; None for others."""
        if not get_method(self._options.method).single_page:
            return None
        logger.info("%s looks at each page by itself: no site is learnt, and no item waits", self._options.method)
        return fit(SiteSample(0), self._reader)

    def load(self, key: str) -> LoadedModel | None:
        """Load a model that was fitted before to the sample in the store."""
        with self._states.failing():
            try:
                loaded = self._models.load(self._states.stored(key))
            except StateError as error:
                message = "The stored model of %s cannot be used (%s): it is fitted anew, as are others like it."
                self._log.warning("model", message, main_site(key), error)
                return None
            if loaded is not None:
                self._states.touch(key)
            return loaded
        return None

    def take_loaded(self, state: LayoutState, model: SiteModel) -> None:
        """Judge by a model from the store from now on."""
        self._stats.inc_value(MODELS_LOADED)
        self._take(state, model)

    def fit(self, key: str, state: LayoutState) -> None:
        """Fit the model of a layout to all of its pages, and save it with the pages that the store lacks."""
        try:
            model = fit(state.pages.sample, self._reader)
        except ValueError:
            sample = readable(state.pages.sample)
            damaged = len(state.pages) - len(sample)
            if not damaged:
                raise
            what = f"{damaged} pages of {main_site(key)!r} in the store are not what a crawl has written"
            self._states.report(StoreError(f"{what}: they are left out.", "damaged"))
            state.pages.replace(sample)
            model = fit(sample, self._reader)
        sample = state.pages.sample
        quoted = self._take(state, model)
        texts = sample.texts if quoted and logger.isEnabledFor(logging.DEBUG) else {}
        for text, count in sorted(quoted.items()):
            message = "%s keeps a text as content that is on %d of %d pages, unless BLOCKFILTER_DROP strips it: %r"
            logger.debug(message, main_site(key), count, len(sample), texts.get(text, ""))
        self._stats.inc_value(MODELS_FITTED)
        self._states.save({key: state}, also=lambda: self._models.keep(self._states.stored(key), sample, model))

    def _take(self, state: LayoutState, model: SiteModel) -> dict[int, int]:
        """Judge by a model from now on, and return the quoted texts that the last one did not have."""
        listed = state.model.quoted if state.model is not None else {}
        quoted = {key: count for key, count in model.quoted.items() if key not in listed}
        if quoted:
            self._stats.inc_value(TEXTS_QUOTED, len(quoted))
        state.model = model
        state.provisional = None
        state.fit_at = self._next_fit(state, model)
        return quoted

    def _next_fit(self, state: LayoutState, model: SiteModel) -> int:
        """Return the number of pages at which a layout is fitted again, 0 if it needs no more pages."""
        due = self._options.pages
        if model.different >= _ENOUGH * due:
            return 0
        while due <= len(state.pages):
            due *= 2
        return due if due <= state.pages.in_memory.limit else 0

    def provisional(self, key: str, state: LayoutState) -> SiteModel | None:
        """Return a model of fewer than N pages, None if there is no page."""
        pages = len(state.pages)
        if not pages:
            return None
        if state.provisional is None or pages > _WARMUP_GROWTH * state.provisional.pages:
            state.provisional = self.once(state.pages.sample)
        self._provisional[key] = state
        self._provisional.move_to_end(key)
        if len(self._provisional) > _PROVISIONAL_SITES:
            self._provisional.popitem(last=False)[1].provisional = None
        return state.provisional

    def once(self, sample: SiteSample) -> SiteModel:
        """Fit a model that nobody keeps for long."""
        self._stats.inc_value(MODELS_PROVISIONAL)
        try:
            return fit(sample, self._reader)
        except ValueError:
            return fit(readable(sample), self._reader)


class Corrector:
    """Give models the corrections of their sites. ``read`` returns the same object as long as no correction changes."""

    def __init__(
        self, read: Callable[[], Mapping[str, Corrections]], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._read = read
        self._clock = clock
        self._known: Mapping[str, Corrections] = {}
        self._look_at = clock()
        self._corrected: WeakKeyDictionary[SiteModel, dict[str, SiteModel]] = WeakKeyDictionary()

    def correct(self, site: str, model: SiteModel) -> SiteModel:
        """Return the model with the corrections of its site, or the model itself if there are none."""
        now = self._clock()
        if now >= self._look_at:
            self._look_at = now + LOOK_EVERY
            known = self._read()
            if known is not self._known:
                self._known = known
                self._corrected.clear()
        corrections = self._known.get(site)
        if corrections is None:
            return model
        of_sites = self._corrected.setdefault(model, {})  # several if a method looks at each page by itself
        if site not in of_sites:
            of_sites[site] = model.corrected(usable_corrections(site, corrections))
        return of_sites[site]


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


def readable(sample: SiteSample) -> SiteSample:
    """Return a sample of the records that can be decoded. A server may return any bytes as records."""
    sound = SiteSample(sample.limit)
    for page, record in sample.records.items():
        with suppress(ValueError):
            record.decode()
            sound.add_rows([(page, record)])
    sound.add_rows([], sample.steps)
    return sound

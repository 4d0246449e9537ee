"""Give sites their models: those of the store, those fitted to their pages, and provisional ones."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from contextlib import suppress

from scrapy_blockfilter.crawl.fitted_models import LoadedModel
from scrapy_blockfilter.crawl.layout_state import LayoutState
from scrapy_blockfilter.crawl.site_states import SiteStates
from scrapy_blockfilter.crawl.stats import MODELS_FITTED, MODELS_PROVISIONAL, TEXTS_QUOTED, Stats
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.methods import get_method
from scrapy_blockfilter.model import SiteModel, fit
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store.keys import main_site

logger = logging.getLogger(__name__)

# A provisional model is fitted again when its site's pages have grown by this factor. Up to ten pages that is each
# page; then the steps keep the work in proportion to the pages.
_WARMUP_GROWTH = 1.1
# Sites whose provisional models stay in memory. So many items go through the pipelines at a time by Scrapy's default.
_PROVISIONAL_SITES = 100
# Seconds of processor time at the end of a crawl for sites that have more pages than at their last fit: enough for some
# 30. The next crawl fits the others when it meets them.
CLOSING = 5.0


class Fitting:
    """Fits models to the pages of sites, and counts and stores them.

    Args:
        states: holds the sites, and stores their models.
    """

    def __init__(self, reader: Reader, states: SiteStates, stats: Stats) -> None:
        self._options = reader.options
        self._reader = reader
        self._states = states
        self._stats = stats
        self._provisional: OrderedDict[str, LayoutState] = OrderedDict()

    def model_of_all_sites(self) -> SiteModel | None:
        """Return the one model of all sites, for a method that looks at each page by itself; None for others."""
        if not get_method(self._options.method).single_page:
            return None
        logger.info("%s looks at each page by itself: no site is learnt, and no item waits", self._options.method)
        return self._fitted(SiteSample(0))

    def fit(self, key: str, state: LayoutState) -> None:
        """Fit the model of a layout to all of its pages, and keep it in the store."""
        try:
            model = self._fitted(state.pages.sample)
        except ValueError:
            sample = readable(state.pages.sample)
            if len(sample) == len(state.pages):
                raise
            self._states.tell_unreadable(key, len(state.pages) - len(sample))
            state.pages.replace(sample)
            model = self._fitted(sample)
        sample = state.pages.sample
        self._states.log_quoted(main_site(key), sample, self.take(state, model))
        self._stats.inc_value(MODELS_FITTED)
        self._states.note_model(key, state, model)

    def take(self, state: LayoutState, model: SiteModel) -> dict[int, int]:
        """Judge by a model from now on, and return the quoted texts that the last one did not have."""
        listed = state.model.quoted if state.model is not None else {}
        quoted = {key: count for key, count in model.quoted.items() if key not in listed}
        if quoted:
            self._stats.inc_value(TEXTS_QUOTED, len(quoted))
        state.model = model
        state.provisional = None
        while state.fit_at <= state.learnt:
            state.fit_at *= 2
        return quoted

    def take_loaded(self, key: str, state: LayoutState, loaded: LoadedModel) -> None:
        """Judge by a model from the store. One of fewer pages is fitted again when it would have been in memory."""
        state.fitted_to, state.is_outdated = loaded.fitted_to, loaded.is_outdated
        due = self._options.pages
        while due <= loaded.fitted_to.pages:
            due *= 2
        if len(state.pages) >= due:
            self.fit(key, state)
        else:
            self.take(state, loaded.model)

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
            self._provisional.popitem(last=False)[1].forget_provisional()
        return state.provisional

    def once(self, sample: SiteSample) -> SiteModel:
        """Fit a model that nobody keeps for long."""
        self._stats.inc_value(MODELS_PROVISIONAL)
        try:
            return self._fitted(sample)
        except ValueError:
            return self._fitted(readable(sample))

    def fit_outdated(self) -> None:
        """Fit the sites that have more pages than at their last fit, those met last first, for a bounded time."""
        ends = time.process_time() + CLOSING
        for key, state in self._states.outdated():
            if time.process_time() >= ends:
                break
            self.fit(key, state)

    def _fitted(self, sample: SiteSample) -> SiteModel:
        return fit(sample, self._reader)


def readable(sample: SiteSample) -> SiteSample:
    """Return the pages that can be decoded: others have come from a server, as their bytes were written there."""
    sound = SiteSample(sample.limit)
    for page, record in sample.records.items():
        with suppress(ValueError):
            record.decode()
            sound.add_rows([(page, record)], {})
    sound.add_rows([], sample.texts, sample.steps)
    return sound

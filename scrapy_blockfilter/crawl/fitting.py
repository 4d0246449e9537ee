"""Fit models to the pages of layouts: those that stay, and provisional ones of the pages so far."""

from __future__ import annotations

import logging
from contextlib import suppress

from scrapy_blockfilter.crawl.layouts import WARMUP_GROWTH, Layout
from scrapy_blockfilter.crawl.soft_store import SoftStore
from scrapy_blockfilter.crawl.stats import MODELS_FITTED, MODELS_PROVISIONAL, TEXTS_QUOTED, Stats
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.model import SiteModel, fit
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store import StoreError
from scrapy_blockfilter.store.keys import main_site

logger = logging.getLogger(__name__)


class Fitting:
    """Fits the models of a crawl, and counts them.

    Attributes:
        is_early: whether pages are judged before there are N.
    """

    def __init__(self, reader: Reader, store: SoftStore, stats: Stats, *, is_early: bool) -> None:
        self.reader = reader
        self.is_early = is_early
        self._store = store
        self._stats = stats

    def fit(self, layout: Layout) -> None:
        """Fit the model of a layout to all of its pages, and judge by it from now on."""
        try:
            model = fit(layout.pages.sample, self.reader)
        except ValueError:
            sample = readable(layout.pages.sample)
            damaged = len(layout.pages) - len(sample)
            if not damaged:
                raise
            what = f"{damaged} pages of {main_site(layout.key)!r} in the store are not what a crawl has written"
            self._store.report(StoreError(f"{what}: they are left out.", "damaged"))
            layout.pages.replace(sample)
            model = fit(sample, self.reader)
        quoted = self.take(layout, model)
        sample = layout.pages.sample
        texts = sample.texts if quoted and logger.isEnabledFor(logging.DEBUG) else {}
        for text, count in sorted(quoted.items()):
            message = "%s keeps a text as content that is on %d of %d pages, unless BLOCKFILTER_DROP strips it: %r"
            logger.debug(message, main_site(layout.key), count, len(sample), texts.get(text, ""))
        self._stats.inc_value(MODELS_FITTED)

    def take(self, layout: Layout, model: SiteModel) -> dict[int, int]:
        """Judge by a model from now on, and return the quoted texts that the last one did not have."""
        listed = layout.model.quoted if layout.model is not None else {}
        quoted = {key: count for key, count in model.quoted.items() if key not in listed}
        if quoted:
            self._stats.inc_value(TEXTS_QUOTED, len(quoted))
        layout.take(model, self.reader.options.pages)
        return quoted

    def provisional(self, layout: Layout) -> SiteModel | None:
        """Return a model of fewer than N pages, None if there is no page."""
        model, pages = layout.provisional, len(layout.pages)
        if pages and (model is None or pages > WARMUP_GROWTH * model.pages):
            layout.provisional = self.once(layout.pages.sample)
        return layout.provisional

    def once(self, sample: SiteSample) -> SiteModel:
        """Fit a model that nobody keeps for long."""
        self._stats.inc_value(MODELS_PROVISIONAL)
        try:
            return fit(sample, self.reader)
        except ValueError:
            return fit(readable(sample), self.reader)


def readable(sample: SiteSample) -> SiteSample:
    """Return a sample of the records that can be decoded. A server may return any bytes as records."""
    sound = SiteSample(sample.limit)
    for page, record in sample.records.items():
        with suppress(ValueError):
            record.decode()
            sound.add_rows([(page, record)])
    sound.add_rows([], sample.steps)
    return sound

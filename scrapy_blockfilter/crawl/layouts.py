"""A layout of a site: the pages that it was learnt from, and the model that is fitted to them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from scrapy_blockfilter.crawl.soft_store import SoftStore
from scrapy_blockfilter.crawl.stats import MODELS_FITTED, MODELS_PROVISIONAL, TEXTS_QUOTED, Stats
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.model import SiteModel, fit
from scrapy_blockfilter.model.usual_things import Thing
from scrapy_blockfilter.sample import PageRecord, SiteSample
from scrapy_blockfilter.store import StoreError
from scrapy_blockfilter.store.keys import main_site

logger = logging.getLogger(__name__)

# A provisional model is fitted again when its site's pages have grown by more than this factor: at 1, 2, 4 and 7 pages.
# Models of a page or two less have an F1 of .002 less at the most on sites of part "choose", at half of the fits.
_WARMUP_GROWTH = 1.5
# It is fitted again, too, when one in so many of the pages has changed since an earlier crawl.
_WARMUP_RENEWED = 3
# A layout needs this share of N different pages with text of their own, else it is fitted again at twice as many pages:
# a site may show N walls first. On sites of part "choose", models of 7 and of 20 pages have the F1 of models of 10.
_ENOUGH = 2 / 3
# A thing has vanished if so many pages in a row lack it. If one in ten lacks it by chance, so many do in no crawl.
VANISHED = 50


@dataclass(slots=True, eq=False)
class Layout:
    """One layout of a site: its pages, and the model that is fitted to them."""

    number: int
    key: str
    fit_at: int  # number of pages at which a model is fitted, 0 if no more are needed
    in_memory: SiteSample
    hashes: set[int]  # of all pages
    read: Callable[[], SiteSample] | None = None  # the pages that are in the store alone
    model: SiteModel | None = None
    provisional: SiteModel | None = None  # a model of fewer than N pages
    older: set[int] = field(default_factory=set)  # pages of earlier crawls, of a layout with fewer than N
    renewed: int = 0  # pages that had changed, since the provisional model was fitted
    is_unsaved: bool = False
    missed: dict[Thing, int] = field(default_factory=dict)  # usual things that the last pages lack, and their number
    vanished: set[Thing] = field(default_factory=set)

    @property
    def sample(self) -> SiteSample:
        """All pages. The first call reads those in the store: fewer than there were hashes if it is damaged."""
        if self.read is not None:
            self.replace(self.read().merge(self.in_memory))
        return self.in_memory

    def wants(self, page_hash: int) -> bool:
        """Return whether a page would bring the next fit nearer. Ask this before segmenting the page."""
        if self.fit_at == 0 or page_hash in self.hashes:
            return page_hash in self.older
        return len(self.hashes) < self.in_memory.limit or page_hash < max(self.hashes)

    def add(self, page_hash: int, page: Page) -> None:
        """Add a page, as :meth:`SiteSample.add` does."""
        self.in_memory.add(page_hash, page)
        self.in_memory.pack()  # a tenth of the memory, as the site may wait long for others
        self.hashes.add(page_hash)
        if len(self.hashes) > self.in_memory.limit:
            self.hashes.remove(max(self.hashes))
        self.is_unsaved = True

    def renew(self, page_hash: int, page: Page) -> None:
        """Take a page as it is now, in place of its record of an earlier crawl."""
        self.older.discard(page_hash)
        before = self.sample.records.get(page_hash) or PageRecord(b"", b"")  # the store may fail
        self.in_memory.add(page_hash, page, before.time + 1)
        self.in_memory.pack()
        self.hashes.add(page_hash)
        now = self.in_memory.records[page_hash]
        if (now.keys, now.body) != (before.keys, before.body):
            self.renewed += 1
            self.is_unsaved = True

    def replace(self, sample: SiteSample) -> None:
        """Take a sample in place of all pages."""
        self.in_memory, self.hashes, self.read = sample, set(sample.records), None

    def is_due(self) -> bool:
        return 0 < self.fit_at <= len(self.hashes)

    def miss(self, lacking: Iterable[Thing]) -> list[Thing]:
        """Note the usual things that a page lacks, and return those that have vanished with it; each is named once."""
        self.missed = {thing: self.missed.get(thing, 0) + 1 for thing in lacking}
        gone = [thing for thing, pages in self.missed.items() if pages >= VANISHED and thing not in self.vanished]
        self.vanished.update(gone)
        return gone

    def fit(self, store: SoftStore) -> SiteModel:
        """Fit the model to all pages, judge by it from now on, and return it."""
        pages = self.sample
        model, sample = _fitted(pages, store.reader)
        if damaged := len(pages) - len(sample):
            what = f"{damaged} pages of {main_site(self.key)!r} in the store are not what a crawl has written"
            store.report(StoreError(f"{what}: they are left out.", "damaged"))
            self.replace(sample)
        quoted = self.take(model, store.stats)
        texts = sample.texts if quoted and logger.isEnabledFor(logging.DEBUG) else {}
        for text, count in sorted(quoted.items()):
            message = "%s keeps a text as content that is on %d of %d pages, unless BLOCKFILTER_DROP strips it: %r"
            logger.debug(message, main_site(self.key), count, len(sample), texts.get(text, ""))
        store.stats.inc_value(MODELS_FITTED)
        return model

    def take(self, model: SiteModel, stats: Stats) -> dict[int, int]:
        """Judge by a model from now on, and return the quoted texts that the last one did not have."""
        listed = self.model.quoted if self.model is not None else {}
        self.model, self.provisional, self.older = model, None, set()
        due = model.options.pages  # most layouts need no further fit; others are fitted at twice as many pages
        enough = model.learnt.content.pages >= _ENOUGH * due
        while due <= len(self.hashes):
            due *= 2
        self.fit_at = 0 if enough or due > self.in_memory.limit else due
        quoted = {key: count for key, count in model.quoted.items() if key not in listed}
        if quoted:
            stats.inc_value(TEXTS_QUOTED, len(quoted))
        return quoted

    def fit_early(self, store: SoftStore) -> SiteModel | None:
        """Return a model of fewer than N pages, None if there is no page."""
        model, pages = self.provisional, len(self.hashes)
        if pages and (model is None or pages > _WARMUP_GROWTH * model.pages or pages < _WARMUP_RENEWED * self.renewed):
            self.provisional, self.renewed = fit_once(self.sample, store), 0
        return self.provisional


def fit_once(sample: SiteSample, store: SoftStore) -> SiteModel:
    """Fit a model that nobody keeps for long."""
    store.stats.inc_value(MODELS_PROVISIONAL)
    return _fitted(sample, store.reader)[0]


def _fitted(sample: SiteSample, reader: Reader) -> tuple[SiteModel, SiteSample]:
    """Fit a model to the records that can be decoded. A server may return any bytes as records."""
    try:
        return fit(sample, reader), sample
    except ValueError:
        sound = SiteSample(sample.limit)
        for page, record in sample.records.items():
            with suppress(ValueError):
                record.decode()
                sound.add_rows([(page, record)], sample.steps)
        return fit(sound, reader), sound

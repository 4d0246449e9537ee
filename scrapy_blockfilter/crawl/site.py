"""One site of a crawl: its layouts, each with a sample and a model, its corrections, and what its pages have lost.

A site is learning until it has shown N pages, and ready from then on. The model of a layout is fitted once, to its
first N pages. If over a third of them are copies or empty, the model is fitted again at twice as many pages.

Pages that do not look like those learnt from are collected. N of them that look alike are learnt as a further layout,
with its own sample and model. A redesign does not blur what was learnt before, and old pages that come again are judged
by the layout they fit.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from weakref import WeakKeyDictionary, ref

from scrapy_blockfilter.crawl.layouts import VANISHED, Layout, fit_once
from scrapy_blockfilter.crawl.losses import LACKS, SuspiciousPages
from scrapy_blockfilter.crawl.soft_store import SoftStore
from scrapy_blockfilter.crawl.stats import LAYOUTS_LEARNT, MODELS_LOADED, PAGES_LEARNT, PAGES_MISFIT, THINGS_VANISHED
from scrapy_blockfilter.crawl.stored_models import usable_corrections
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.model import Cleaned, SiteModel
from scrapy_blockfilter.model.page_state import Answers
from scrapy_blockfilter.options.selectors import Corrections
from scrapy_blockfilter.sample import SAMPLE_GROWTH, SiteSample
from scrapy_blockfilter.sample.misfits import Misfits
from scrapy_blockfilter.sample.signature import FITS, is_of, marks_of, nearest_of
from scrapy_blockfilter.sample.slots import style_path
from scrapy_blockfilter.store.keys import MAX_LAYOUTS, layout_key, misfits_key
from scrapy_blockfilter.store.template_store import plain_url

logger = logging.getLogger(__name__)

# Pages that pass unwatched before one is segmented only to be watched: pages whose items are cleaned always are. One in
# twenty adds 3 % to the work of a crawl that cleans each page, and a change shows after twenty pages at most.
WATCH_EVERY = 20
# The model of the misfits is fitted again when their number has grown by this factor: nine times from 1 to 40 pages. A
# smaller sample holds other pages, so the model is refitted then, too.
_MISFITS_GROWTH = 1.4
# Bytes of a model of N pages. Models of fewer pages take less.
_MODEL_SIZE = 300_000
# Below this fit the nearest layout says nothing about a page: a model of the misfits, even of the page alone, judges it
# better. Above it, most misfits are still judged best by the nearest layout.
_ALIEN = 0.3
_MANY_LAYOUTS = (
    "%s has %d layouts, the most that are learnt: several sites behind one host? BLOCKFILTER_SITE says what a site is: "
    'with "inner_host" a URL that carries another, as http://render/?url=…, is of the other\'s site.'
)
# The last steps of a style path that name a slot.
_SHOWN_STEPS = 3


class Site:
    """A site of a crawl.

    Args:
        on_fitted: called when a model has been fitted to N pages of a layout.
        is_early: whether pages are judged before there are N.
        of_all: the one model of all sites, of a method that looks at each page by itself: nothing is learnt then.
    """

    def __init__(
        self, key: str, store: SoftStore, on_fitted: Callable[[Site], None], is_early: bool, of_all: SiteModel | None
    ) -> None:
        self.key = key
        self.look_at = 0.0  # when to look again at what other processes have learnt
        self.answers = Answers()  # the texts that pages have shown in place of content lately
        self._noted: Callable[[], Cleaned | None] = lambda: None
        self._store = store
        self._stats = store.stats
        self._on_fitted = on_fitted
        self._is_early = is_early
        self._due = store.reader.options.pages
        self._corrections: Corrections | None = None
        self._corrected: WeakKeyDictionary[SiteModel, SiteModel] = WeakKeyDictionary()
        self._misfits: Misfits | None = None
        self._misfits_model: SiteModel | None = None
        self._unwatched = 0
        self._learns = of_all is None
        self._layouts = [] if of_all is None else [Layout(1, key, 0, SiteSample(0), set(), model=of_all)]
        self.losses = SuspiciousPages(self._store.suspects(key) if self._learns else ())
        while self._learns and (not self._layouts or self._is_next_stored()):
            self._next_layout()
        # The layout of the last page that fitted one, and the one that the last page fitted best.
        self._current = self._nearest = self._layouts[0]
        self._resize()

    @property
    def is_ready(self) -> bool:
        """Whether the site has shown N pages."""
        return self._layouts[0].model is not None

    @property
    def has_model(self) -> bool:
        """Whether its pages are judged, if only by the pages so far."""
        return self.is_ready or (self._is_early and self.pages > 0)

    @property
    def pages(self) -> int:
        return len(self._layouts[0].hashes)

    def wants(self, page_hash: int) -> bool:
        """Return whether to learn from a page, or to watch it for a change. Ask this before segmenting the page."""
        if not self._learns:
            return False
        if self.is_ready:
            self._unwatched += 1
            if self._unwatched > WATCH_EVERY:
                return True
        return self._current.wants(page_hash)

    def learn(self, page_hash: int, page: Page) -> None:
        """Learn from a page. Before there are N, one of an earlier crawl is learnt anew; others count once."""
        self._take(page_hash, page, self._place(page))

    def judge(self, page: Page, page_hash: int | None = None) -> SiteModel | None:
        """Return the model that judges a whole page: that of the layout that it fits best, or of the pages so far.

        A page of a ready site is learnt from if it adds anything, as it is segmented already, but not without a hash.
        """
        if not (self._learns and self.is_ready):
            return self.at_hand()
        layout = self._place(page)
        if page_hash is not None:
            self._take(page_hash, page, layout)
        nearest = self._nearest.model
        assert nearest is not None
        return self._with_corrections(nearest if layout else self._judge_of_misfit(page, nearest))

    def note(self, url: str, cleaned: Cleaned) -> None:
        """Note what a page has lost, and which things its layout's last pages lack. Items of one page count once."""
        if self._noted() is cleaned:
            return
        self._noted = ref(cleaned)
        layout, reasons = self._nearest, [cleaned.suspicious]
        if cleaned.lacking is not None:
            for kind, slot in layout.miss(cleaned.lacking):
                place = "/".join(style_path(layout.sample.steps, slot).split("/")[-_SHOWN_STEPS:])
                reasons.append(f"{LACKS} {kind} in {place}, nor have the {VANISHED - 1} pages before it")
                self._stats.inc_value(THINGS_VANISHED)
                message = "%s: nearly all pages that layout %d was learnt from have one more field. %s %s"
                logger.warning(message, self.key, layout.number, plain_url(url), reasons[-1])
        self.losses.note(url, "; ".join(filter(None, reversed(reasons))))

    def model(self, number: int = 0) -> SiteModel | None:
        """Return the model of a layout, by default that of the last page; None before N pages."""
        return self._with_corrections((self._layouts[number - 1] if number else self._current).model)

    def at_hand(self, number: int = 0) -> SiteModel | None:
        """Return the model for text that shows no layout: the last page's, or a provisional one before N pages.

        None is returned if the site has shown no page, or if the crawl lets pages pass until N were seen. A ``number``
        names the layout that stands for the last page's.
        """
        if self.is_ready or not self.has_model:
            return self.model(number)
        return self._with_corrections(self._layouts[0].fit_early(self._store))

    def models(self) -> dict[int, SiteModel]:
        """Return the models of the layouts by their number, without corrections; none while the site is learning."""
        return {layout.number: layout.model for layout in self._layouts if layout.model is not None}

    def take_news(self) -> None:
        """Take in the pages that other processes have added while the site is learning."""
        layout = self._layouts[0]
        layout.replace(self._store.news(layout.key, layout.sample))
        self._resize()
        self._fit_if_due(layout)

    @property
    def has_changes(self) -> bool:
        """Whether the store lacks pages, misfits or suspicious pages."""
        return self.lacks_pages or self.losses.is_unsaved or (self._misfits is not None and self._misfits.is_unsaved)

    @property
    def lacks_pages(self) -> bool:
        """Whether the store lacks pages of a layout."""
        return any(layout.is_unsaved for layout in self._layouts)

    def write(self) -> None:
        """Write the changes to the store. Failures raise StoreError."""
        for layout in self._layouts:
            if layout.is_unsaved:
                layout.replace(self._store.save(layout.key, layout.in_memory))
                if layout.provisional is not None and not layout.renewed:  # which spares a fit when the site comes back
                    self._store.save_model(layout.key, layout.sample, layout.provisional)
        self._resize()
        if self._misfits is not None and self._misfits.is_unsaved:
            self._store.save(misfits_key(self.key), self._misfits.sample)
        if self.losses.is_unsaved:
            self._store.save_suspects(self.key, *self.losses.changes())

    def note_saved(self) -> None:
        """Note that the store has all changes."""
        for layout in self._layouts:
            layout.is_unsaved = False
        self.losses.written()
        if self._misfits is not None:
            self._misfits.is_unsaved = False

    @property
    def _has_room(self) -> bool:
        return len(self._layouts) < MAX_LAYOUTS

    def _is_next_stored(self) -> bool:
        """Return whether the store has N pages of one more layout."""
        next_key = layout_key(self.key, len(self._layouts) + 1)
        return self.is_ready and self._has_room and self._store.count(next_key) >= self._due

    def _next_layout(self) -> Layout:
        """Add a layout as it is in the store, with a model if it has N pages there, as that of the last page."""
        number = len(self._layouts) + 1
        key = layout_key(self.key, number)
        model, stored = self._store.model(key) or (None, self._store.hashes(key))
        if stored is None:
            sample = self._store.load(key)
            layout = Layout(number, key, self._due, sample, set(sample.records))
        else:  # the pages are not read before they are needed
            sample = SiteSample(SAMPLE_GROWTH * self._due)
            layout = Layout(number, key, self._due, sample, set(stored), lambda: self._store.load(key))
        if len(layout.hashes) < self._due or (model is None and len(layout.sample) < self._due):
            layout.provisional, layout.older = model, set(layout.hashes)
        elif model is None or model.pages < self._due:
            self._fit(layout)
        else:
            self._stats.inc_value(MODELS_LOADED)
            layout.take(model, self._stats)
        self._layouts.append(layout)
        self._current = self._nearest = layout
        self._misfits_model = None
        self._unwatched = 0
        return layout

    def _place(self, page: Page) -> Layout | None:
        """Return the layout of a page, None for a page that fits none. After a misfit, every page is watched."""
        models = self.models()
        if not models:
            return self._layouts[0]
        number, closeness = nearest_of(models, page)
        self._nearest = self._layouts[number - 1]
        if closeness < FITS:
            self._unwatched = max(self._unwatched, WATCH_EVERY)
            return None if self._has_room else self._nearest
        self._unwatched = 0
        self._current = self._nearest
        return self._nearest

    def _take(self, page_hash: int, page: Page, layout: Layout | None) -> None:
        if layout is None:
            self._take_misfit(page_hash, page)
            return
        if not layout.wants(page_hash) or self._is_known(page_hash, page):
            return
        if page_hash in layout.hashes:
            layout.renew(page_hash, page)
            return
        layout.add(page_hash, page)
        self._resize()
        self._stats.inc_value(PAGES_LEARNT)
        if (layout.is_due() or layout.model is None) and self._store.wants_each_page():
            save(self._store, [self])  # others may have added pages
        self._fit_if_due(layout)

    def _resize(self) -> None:
        """Note the bytes of the page records and models in memory, about."""
        models = sum(min(1, len(layout.hashes) / self._due) for layout in self._layouts)
        self.size = int(_MODEL_SIZE * models) + sum(layout.in_memory.size for layout in self._layouts)

    def _fit_if_due(self, layout: Layout) -> None:
        """Fit the model of a layout if its sample, perhaps with pages of other processes, has grown enough."""
        if layout.is_due() and len(layout.sample) >= layout.fit_at:
            self._fit(layout)
            self._on_fitted(self)

    def _fit(self, layout: Layout) -> None:
        """Fit the model of a layout, and save it with the pages that the store lacks."""
        model, sample = layout.fit(self._store), layout.sample
        save(self._store, [self], lambda: self._store.save_model(layout.key, sample, model))

    def _is_known(self, page_hash: int, page: Page) -> bool:
        """Return whether a page is in the sample of a layout that it fits, even if it now fits another one better."""
        known = [layout.model for layout in self._layouts if layout.model is not None and page_hash in layout.hashes]
        return any(model.closeness(page) >= FITS for model in known)

    def _take_misfit(self, page_hash: int, page: Page) -> None:
        if self._misfits is None:
            known = [model.signature for model in self.models().values()]
            self._misfits = Misfits(self._store.load(misfits_key(self.key)), self._due, known)
        if self._misfits.take(page_hash, page):
            self._stats.inc_value(PAGES_MISFIT)
            found = self._misfits.layout()
            if found is not None:
                self._add_layout(found)

    def _add_layout(self, found: SiteSample) -> None:
        layout = self._next_layout()
        while layout.model is not None and self._has_room and not is_of(layout.model.signature, found):
            layout = self._next_layout()  # another process added this layout first
        layout.replace(layout.sample.merge(found))
        layout.is_unsaved = True
        self._fit(layout)
        self._on_fitted(self)
        self._stats.inc_value(LAYOUTS_LEARNT)
        message = "%s has changed: layout %d was learnt from %d pages. %s"
        told = "Pages that fit an older layout are judged by that one"
        logger.info(message, self.key, layout.number, len(layout.hashes), told)
        if not self._has_room:
            logger.warning(_MANY_LAYOUTS, self.key, MAX_LAYOUTS)

    def _judge_of_misfit(self, page: Page, nearest: SiteModel) -> SiteModel:
        """Return the model for a page of no layout: that of the misfits so far if it is nearer than the nearest."""
        marks = marks_of(page)
        closeness = nearest.signature.closeness(marks)
        if self._misfits is None or len(self._misfits.sample) < 1 + (closeness >= _ALIEN):  # one page has no signature
            self._misfits_model = None
            return nearest
        sample, model = self._misfits.sample, self._misfits_model
        if model is None or not model.pages <= len(sample) <= _MISFITS_GROWTH * model.pages:
            model = self._misfits_model = fit_once(sample, self._store).beside(nearest)
        is_nearer = closeness < _ALIEN or (model.signature.tells and model.signature.closeness(marks) > closeness)
        return model if is_nearer else nearest

    def _with_corrections(self, model: SiteModel | None) -> SiteModel | None:
        """Return a model with the corrections of the site: the same object as long as none changes."""
        corrections = self._store.corrections(self.key)
        if corrections is None or model is None:
            return model
        if corrections is not self._corrections:
            self._corrections, self._corrected = corrections, WeakKeyDictionary()
        if model not in self._corrected:
            self._corrected[model] = model.corrected(usable_corrections(self.key, corrections))
        return self._corrected[model]


def save(store: SoftStore, sites: Iterable[Site], also: Callable[[], None] | None = None) -> None:
    """Save the unsaved changes of sites together, and what ``also`` writes. A site that cannot be saved is left out."""
    saved = []
    with store.failing():
        with store.together():
            for site in sites:
                with store.failing():
                    with store.together():
                        site.write()
                    saved.append(site)
            if also is not None:
                with store.failing(), store.together():
                    also()
        for site in saved:
            site.note_saved()

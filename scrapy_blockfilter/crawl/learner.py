"""Learn the sites of a crawl: a site is learning until it has shown N pages, and ready from then on.

The model of a site is fitted once, to its first N pages. If over a third of these are copies, it is fitted again
when their number has doubled. The model stays in memory. The store is used only when a site is first met, when it gets
a model, and at the end. While other processes write to it, pages of a site that is being learnt are exchanged with
them: see ``site_cache``.

Pages that do not look like those learnt from are collected. N of them that look alike are learnt as a further layout,
with its own sample and model.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable

from scrapy_blockfilter.crawl.fitting import Corrector, Fitting
from scrapy_blockfilter.crawl.layouts import Layouts, LayoutState, SitePages, model_of_misfit
from scrapy_blockfilter.crawl.site_cache import MAX_SITES, SiteStates
from scrapy_blockfilter.crawl.stats import LAYOUTS_LEARNT, PAGES_LEARNT, PAGES_MISFIT, SITES_KNOWN, SITES_READY, Stats
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.model.site_model import fits_of
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import SAMPLE_GROWTH, SiteSample
from scrapy_blockfilter.sample.misfits import Misfits
from scrapy_blockfilter.sample.signature import FITS, is_of
from scrapy_blockfilter.store import TemplateStore
from scrapy_blockfilter.store.keys import layout_key, misfits_key

logger = logging.getLogger(__name__)


class Learner:
    """Learn sites from their pages, and return their models.

    Args:
        store: loads and saves samples. If it fails, the error is logged once and the crawl goes on without it.

    Attributes:
        on_ready: called with a site when a model has been fitted to at least N of its pages.
    """

    def __init__(self, options: Options, store: TemplateStore, stats: Stats, *, max_sites: int = MAX_SITES) -> None:
        self.options = options
        self.reader = Reader(options)
        self._stats = stats
        self._limit = SAMPLE_GROWTH * options.pages
        self._states = SiteStates(store, stats, segmenter=options.segmentation, max_sites=max_sites)
        self._fitting = Fitting(self.reader, store, self._states, stats)
        self._ready: set[str] = set()
        # With a model of all sites, no site is learnt.
        self._of_all = self._fitting.model_of_all_sites()
        self._corrector = Corrector(self._states.corrections)
        self.on_ready: Callable[[str], None] | None = None

    def wants(self, site: str, page_hash: int) -> bool:
        """Return whether a page would add to its site's sample. Ask this before segmenting the page."""
        if self._of_all is not None:
            return False
        first = self._site(site)
        if first.model is not None and first.layouts.is_due():
            return True
        return self._site(site, first.layouts.current).wants(page_hash)

    def learn(self, site: str, page_hash: int, page: Page) -> None:
        """Learn from a page. A page learnt from before changes nothing."""
        self._take(site, page_hash, page, self._place(site, page))

    def watch(self, site: str, page: Page, page_hash: int | None) -> SiteModel | None:
        """Return the model that judges a whole page: that of the layout that it fits best. None before N pages.

        The page is learnt from if it adds anything, as it is segmented already, but not without a hash.
        """
        if self._of_all is not None:
            return self._corrector.correct(site, self._of_all)
        layouts = self._site(site).layouts
        if self._site(site).model is None:
            return None
        number = self._place(site, page)
        if page_hash is not None:
            self._take(site, page_hash, page, number)
        nearest = self._site(site, layouts.nearest).model
        if nearest is None:
            return None
        model = nearest if number else model_of_misfit(layouts, page, nearest, self._fitting.once)
        return self._corrector.correct(site, model)

    def model(self, site: str, layout: int | None = None) -> SiteModel | None:
        """Return the model of a layout of a site, by default that of the last page; None before N pages."""
        self._take_news(site)
        model = self._of_all or self._site(site, layout or self._site(site).layouts.current).model
        return None if model is None else self._corrector.correct(site, model)

    def pages(self, site: str) -> int:
        """Return the number of pages in a site's sample."""
        return len(self._site(site).pages)

    def provisional(self, site: str) -> SiteModel | None:
        """Return a model of fewer than N pages, for items that cannot wait; None if the site has shown no page yet."""
        model = self._fitting.provisional(site, self._site(site))
        return None if model is None else self._corrector.correct(site, model)

    def models(self, site: str) -> dict[int, SiteModel]:
        """Return the models of a site's layouts by their number; none while the site is learning."""
        if self._of_all is not None:
            return {1: self._of_all}
        count = self._site(site).layouts.count
        models = {number: self._site(site, number).model for number in range(1, count + 1)}
        return {number: model for number, model in models.items() if model is not None}

    def look(self, sites: Iterable[str]) -> None:
        """Take in what other processes have learnt of sites whose items wait, and call :attr:`on_ready` for some."""
        if self._states.sync.is_shared():
            for site in sites:
                self._take_news(site)

    def note_judged(self, site: str, url: str, suspicious: str) -> None:
        """Note why a cleaned page may have lost content, "" if nothing is odd."""
        if self._of_all is None:
            self._site(site).suspects.note(url, suspicious)

    def close(self) -> None:
        """Save unsaved changes, and close the store."""
        self._states.close()

    def _site(self, site: str, number: int = 1) -> LayoutState:
        key = layout_key(site, number)
        state = self._states.get(key)
        if state is None:
            state = self._load(site, number)
            self._states.put(key, state)
        return state

    def _load(self, site: str, number: int) -> LayoutState:
        key = layout_key(site, number)
        loaded = self._fitting.load(key)
        stored = self._states.hashes(key, self._limit) if loaded is None else loaded.pages
        if stored is None:
            pages = SitePages(self._states.load(key, self._limit))
        else:  # the pages are not read before they are needed
            pages = SitePages(SiteSample(self._limit), stored, lambda: self._states.load(key, self._limit))
        state = LayoutState(pages, self.options.pages, number)
        if number == 1:
            state.suspects = self._states.suspects(site)
        if len(pages) < self.options.pages or (loaded is None and len(pages.sample) < self.options.pages):
            return state
        if site not in self._ready:
            self._stats.inc_value(SITES_KNOWN)
        if loaded is None:
            self._fitting.fit(key, state)
        else:
            self._fitting.take_loaded(state, loaded.model)
        self._tell_ready(site, state)
        while number == 1 and state.layouts.has_room:
            if self._states.count(layout_key(site, state.layouts.count + 1)) < self.options.pages:
                break
            state.layouts.count += 1
        return state

    def _place(self, site: str, page: Page) -> int:
        """Return the number of the page's layout, 0 for none."""
        models = self.models(site)
        return self._site(site).layouts.note(fits_of(models, page)) if models else 1

    def _take(self, site: str, page_hash: int, page: Page, number: int) -> None:
        if not number:
            self._take_misfit(site, page_hash, page)
            return
        state = self._site(site, number)
        if not state.wants(page_hash) or self._is_known(site, page_hash, page):
            return
        state.pages.add(page_hash, page)
        key = layout_key(site, number)
        self._states.note_change(key, state)
        self._stats.inc_value(PAGES_LEARNT)
        if (state.is_due() or state.model is None) and self._states.sync.is_due():
            self._states.save({key: state})  # others may have added pages
        self._fit_if_due(site, state)

    def _take_news(self, site: str) -> None:
        """Take in what other processes have learnt of a site that waits for more pages."""
        if self._of_all is not None:
            return
        state = self._site(site)
        if state.model is None and self._states.sync.has_news(state):
            self._states.take_news(site, state)
            self._fit_if_due(site, state)

    def _fit_if_due(self, site: str, state: LayoutState) -> None:
        """Fit the model of a layout if its sample, perhaps with pages of other processes, has grown enough."""
        if state.is_due() and len(state.pages.sample) >= state.fit_at:
            self._fitting.fit(layout_key(site, state.number), state)
            self._tell_ready(site, state)

    def _is_known(self, site: str, page_hash: int, page: Page) -> bool:
        """Return whether a page is in the sample of a layout that it fits, even if it now fits another one better."""
        known = [model for number, model in self.models(site).items() if page_hash in self._site(site, number).pages]
        return any(model.closeness(page) >= FITS for model in known)

    def _take_misfit(self, site: str, page_hash: int, page: Page) -> None:
        layouts = self._site(site).layouts
        if layouts.misfits is None:
            known = [model.signature for model in self.models(site).values()]
            layouts.misfits = Misfits(self._states.load(misfits_key(site), self._limit), self.options.pages, known)
        if layouts.misfits.take(page_hash, page):
            self._stats.inc_value(PAGES_MISFIT)
            found = layouts.misfits.layout()
            if found is not None:
                self._add_layout(site, layouts, found)

    def _add_layout(self, site: str, layouts: Layouts, found: SiteSample) -> None:
        state = self._site(site, layouts.add())
        while state.model is not None and layouts.has_room and not is_of(state.model.signature, found):
            state = self._site(site, layouts.add())  # another process added this layout first
        state.pages.replace(state.pages.sample.merge(found))
        key = layout_key(site, state.number)
        self._states.note_change(key, state)
        self._fitting.fit(key, state)
        self._tell_ready(site, state)
        self._stats.inc_value(LAYOUTS_LEARNT)
        message = "%s has changed: layout %d was learnt from %d pages. %s"
        told = "Pages that fit an older layout are judged by that one"
        logger.info(message, site, state.number, len(state.pages), told)

    def _tell_ready(self, site: str, state: LayoutState) -> None:
        """Tell that a site has a model, or a new one."""
        if site not in self._ready and state.model is not None:
            self._ready.add(site)
            self._stats.inc_value(SITES_READY)
            message = "%s is ready: %d pages learnt, %d template blocks, %.0f %% of a page's text is kept"
            kept = 100 * state.model.usual_kept
            logger.info(message, site, state.model.pages, len(state.model.templates), kept)
        if self.on_ready is not None:
            self.on_ready(site)

"""The sites of a crawl: those met last in memory, all of them in the store, where other processes add to them.

A process that is alone needs the store only when a site is first met, when it gets a model, and at the end. Several
processes that get pages of one site would then learn the site apart, and each would need N pages of its own. So each
writes every page of such a site at once, and takes in the pages of the others: the site is ready for all of them when
they have seen N pages together, and each has got one page more.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any

from scrapy_blockfilter.crawl.log_once import named
from scrapy_blockfilter.crawl.site import Site, save
from scrapy_blockfilter.crawl.soft_store import LOOK_EVERY, SoftStore
from scrapy_blockfilter.crawl.stats import SITES_FORGOTTEN, SITES_KNOWN, SITES_READY, Stats
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.identity.site_keys import SiteKey, rule_of, usable
from scrapy_blockfilter.methods import get_method
from scrapy_blockfilter.model import fit
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.plugins import counted
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store import TemplateStore

logger = logging.getLogger(__name__)

# Sites, most of them of a page or two, as larger ones reach the bound of bytes.
MAX_SITES = 4_000
# Bytes of all page records and models. Ten pages and a model take 0.4 MB, so this is a thousand such sites.
MAX_BYTES = 400_000_000
# Sites that are saved in one transaction. Others wait for it: a site takes some 4 ms, a commit 20 ms on some disks.
_SAVED_TOGETHER = 20
# The bytes of all sites are summed again when one in so many is new: a sum for each of thousands outweighs learning.
_SUMMED_AGAIN = 50
# Sites that the store cannot save stay until there are this many times as many sites or bytes.
_GRACE = 2


class Sites:
    """The sites of a crawl or a command, the least recently met first.

    If the store fails, the error is logged once and the crawl goes on without it. A crawl that ``is_early`` judges the
    pages of a site before it has shown N.
    """

    def __init__(
        self,
        options: Options,
        store: TemplateStore,
        stats: Stats,
        *,
        max_sites: int = MAX_SITES,
        max_bytes: int = MAX_BYTES,
        is_early: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.reader = Reader(options)
        # Called with the key of a site when a model has been fitted to at least N of its pages.
        self.on_ready: Callable[[str], None] | None = None
        self._rule = rule_of(options)
        self._store = SoftStore(store, self.reader, stats, clock)
        self._is_early = is_early
        self._stats = stats
        self._clock = clock
        self._max_sites = max_sites
        self._max_bytes = max_bytes
        self._sites: OrderedDict[str, Site] = OrderedDict()
        self._unsummed = 0
        self._ready: set[str] = set()
        self._of_all = None
        if get_method(options.method).single_page:
            logger.info("%s looks at each page by itself: no site is learnt, and no item waits", options.method)
            self._of_all = fit(SiteSample(0), self.reader)

    def of(self, url: str | None, meta: Mapping[str, Any]) -> Site | None:
        """Return the site of a page, by the meta of its request or by its URL; None for a page of no site."""
        key = site_of_page(self._rule, url, meta)
        return self.named(key) if key else None

    def named(self, key: str) -> Site:
        """Return the site with a key. The least recently met sites move to the store if there are too many."""
        self._store.look()
        site = self._sites.get(key)
        if site is None:
            site = self._sites[key] = Site(key, self._store, self._tell_ready, self._is_early, self._of_all)
            if site.is_ready and self._of_all is None:
                if key not in self._ready:
                    self._stats.inc_value(SITES_KNOWN)
                self._tell_ready(site)
            self._make_room()
        else:
            self._sites.move_to_end(key)
            self._take_news(site)
        return site

    def look(self, keys: Iterable[str]) -> None:
        """Take in what other processes have learnt of sites whose items wait."""
        if self._store.is_shared():
            for key in keys:
                self.named(key)

    def _take_news(self, site: Site) -> None:
        """Take in what other processes have learnt of a site that waits for more pages, once a second: it may grow."""
        if not site.is_ready and (now := self._clock()) >= site.look_at:
            site.look_at = now + LOOK_EVERY
            if self._store.is_shared():
                site.take_news()
            self._make_room()

    def close(self) -> None:
        """Save the unsaved changes of all sites in memory, even if the store has just failed, and close the store."""
        self._store.retry()
        unsaved = (site for site in self._sites.values() if site.has_changes)
        while some := list(islice(unsaved, _SAVED_TOGETHER)):
            save(self._store, some)
        if young := [f"{site.key} ({site.pages})" for site in self._sites.values() if site.pages and not site.is_ready]:
            message = "Sites that stayed provisional, with fewer than %d pages: %d of the %d met last. %s"
            logger.info(message, self.reader.options.pages, len(young), len(self._sites), named(young))
        self._store.close()

    def _tell_ready(self, site: Site) -> None:
        """Announce that a site has a model, or a new model."""
        first = site.models()[1]
        if site.key not in self._ready:
            self._ready.add(site.key)
            self._stats.inc_value(SITES_READY)
            message = "%s is ready: %s learnt, %s, %.0f %% of a page's text is kept"
            numbers = counted(first.pages, "page"), counted(len(first.templates), "template block")
            logger.info(message, site.key, *numbers, 100 * first.usual_kept)
        if self.on_ready is not None:
            self.on_ready(site.key)

    def _make_room(self) -> None:
        """Move the least recently met sites from memory to the store, but never the site met last."""
        self._unsummed += 1
        if len(self._sites) <= self._max_sites and self._unsummed * _SUMMED_AGAIN < len(self._sites):
            return
        self._unsummed = 0
        size = sum(site.size for site in self._sites.values())
        while self._is_over(size, 1):
            key, site = next(iter(self._sites.items()))
            if site.has_changes:  # the next ones will soon have to go, too
                save(self._store, list(islice(self._sites.values(), _SAVED_TOGETHER)))
            if site.lacks_pages:  # the store cannot save it
                if not self._is_over(size, _GRACE):
                    return
                self._stats.inc_value(SITES_FORGOTTEN)
            size -= site.size
            del self._sites[key]

    def _is_over(self, size: int, grace: int) -> bool:
        """Return whether memory has more than its bounds, times a factor."""
        count = len(self._sites)
        return (count > 1 and size > grace * self._max_bytes) or count > grace * self._max_sites


def site_of_page(site_of: SiteKey, url: str | None, meta: Mapping[str, Any]) -> str | None:
    """Return the site key of a page: that in the meta of its request, else that of its URL."""
    if meta.get("blockfilter_site") is not None:
        return usable(meta["blockfilter_site"])
    return site_of(url) if url else None

"""What people decided about single sites, in the store, and how a running crawl comes to know of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from weakref import WeakKeyDictionary

from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.options.selectors import Corrections, is_selector

# Seconds between two looks at the store. A look takes 12 µs as long as nobody has written, so the time is for people:
# who corrects a site sees it on the next page or the one after.
LOOK_EVERY = 1.0


class Corrector:
    """Gives models the corrections of their sites.

    Args:
        read: the corrections of all sites that have any; the same object as long as they are the same.
        clock: seconds.
    """

    def __init__(
        self, read: Callable[[], Mapping[str, Corrections]], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._read = read
        self._clock = clock
        self._known: Mapping[str, Corrections] = {}
        self._look_at = clock()
        self._corrected: WeakKeyDictionary[SiteModel, dict[str, SiteModel]] = WeakKeyDictionary()

    def correct(self, site: str, model: SiteModel) -> SiteModel:
        """The model with the corrections of its site, itself where there are none."""
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
        of_sites = self._corrected.setdefault(model, {})  # several where a method looks at each page by itself
        if site not in of_sites:
            # Whoever else has written to the file, what is no selector stops nothing.
            usable = Corrections(*(tuple(filter(is_selector, selectors)) for selectors in corrections))
            of_sites[site] = model.corrected(usable)
        return of_sites[site]

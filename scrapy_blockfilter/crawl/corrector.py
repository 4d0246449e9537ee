"""Apply people's corrections of single sites, read from the store while the crawl runs."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from weakref import WeakKeyDictionary

from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.options.selectors import Corrections
from scrapy_blockfilter.store.corrections import why_unusable

logger = logging.getLogger(__name__)

# Seconds between checks of the store. A check takes 12 µs if nobody has written, so the interval suits people: a
# correction shows on the next page or the one after.
LOOK_EVERY = 1.0


class Corrector:
    """Give models the corrections of their sites.

    Args:
        read: returns the corrections of all sites that have any; the same object as long as nothing changes.
        clock: returns seconds.
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
            # The file may hold text from anyone.
            usable = Corrections(*(tuple(_usable(site, selectors)) for selectors in corrections))
            of_sites[site] = model.corrected(usable)
        return of_sites[site]


def _usable(site: str, selectors: Iterable[str]) -> Iterator[str]:
    for selector in selectors:
        if reason := why_unusable(selector):
            logger.warning(
                "The correction %.200r of %s is not applied: %s. Undo it by `scrapy blockfilter undo`.",
                selector,
                site,
                reason,
            )
        else:
            yield selector

"""Losses of a crawl's pages: counted by site and logged at the end; the store keeps the newest pages."""

from __future__ import annotations

import logging
import shlex
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from scrapy_blockfilter.crawl.log_once import MOST_NAMED
from scrapy_blockfilter.crawl.stats import ITEMS_SUSPICIOUS, ITEMS_WITHOUT_TEXT, SITES_SUSPICIOUS, Stats
from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.store.template_store import MAX_SUSPECTS, Suspect, plain_url

logger = logging.getLogger(__name__)

# A reason that begins with these words names a thing that the last pages of a layout lack.
LACKS = "has no"
# Sites that are counted: 300 bytes each.
_MOST_SITES = 10_000


class SuspiciousPages:
    """The newest pages of one site that may have lost content, the newest last, and which of them are not saved yet."""

    def __init__(self, known: Iterable[Suspect] = ()) -> None:
        self._reasons = {suspect.url: suspect.reason for suspect in known}
        self._changed: set[str] = set()

    @property
    def is_unsaved(self) -> bool:
        return bool(self._changed)

    def note(self, url: str, reason: str) -> None:
        """Note the result of cleaning a page. Without a reason the page is removed."""
        if not (reason or self._reasons):
            return
        url = plain_url(url)
        if self._reasons.pop(url, None) or reason:
            self._changed.add(url)
        if reason:
            self._reasons[url] = reason
            if len(self._reasons) > MAX_SUSPECTS:
                oldest = next(iter(self._reasons))
                del self._reasons[oldest]
                self._changed.discard(oldest)  # the store drops it, too

    def changes(self) -> tuple[Collection[Suspect], Collection[str]]:
        """Return the pages to save, the newest last, and the URLs of the pages to remove from the store."""
        unsaved = [Suspect(url, reason) for url, reason in self._reasons.items() if url in self._changed]
        return unsaved, sorted(self._changed - self._reasons.keys())

    def written(self) -> None:
        """Note that all changes are saved."""
        self._changed.clear()


@dataclass(slots=True)
class _OfSite:
    """Numbers of a site's items, of its suspicious items and items without text, and of characters of own text."""

    items: int = 0
    suspicious: int = 0
    without_text: int = 0
    chars: int = 0
    kept: int = 0

    @property
    def is_empty(self) -> bool:
        return 2 * self.without_text > self.items


class Losses:
    """The losses of a crawl's items, by site. The log has the first such page at once, and the sites at the end."""

    def __init__(self, stats: Stats) -> None:
        self._stats = stats
        self._sites: dict[str, _OfSite] = {}
        self._is_told = False

    def note(self, site: str, url: str | None, cleaned: Cleaned) -> None:
        """Count an item of a site whose page was judged."""
        has_room = site in self._sites or len(self._sites) < _MOST_SITES
        of_site = self._sites.setdefault(site, _OfSite()) if has_room else _OfSite()
        of_site.items += 1
        of_site.chars += cleaned.own_text.chars
        of_site.kept += cleaned.own_text.kept
        if not cleaned.has_own_text:
            self._stats.inc_value(ITEMS_WITHOUT_TEXT)
            of_site.without_text += 1
        if cleaned.suspicious:
            self._stats.inc_value(ITEMS_SUSPICIOUS)
            if not of_site.suspicious:
                self._stats.inc_value(SITES_SUSPICIOUS)
            of_site.suspicious += 1
            if url and not self._is_told:
                self._is_told = True
                message = (
                    "%s may have lost content: it %s. `scrapy blockfilter show %s` shows why. Further pages are "
                    "counted, as %s, and told by site at the end."
                )
                plain = plain_url(url)
                logger.warning(message, plain, cleaned.suspicious, shlex.quote(plain), ITEMS_SUSPICIOUS)

    def tell(self) -> None:
        """Log the sites with such items, those that lose most first, and those whose pages have no text."""
        sites = [((-of.suspicious / of.items, of.kept - of.chars), site, of) for site, of in self._sites.items()]
        found = sorted(each for each in sites if each[2].suspicious and not each[2].is_empty)
        for _, site, numbers in found[:MOST_NAMED]:
            keeps = f"; it keeps {numbers.kept / numbers.chars:.0%} of its pages' own text" if numbers.chars else ""
            message = "%s: %d of %d items may have lost content%s: see `scrapy blockfilter show %s`"
            logger.warning(message, site, numbers.suspicious, numbers.items, keeps, shlex.quote(site))
        if more := len(found[MOST_NAMED:]):
            plural = "s" * (more > 1)
            logger.warning("%d more site%s may have lost content: see `scrapy blockfilter sites`", more, plural)
        empty = [(numbers, site) for _, site, numbers in sites if numbers.is_empty]
        for numbers, site in sorted(empty, key=lambda each: -each[0].without_text)[:MOST_NAMED]:
            message = (
                "The pages of %d of %d items of %s have no text of their own: built by scripts? Render them, e.g. with "
                "scrapy-playwright. Or do they all show the same wall, for logins or bots?"
            )
            logger.warning(message, numbers.without_text, numbers.items, site)

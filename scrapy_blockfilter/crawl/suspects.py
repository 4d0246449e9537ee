"""Pages that may have lost content: remember them per site, and log which sites have many."""

from __future__ import annotations

import logging
import shlex
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scrapy_blockfilter.crawl.stats import ITEMS_SUSPICIOUS, SITES_SUSPICIOUS, Stats
from scrapy_blockfilter.model.judged_page import JudgedPage
from scrapy_blockfilter.store.suspects import MAX_SUSPECTS, Suspect, plain_url

logger = logging.getLogger(__name__)

# Sites that the end of the log names: as many as a person looks into after a crawl.
_SITES = 10


class Suspects:
    """The newest such pages of one site, and which changes are not saved yet.

    Args:
        known: the pages that are saved, the newest last.
    """

    def __init__(self, known: Iterable[Suspect] = ()) -> None:
        self._reasons = {suspect.url: suspect.reason for suspect in known}
        self._unwritten: set[str] = set()
        self._cleared: set[str] = set()

    @property
    def is_unsaved(self) -> bool:
        return bool(self._unwritten or self._cleared)

    def note(self, url: str, reason: str) -> None:
        """Note the result of cleaning a page. Without a reason the page is removed."""
        if not (reason or self._reasons):
            return
        url = plain_url(url)
        known = self._reasons.pop(url, None)
        if reason:
            self._reasons[url] = reason
            self._unwritten.add(url)
            self._cleared.discard(url)
            while len(self._reasons) > MAX_SUSPECTS:
                oldest = next(iter(self._reasons))
                del self._reasons[oldest]
                self._unwritten.discard(oldest)
        elif known is not None:
            self._unwritten.discard(url)
            self._cleared.add(url)

    def unwritten(self) -> Sequence[Suspect]:
        """Return the pages to save, the newest last."""
        return [Suspect(url, reason) for url, reason in self._reasons.items() if url in self._unwritten]

    def cleared(self) -> Sequence[str]:
        """Return URLs of the pages to remove from the store."""
        return sorted(self._cleared)

    def written(self) -> None:
        """Note that all changes are saved."""
        self._unwritten.clear()
        self._cleared.clear()


class SuspectLog:
    """Count items of such pages by site. Log the first page of a crawl at once, and the sites at its end."""

    def __init__(self, stats: Stats) -> None:
        self._stats = stats
        self._sites: dict[str, _Losses] = {}
        self._is_told = False

    def note(self, site: str, url: str | None, judged: JudgedPage) -> None:
        """Count an item of a site whose page was judged."""
        of_site = self._sites.get(site, _Losses())
        is_odd = bool(judged.suspicious)
        self._sites[site] = _Losses(
            of_site.items + 1,
            of_site.suspicious + is_odd,
            of_site.chars + judged.own_text.chars,
            of_site.kept + judged.own_text.kept,
        )
        if is_odd:
            self._stats.inc_value(ITEMS_SUSPICIOUS)
            if not of_site.suspicious:
                self._stats.inc_value(SITES_SUSPICIOUS)
            if url and not self._is_told:
                self._is_told = True
                self._tell_first(plain_url(url), judged.suspicious)

    def tell(self) -> None:
        """Log the sites with such items: those that lose most, worst first, and how many more there are."""
        found = [(losses, site) for site, losses in self._sites.items() if losses.suspicious]
        for losses, site in sorted(found, key=_badness)[:_SITES]:
            logger.warning(
                "%s: %d of %d items may have lost content%s: see `scrapy blockfilter report %s`",
                site,
                losses.suspicious,
                losses.items,
                f"; it keeps {losses.kept / losses.chars:.0%} of its pages' own text" if losses.chars else "",
                shlex.quote(site),
            )
        if more := len(found[_SITES:]):
            plural = "s" * (more > 1)
            logger.warning("%d more site%s may have lost content: see `scrapy blockfilter sites`", more, plural)

    def _tell_first(self, url: str, reason: str) -> None:
        logger.warning(
            "%s may have lost content: it %s. `scrapy blockfilter explain %s` shows why. Further pages are counted, as "
            "%s, and told by site at the end.",
            url,
            reason,
            shlex.quote(url),
            ITEMS_SUSPICIOUS,
        )


class _Losses(NamedTuple):
    """Numbers of a site's items, of those that are suspicious, and of characters of their pages' own text.

    A crawl of many sites holds this of each.
    """

    items: int = 0
    suspicious: int = 0
    chars: int = 0
    kept: int = 0


def _badness(of_site: tuple[_Losses, str]) -> tuple[float, int, str]:
    losses, site = of_site
    return -losses.suspicious / losses.items, losses.kept - losses.chars, site

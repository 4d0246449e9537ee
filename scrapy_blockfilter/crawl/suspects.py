"""Pages that may have lost content: remember them per site, and log some of them."""

from __future__ import annotations

import logging
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence

from scrapy_blockfilter.crawl import stats as names
from scrapy_blockfilter.store.suspects import MAX_SUSPECTS, Suspect, plain_url

logger = logging.getLogger(__name__)

# Lines of the log per site, so that one bad site leaves room for others, and per crawl, so that they are read.
_LINES_OF_SITE = 3
_LINES_OF_CRAWL = 30


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
    """Log each such page once, up to a limit."""

    def __init__(self) -> None:
        self._named: set[str] = set()
        self._of_site: Counter[str] = Counter()
        self._is_full = False

    def tell(self, site: str, url: str, reason: str) -> None:
        """Log a page. At the limit, log once that further pages are only counted."""
        url = plain_url(url)
        if url in self._named:
            return
        if self._of_site[site] < _LINES_OF_SITE and len(self._named) < _LINES_OF_CRAWL:
            self._named.add(url)
            self._of_site[site] += 1
            logger.warning(
                "%s may have lost content: it %s. `scrapy blockfilter explain %s` shows why.",
                url,
                reason,
                shlex.quote(url),
            )
        elif not self._is_full:
            self._is_full = True
            logger.warning(
                "More pages of %s may have lost content. Beyond %d pages of a site and %d of a crawl they are only "
                "counted, as %s; `scrapy blockfilter show SITE` lists those of a site.",
                site,
                _LINES_OF_SITE,
                _LINES_OF_CRAWL,
                names.ITEMS_SUSPICIOUS,
            )

"""The pages of a crawl that may have lost content: which of them are remembered of a site, and which the log names."""

from __future__ import annotations

import logging
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence

from scrapy_blockfilter.crawl import stats as names
from scrapy_blockfilter.store.suspects import MAX_SUSPECTS, Suspect, plain_url

logger = logging.getLogger(__name__)

# Lines of the log: of a site, so that one gone wrong leaves room for others; and of a crawl, so that they are read.
_LINES_OF_SITE = 3
_LINES_OF_CRAWL = 30


class Suspects:
    """Those of one site, the newest, and what of them is not written yet.

    Args:
        known: those that are written, the newest last.
    """

    def __init__(self, known: Iterable[Suspect] = ()) -> None:
        self._reasons = {suspect.url: suspect.reason for suspect in known}
        self._unwritten: set[str] = set()
        self._cleared: set[str] = set()

    @property
    def is_unsaved(self) -> bool:
        return bool(self._unwritten or self._cleared)

    def note(self, url: str, reason: str) -> None:
        """Note how cleaning a page went; without a reason it is none of them, also if it was."""
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
        """Those that are new, the newest last."""
        return [Suspect(url, reason) for url, reason in self._reasons.items() if url in self._unwritten]

    def cleared(self) -> Sequence[str]:
        """URLs of those that were, and are no more."""
        return sorted(self._cleared)

    def written(self) -> None:
        """Note that all is written."""
        self._unwritten.clear()
        self._cleared.clear()


class SuspectLog:
    """Names them in the log, each once, and only so many."""

    def __init__(self) -> None:
        self._named: set[str] = set()
        self._of_site: Counter[str] = Counter()
        self._is_full = False

    def tell(self, site: str, url: str, reason: str) -> None:
        """Log a page, or once that more are only counted."""
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

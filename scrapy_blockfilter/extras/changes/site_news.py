"""Find what is new on nearly all pages of a site, not on a single page: a notice, a renamed link, the date of today.

The judge's model is older than such a text, and may keep it on some pages and strip it from others. The pages that a
crawl compares show whose text it is.
"""

from __future__ import annotations

from collections import OrderedDict

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.extras.changes.memory import KEYS

# As many pages as a site is learnt from. Fewer may all be sold out since yesterday, in the same words.
LEAST = 10
# Least share of the pages compared last, and how many these are: a notice may come up while a crawl is running.
SHARE, _PAGES = 0.8, 50
# Most news and stripped lines of a page, and most sites: below 250 megabytes in all. A page with more news has none.
_MOST, _MOST_STRIPPED, _SITES = 100, 400, 300
Keys = npt.NDArray[np.uint64]
_NONE = np.zeros(0, np.uint64)


class SiteNews:
    """The news of the last pages of each site of a crawl."""

    def __init__(self) -> None:
        self._sites: OrderedDict[str, OrderedDict[int, tuple[frozenset[int], Keys]]] = OrderedDict()

    def shared(self, site: str, page: int, news: frozenset[int], stripped: Keys = _NONE) -> frozenset[int]:
        """Note a page by its :meth:`Shown.news` and :func:`stripped_lines`.

        Return its news that nearly all of the site's last pages have, too.
        """
        if len(news) > _MOST:
            news = frozenset()
        pages = self._sites.setdefault(site, OrderedDict())
        self._sites.move_to_end(site)
        pages[page] = news, stripped[:_MOST_STRIPPED]  # one met twice counts once
        pages.move_to_end(page)
        for bounded, most in ((self._sites, _SITES), (pages, _PAGES)):
            if len(bounded) > most:
                bounded.popitem(last=False)
        least = max(LEAST, SHARE * len(pages))
        return frozenset(line for line in news if sum(_has(line, *of) for of in pages.values()) >= least)


def _has(line: int, news: frozenset[int], stripped: Keys) -> bool:
    """Return whether a line is among the news of a page, or came to another page and is stripped from this page."""
    return line in news or (line >= KEYS // 2 and bool((stripped == line % KEYS).any()))

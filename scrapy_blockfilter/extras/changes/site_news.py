"""Find what is new on nearly all pages of a site, not on a single page: a notice, a renamed link, the date of today.

The judge's model is older than such a text, and may keep it. The pages that a crawl compares show whose text it is.
"""

from __future__ import annotations

from collections import OrderedDict

# As many pages as a site is learnt from. Fewer may all be sold out since yesterday, in the same words.
LEAST = 10
# Least share of the pages compared last, and how many these are: a notice may come up while a crawl is running.
SHARE, _PAGES = 0.8, 50
# Most news kept of a page, and most sites: below 200 megabytes, whatever the pages say. A page with more has none.
_MOST, _SITES = 100, 300


class SiteNews:
    """The news of the last pages of each site of a crawl."""

    def __init__(self) -> None:
        self._sites: OrderedDict[str, OrderedDict[int, frozenset[int]]] = OrderedDict()

    def shared(self, site: str, page: int, news: frozenset[int]) -> frozenset[int]:
        """Note the news of a page, and return those that nearly all of the site's last pages have, too."""
        if len(news) > _MOST:
            news = frozenset()
        pages = self._sites.setdefault(site, OrderedDict())
        self._sites.move_to_end(site)
        pages[page] = news  # one met twice counts once
        pages.move_to_end(page)
        for bounded, most in ((self._sites, _SITES), (pages, _PAGES)):
            if len(bounded) > most:
                bounded.popitem(last=False)
        least = max(LEAST, SHARE * len(pages))
        return frozenset(line for line in news if sum(line in of for of in pages.values()) >= least)

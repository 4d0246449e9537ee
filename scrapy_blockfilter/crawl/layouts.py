"""The layouts of a site: the one that its first N pages showed, and those that it has shown since.

Each has a sample and a model of its own, so that a redesign does not blur what was learnt before, and old pages that
come again are judged by what they fit.
"""

from __future__ import annotations

from collections.abc import Mapping

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.sample.misfits import Misfits
from scrapy_blockfilter.sample.signature import FITS, marks_of
from scrapy_blockfilter.store.keys import MAX_LAYOUTS

# Pages that pass unwatched before one is segmented for no other reason than to be watched: pages whose items the
# pipeline judges are watched there, where they have been segmented anyway. One in twenty adds 3 % to what a crawl that
# cleans each page pays, and a change is seen twenty pages later at the most.
WATCH_EVERY = 20

# The model of the misfits is fitted again when there are so many times the pages, nine times from 1 to 40 pages; and
# when there are fewer, as those are others.
PROVISIONAL_GROWTH = 1.4
# Below this the nearest layout has nothing to tell of a page. Of the first ten pages after 34 joins of two sites F1 is
# .91 by the model of the first, .94 by a model of the page alone, and .96 by one of the misfits so far. Of 47 misfits
# among the pages of single sites, the 28 below .4 are judged better alone (.94, not .93), the others worse (.91, .96).
_ALIEN = 0.3


class Layouts:
    """How many layouts a ready site has, which its last page was of, and what fitted none of them.

    Attributes:
        count: number of layouts learnt; they are numbered from 1.
        current: number of the one that the last page was of, those of none left out.
        nearest: number of the one that the last page fitted best.
        misfits: None until a page has fitted none.
        provisional: a model of the misfits, for the time until they are a layout.
    """

    __slots__ = ("_unwatched", "count", "current", "misfits", "nearest", "provisional")

    def __init__(self) -> None:
        self.count = 1
        self.current = 1
        self.nearest = 1
        self.misfits: Misfits | None = None
        self.provisional: SiteModel | None = None
        self._unwatched = 0

    @property
    def numbers(self) -> range:
        return range(1, self.count + 1)

    @property
    def has_room(self) -> bool:
        """Whether the site has fewer layouts than one may have."""
        return self.count < MAX_LAYOUTS

    def is_due(self) -> bool:
        """Whether a page that comes by should be watched; asked once a page."""
        self._unwatched += 1
        return self._unwatched > WATCH_EVERY

    def note(self, fits: Mapping[int, float]) -> int:
        """Note how well a page fits each layout, and tell which it is of, 0 if none. After a misfit pages are due one
        by one, until one fits."""
        self.nearest = max(fits, key=fits.__getitem__)
        if fits[self.nearest] < FITS:
            self._unwatched = max(self._unwatched, WATCH_EVERY)
            return 0 if self.has_room else self.nearest
        self._unwatched = 0
        self.current = self.nearest
        return self.nearest

    def add(self) -> int:
        """Note that a layout was learnt, that of the last page, and give it its number."""
        self.count += 1
        self.current = self.nearest = self.count
        self.provisional = None
        self._unwatched = 0
        return self.count


def nearer(provisional: SiteModel, nearest: SiteModel, page: Page) -> SiteModel:
    """Which of two models judges a page that is of no layout."""
    marks = marks_of(page)
    fit = nearest.signature.fit(marks)
    signature = provisional.signature
    is_nearer = fit < _ALIEN or (signature.tells and signature.fit(marks) > fit)
    return provisional if is_nearer else nearest

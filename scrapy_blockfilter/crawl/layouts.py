"""The layouts of a site: the one of its first N pages, and those that it has shown since.

Each layout has its own sample and model. A redesign does not blur what was learnt before, and old pages that come again
are judged by the layout they fit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.sample.misfits import Misfits
from scrapy_blockfilter.sample.signature import FITS, marks_of
from scrapy_blockfilter.store.keys import MAX_LAYOUTS

# This many pages pass unwatched before one is segmented only to be watched. Pages whose items are cleaned are watched
# anyway, as they are segmented for that. One in twenty adds 3 % to the work of a crawl that cleans each page, and a
# change shows after twenty pages at most.
WATCH_EVERY = 20

# The model of the misfits is fitted again when their number has grown by this factor: nine times from 1 to 40 pages. It
# is also fitted again when there are fewer, as they are then other pages.
PROVISIONAL_GROWTH = 1.4
# Below this fit the nearest layout says nothing about a page: a model of the misfits, even of the page alone, judges it
# better. Above it, most misfits are still judged best by the nearest layout.
_ALIEN = 0.3


class Layouts:
    """The layouts of a ready site, and the pages that fit none of them.

    Attributes:
        count: number of layouts learnt; they are numbered from 1.
        current: number of the layout of the last page that fitted one.
        nearest: number of the layout that the last page fitted best.
        misfits: pages that fit no layout; None until there is one.
        provisional: a model of the misfits, until they become a layout.
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
        """Whether the site may have more layouts."""
        return self.count < MAX_LAYOUTS

    def is_due(self) -> bool:
        """Whether the page at hand should be watched. Call it once per page."""
        self._unwatched += 1
        return self._unwatched > WATCH_EVERY

    def note(self, fits: Mapping[int, float]) -> int:
        """Note how well a page fits each layout, and return the number of its layout, 0 for none.

        After a misfit every page is due, until one fits.
        """
        self.nearest = max(fits, key=fits.__getitem__)
        if fits[self.nearest] < FITS:
            self._unwatched = max(self._unwatched, WATCH_EVERY)
            return 0 if self.has_room else self.nearest
        self._unwatched = 0
        self.current = self.nearest
        return self.nearest

    def add(self) -> int:
        """Note that the layout of the last page was learnt, and return its number."""
        self.count += 1
        self.current = self.nearest = self.count
        self.provisional = None
        self._unwatched = 0
        return self.count


def place(layouts: Layouts, models: Mapping[int, SiteModel], page: Page) -> int:
    """Note which layout a page is of, and return its number, 0 for none.

    Args:
        models: those of the layouts, by number.
    """
    marks = marks_of(page)
    closeness = {number: model.signature.closeness(marks) for number, model in models.items()}
    # A layout learnt from copies of one page fits these best, but knows least of their template.
    told = {number: near for number, near in closeness.items() if near >= FITS and models[number].different > 1}
    return layouts.note(told or closeness)


def model_of_misfit(
    layouts: Layouts, page: Page, nearest: SiteModel, fit: Callable[[SiteSample], SiteModel]
) -> SiteModel:
    """Return the model for a page of no layout: that of the misfits so far, if it is nearer to the page.

    Args:
        nearest: the model of the layout that the page fits best.
        fit: fits a model to a sample.
    """
    misfits = layouts.misfits
    if misfits is None or not misfits.sample.records:
        return nearest
    model = layouts.provisional
    if model is None or not model.pages <= len(misfits.sample) <= PROVISIONAL_GROWTH * model.pages:
        model = layouts.provisional = fit(misfits.sample)
    return _nearer(model, nearest, page)


def _nearer(provisional: SiteModel, nearest: SiteModel, page: Page) -> SiteModel:
    """Return the model that judges a page of no known layout."""
    marks = marks_of(page)
    closeness = nearest.signature.closeness(marks)
    signature = provisional.signature
    is_nearer = closeness < _ALIEN or (signature.tells and signature.closeness(marks) > closeness)
    return provisional if is_nearer else nearest

"""The layouts of a site: the one of its first N pages, and those that it has shown since.

Each layout has its own sample and model. A redesign does not blur what was learnt before, and old pages that come again
are judged by the layout they fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.sample.misfits import Misfits
from scrapy_blockfilter.sample.signature import FITS, marks_of
from scrapy_blockfilter.store.keys import MAX_LAYOUTS
from scrapy_blockfilter.store.suspects import MAX_SUSPECTS, Suspect, plain_url

# Pages that pass unwatched before one is segmented only to be watched. Pages whose items are cleaned are segmented for
# that, and so always watched. One in twenty adds 3 % to the work of a crawl that cleans each page, and a change shows
# after twenty pages at most.
WATCH_EVERY = 20
# The model of the misfits is fitted again when their number has grown by this factor: nine times from 1 to 40 pages. It
# is also fitted again when there are fewer, as they are then other pages.
PROVISIONAL_GROWTH = 1.4
# Below this fit the nearest layout says nothing about a page: a model of the misfits, even of the page alone, judges it
# better. Above it, most misfits are still judged best by the nearest layout.
_ALIEN = 0.3


class SitePages:
    """The sample of a site, of which part may still be in the store.

    Args:
        stored: hashes of the pages that are in the store alone, which ``read`` reads.
    """

    def __init__(
        self, in_memory: SiteSample, stored: Iterable[int] = (), read: Callable[[], SiteSample] | None = None
    ) -> None:
        self.in_memory = in_memory
        self._read = read
        self._hashes = {*stored, *in_memory.records}

    def __len__(self) -> int:
        return len(self._hashes)

    def __contains__(self, page_hash: object) -> bool:
        return page_hash in self._hashes

    @property
    def sample(self) -> SiteSample:
        """All pages. The first call reads those in the store: fewer than there were hashes if it is damaged."""
        if self._read is not None:
            read, self._read = self._read, None
            self.replace(read().merge(self.in_memory))
        return self.in_memory

    def wants(self, page_hash: int) -> bool:
        """Return whether a page would change the sample. Ask this before segmenting the page."""
        has_room = len(self._hashes) < self.in_memory.limit
        return page_hash not in self._hashes and (has_room or page_hash < max(self._hashes))

    def add(self, page_hash: int, page: Page) -> None:
        """Add a page, as :meth:`SiteSample.add` does."""
        self.in_memory.add(page_hash, page)
        self.in_memory.pack()  # a tenth of the memory, as the site may wait long for others
        self._hashes.add(page_hash)
        if len(self._hashes) > self.in_memory.limit:
            self._hashes.remove(max(self._hashes))

    def replace(self, sample: SiteSample) -> None:
        """Take a sample in place of all pages."""
        self.in_memory = sample
        self._read = None
        self._hashes = set(sample.records)


@dataclass(slots=True)
class Layouts:
    """The layouts of a ready site, and the pages that fit none of them.

    Attributes:
        count: number of layouts learnt; they are numbered from 1.
        current: number of the layout of the last page that fitted one.
        nearest: number of the layout that the last page fitted best.
        misfits: pages that fit no layout; None until there is one.
        provisional: a model of the misfits, until they become a layout.
    """

    count: int = 1
    current: int = 1
    nearest: int = 1
    misfits: Misfits | None = None
    provisional: SiteModel | None = None
    _unwatched: int = 0

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


class Suspects:
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

    def unwritten(self) -> Sequence[Suspect]:
        """Return the pages to save, the newest last."""
        return [Suspect(url, reason) for url, reason in self._reasons.items() if url in self._changed]

    def cleared(self) -> Sequence[str]:
        """Return the URLs of the pages to remove from the store."""
        return sorted(self._changed - self._reasons.keys())

    def written(self) -> None:
        """Note that all changes are saved."""
        self._changed.clear()


@dataclass(slots=True)
class LayoutState:
    """Pages and model of one layout of a site.

    Attributes:
        fit_at: number of pages at which a model is fitted, 0 if no more are needed.
        provisional: a model of fewer than N pages.
        is_unsaved: whether the store lacks pages.
        layouts, suspects: of the first layout only: those of its site.
        look_at: when to look again at what other processes have learnt.
    """

    pages: SitePages
    fit_at: int
    number: int
    model: SiteModel | None = None
    provisional: SiteModel | None = None
    is_unsaved: bool = False
    layouts: Layouts = field(default_factory=Layouts)
    suspects: Suspects = field(default_factory=Suspects)
    look_at: float = 0.0

    @property
    def has_changes(self) -> bool:
        """Whether the store lacks pages, misfits or suspicious pages."""
        misfits = self.layouts.misfits
        return self.is_unsaved or self.suspects.is_unsaved or (misfits is not None and misfits.is_unsaved)

    def note_saved(self) -> None:
        """Note that the store has all changes."""
        self.is_unsaved = False
        self.suspects.written()
        if self.layouts.misfits is not None:
            self.layouts.misfits.is_unsaved = False

    def wants(self, page_hash: int) -> bool:
        """Return whether a page would bring the next fit nearer. Ask this before segmenting the page."""
        return self.fit_at > 0 and self.pages.wants(page_hash)

    def is_due(self) -> bool:
        """Return whether there are enough pages for the next fit."""
        return 0 < self.fit_at <= len(self.pages)


def model_of_misfit(
    layouts: Layouts, page: Page, nearest: SiteModel, fit: Callable[[SiteSample], SiteModel]
) -> SiteModel:
    """Return the model for a page of no layout: that of the misfits so far if it is nearer than the nearest layout."""
    misfits = layouts.misfits
    if misfits is None or not misfits.sample.records:
        return nearest
    model = layouts.provisional
    if model is None or not model.pages <= len(misfits.sample) <= PROVISIONAL_GROWTH * model.pages:
        model = layouts.provisional = fit(misfits.sample)
    marks = marks_of(page)
    closeness = nearest.signature.closeness(marks)
    is_nearer = closeness < _ALIEN or (model.signature.tells and model.signature.closeness(marks) > closeness)
    return model if is_nearer else nearest

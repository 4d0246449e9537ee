"""The layouts of a site: the one that its first N pages showed, and those that it has shown since.

Each has a sample and a model of its own, so that a redesign does not blur what was learnt before, and old pages that
come again are judged by what they fit.
"""

from __future__ import annotations

from collections.abc import Mapping

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.segmenters import CHUNKS, SEGMENTERS, Segmenter
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.sample.misfits import FITS, Misfits, marks_of

# Of a site. When it has shown as many, further ones are judged by the layout that they fit best.
MAX_LAYOUTS = 8
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


def layout_key(site: str, number: int) -> str:
    """Under which key the sample of a layout is kept: the site's own for the first. No site key has a tab in it.

    >>> layout_key("example.com", 1), layout_key("example.com", 2)
    ('example.com', 'example.com\\tlayout 2')
    """
    return site if number == 1 else f"{site}\tlayout {number}"


def misfits_key(site: str) -> str:
    """The same for the pages that fit none of the layouts."""
    return f"{site}\tmisfits"


def stored_key(key: str, segmenter: Segmenter | str) -> str:
    """Under which key a sample is stored: blocks of one segmenter are never learnt with those of another.

    >>> stored_key("example.com", Segmenter()), stored_key("example.com", Segmenter("dom"))
    ('example.com', 'example.com\\tdom')
    """
    return key if str(segmenter) == CHUNKS else f"{key}\t{segmenter}"


def split_stored_key(key: str) -> tuple[str, str]:
    """The key of a layout or of misfits, and the segmenter, that a stored key is made of.

    >>> split_stored_key("example.com\\tlayout 2\\tdom"), split_stored_key("example.com\\tlayout 2")
    (('example.com\\tlayout 2', 'dom'), ('example.com\\tlayout 2', 'chunks'))
    """
    rest, _, last = key.rpartition("\t")
    return (rest, last) if rest and last.partition(" ")[0] in SEGMENTERS else (key, CHUNKS)


def main_site(key: str) -> str:
    """The site that a key of a layout or of misfits belongs to.

    >>> main_site("example.com\\tlayout 2"), main_site("example.com")
    ('example.com', 'example.com')
    """
    return key.partition("\t")[0]


def keys_of_site(site: str) -> tuple[str, str, str]:
    """All keys of a site: the first, and those between the second and the third in the order of their characters."""
    return site, f"{site}\t", f"{site}\n"


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

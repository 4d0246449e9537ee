"""Collect pages that fit no layout of their site, until N of them form a new layout.

The texts and style paths on half of a site's pages are the signature of its template. A page that shows less than half
of what is usual on the sample does not fit. Reasons are a redesign, another section, a variant under test, or a wall in
front of the real page. When N different misfits look alike, they are learnt as a layout beside the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.sample.copies import SampledPages, differ_by_a_line
from scrapy_blockfilter.sample.signature import FITS, Signature, marks_of

# Misfits look alike if the median page has this share of the marks that half of them have. The first pages of 95 % of
# 118 sites do, but at most 1 % of 200 mixtures of two sites with five pages each.
_ALIKE = 0.65
# A layout needs this many pages, however small N is.
_LEAST_PAGES = 3


class Misfits:
    """Pages that fit no layout of their site, until enough of them look alike.

    Args:
        enough: N, the number of different pages that make a layout.
        known: signatures of the site's layouts. Misfits that fit a layout learnt since are dropped.
    """

    def __init__(self, sample: SiteSample, enough: int, known: Sequence[Signature] = ()) -> None:
        self._enough = max(_LEAST_PAGES, enough)
        self.sample = sample
        self.is_unsaved = False
        self._marks = dict(zip(sorted(sample.records), map(marks_of, sample.pages()), strict=True))
        misfits = [page for page, marks in self._marks.items() if all(one.closeness(marks) < FITS for one in known)]
        self._keep(misfits)

    def take(self, page_hash: int, page: Page) -> bool:
        """Add a page, and return whether it is new. If there is no room, all collected pages are dropped."""
        if page_hash in self._marks:
            return False
        # So many pages were of many kinds, and later pages show more of the site as it is now.
        if len(self.sample) >= self.sample.limit:
            self._keep([])
        self.sample.add(page_hash, page)
        self.sample.pack()  # misfits may wait long for others
        self._marks[page_hash] = marks_of(page)
        self.is_unsaved = True
        return True

    def layout(self) -> SiteSample | None:
        """Remove and return the pages of a new layout, or return None while too few different pages look alike."""
        if len(self._marks) < self._enough:
            return None
        signature = Signature(list(self._marks.values()))
        if not signature.tells or signature.usual < _ALIKE:
            return None
        alike = [page_hash for page_hash, marks in self._marks.items() if signature.closeness(marks) >= FITS]
        if len(alike) < self._enough:
            return None
        found = _part(self.sample, alike)
        pages = SampledPages(found.pages())
        different = [0] if differ_by_a_line(pages) else list(pages.identities)
        if len(different) < self._enough:  # keep one copy of a page that came again and again
            once = [sorted(alike)[number] for number in different]
            self._keep([*once, *(self._marks.keys() - set(alike))])
            return None
        self._keep(self._marks.keys() - set(alike))
        return found

    def _keep(self, page_hashes: Iterable[int]) -> None:
        self.sample = _part(self.sample, page_hashes)
        self._marks = {page_hash: self._marks[page_hash] for page_hash in self.sample.records}


def _part(sample: SiteSample, page_hashes: Iterable[int]) -> SiteSample:
    """Return a sample with only these pages."""
    part = SiteSample(sample.limit)
    part.add_rows([(page_hash, sample.records[page_hash]) for page_hash in page_hashes], sample.steps)
    return part

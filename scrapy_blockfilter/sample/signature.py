"""What the pages of a layout share, by which a page is told to be of it."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence

from scrapy_blockfilter.sample import PageFeatures, SiteSample

# A page fits from this share of what is usual on. Learnt from the first pages of 118 sites, 93 % of their other pages
# do, the rest being of other sections and kinds; of pages of other sites 1 in 2,000. Of three publishers' pages of
# other years none: they reach .17, .42 and, in a template of 16 marks, .90 (.62 of .69).
FITS = 0.5
# What stands on this share of the pages is of the template. With .8 a third as many pages of the same site do not fit,
# but five times as many of other sites do.
_COMMON = 0.5
# With fewer marks than this in common, pages tell no layout.
_LEAST_MARKS = 3
_OF_ANY_PAGE = frozenset({"html", "head", "title", "body"})


def marks_of(page: PageFeatures) -> frozenset[int]:
    """What a page can share with others: the keys of its blocks and the style paths of its elements, without those that
    every page has."""
    columns = page.columns
    slots = [slot for slot, tag in zip(columns.slots.tolist(), columns.tags, strict=True) if tag not in _OF_ANY_PAGE]
    return frozenset(columns.keys.tolist()).union(slots)


class Signature:
    """What the pages of one layout have in common. Immutable.

    Attributes:
        marks: what stands on at least half of the pages.
        usual: the share of them that a page of the layout has, the median.
    """

    __slots__ = ("marks", "usual")

    def __init__(self, pages: Sequence[frozenset[int]]) -> None:
        on_pages = Counter(mark for marks in pages for mark in marks)
        least = max(2, _COMMON * len(pages))
        self.marks = frozenset(mark for mark, count in on_pages.items() if count >= least)
        self.usual = statistics.median(map(self._share, pages)) if pages else 0.0

    @property
    def tells(self) -> bool:
        """Whether there is enough in common to tell a layout by."""
        return len(self.marks) >= _LEAST_MARKS

    def fit(self, marks: frozenset[int]) -> float:
        """How much of the template a page shows, 1.0 being as much as is usual, and 1.0 where nothing can be told."""
        return self._share(marks) / self.usual if self.tells else 1.0

    def _share(self, marks: frozenset[int]) -> float:
        return len(self.marks & marks) / len(self.marks) if self.marks else 0.0


def is_of(signature: Signature, sample: SiteSample) -> bool:
    """Whether most pages of a sample fit a layout."""
    return statistics.median(signature.fit(marks_of(page)) for page in sample.pages()) >= FITS

"""The signature of a layout: what its pages share, and how well another page fits."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import Protocol

import numpy as np

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.storable.array_bytes import ArrayReader, StateError, Values

# A page fits if it shows this share of what is usual. With signatures from the first pages of 118 sites, 93 % of their
# other pages fit; the rest are of other sections and kinds. Of pages of other sites, 1 in 2,000 fits. Pages of other
# years at three publishers reach .17, .42 and, with a signature of only 16 marks, .90.
FITS = 0.5
# Marks on this share of the pages belong to the template. With .8, only a third as many pages of the same site do not
# fit, but five times as many pages of other sites do.
_COMMON = 0.5
# Pages with fewer common marks define no layout.
_LEAST_MARKS = 3
_OF_ANY_PAGE = frozenset({"html", "head", "title", "body"})


class KnownLayout(Protocol):
    """A layout with the marks of its pages."""

    signature: Signature
    different: int


def nearest_of(layouts: Mapping[int, KnownLayout], page: Page) -> tuple[int, float]:
    """Return the number of the layout that a page fits best, and how well it fits."""
    marks = [*page.keys.tolist(), *page.slots.tolist()]  # signatures lack those of any page, and sets take long to make
    closeness = {number: layout.signature.closeness(marks) for number, layout in layouts.items()}
    # A layout learnt from copies of one page fits these best, but knows least of their template.
    told = {number: near for number, near in closeness.items() if near >= FITS and layouts[number].different > 1}
    return max((told or closeness).items(), key=itemgetter(1))


def marks_of(page: Page) -> frozenset[int]:
    """Return what a page may share with others: block keys, and style paths of elements that not every page has."""
    tags = dict(zip(page.slots.tolist(), page.tags, strict=True))  # each slot ends with its tag
    return frozenset(page.keys.tolist()).union(slot for slot, tag in tags.items() if tag not in _OF_ANY_PAGE)


class Signature:
    """The common marks of the pages of one layout. Immutable.

    Attributes:
        marks: marks on at least half of the pages.
        usual: median share of the marks on a page of the layout.
    """

    __slots__ = ("marks", "usual")

    def __init__(self, pages: Sequence[frozenset[int]]) -> None:
        on_pages = Counter(chain.from_iterable(pages))
        least = max(2, _COMMON * len(pages))
        self.marks = frozenset(mark for mark, count in on_pages.items() if count >= least)
        self.usual = statistics.median(map(self._share, pages)) if pages else 0.0

    @classmethod
    def restored(cls, state: ArrayReader) -> Signature:
        """Return the signature with this :meth:`state`."""
        signature = cls.__new__(cls)
        signature.marks = frozenset(state.integers("marks", None).tolist())
        signature.usual = state.number("usual", 0, 1)
        if signature.tells and not signature.usual:
            raise StateError("marks that no page has")
        return signature

    def state(self) -> Values:
        return {"marks": np.array(sorted(self.marks), np.int64), "usual": self.usual}

    @property
    def tells(self) -> bool:
        """Whether the pages have enough in common to define a layout."""
        return len(self.marks) >= _LEAST_MARKS

    def closeness(self, marks: Collection[int]) -> float:
        """Return the share of the marks on a page, relative to the usual share; 1.0 if the signature is too small."""
        return self._share(marks) / self.usual if self.tells else 1.0

    def _share(self, marks: Collection[int]) -> float:
        return len(self.marks.intersection(marks)) / len(self.marks) if self.marks else 0.0


def is_of(signature: Signature, sample: SiteSample) -> bool:
    """Return whether most pages of a sample fit a layout."""
    return statistics.median(signature.closeness(marks_of(page)) for page in sample.pages()) >= FITS
